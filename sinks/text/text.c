/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "event/wakeup.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "sinks/output.h"
#include "sinks/threads.h"
#include "sinks/text/palette.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/text/text_call.h"
#include "sinks/text/text_dump.h"
#include "sinks/text/text_frames.h"
#include "sinks/text/text_leader.h"
#include "sinks/text/text_part.h"
#include "sinks/text/text_request.h"
#include "sinks/text/text_result.h"
#include "sinks/text/text_snapshot.h"
#include "unwind.h"
#include "util/clock.h"
#include "util/mem.h"

/* The log of all threads or, with -ff, of one thread. */
struct text_log {
	struct output *out;	     /* NULL if the log could not be opened */
	struct text_thread *writing; /* thread with an unfinished line, or NULL */
};

struct text_thread {
	struct text_log *log;
	struct text_log own; /* with -ff: the log of this thread */
	pid_t tid;
	size_t column; /* current width of the thread's line, in columns */
	unsigned args_shown;
	bool arg_begun; /* true if the separator and name of the next argument have been written */
	struct text_part part; /* the part of the next argument that has been written */
	bool interrupted;      /* true if the line was ended with <unfinished ...> */
	/*
	 * For a call that is not shown yet because filters need its result: a space, and the line
	 * so far.
	 */
	struct strbuf held;
	bool held_lost; /* true if the call in `held` is an execve that has changed the id of the
			   thread */
};

struct text_sink {
	struct sink base;
	struct text_config config;
	struct outputs *outputs;
	struct text_style style;
	struct palette palette;
	struct text_log log;	    /* log shared by all threads */
	struct threads by_tid;	    /* values are struct text_thread */
	struct text_thread *recent; /* thread of the last event, or NULL */
	struct text_leader leader;
	pid_t snapshot_process; /* the last process whose command line was written */
};

static struct text_sink *text_of(struct sink *s)
{
	return container_of(s, struct text_sink, base);
}

/* Returns the buffer to append to, or NULL if the log could not be opened. */
static struct strbuf *log_buf(struct text_log *log)
{
	return log->out ? output_buf(log->out) : NULL;
}

static void log_commit(struct text_sink *t, struct text_log *log)
{
	outputs_commit(t->outputs, log->out);
}

/* Ends a line and resets the colours. */
static void line_close(struct text_sink *t, struct strbuf *b)
{
	text_color(b, &t->style, COLOR_RESET);
	strbuf_putc(b, '\n');
}

/* Ends the unfinished line of a thread that gets a different id because it called execve. */
static void line_pid_changed(struct text_sink *t, struct text_thread *th, pid_t tid)
{
	struct strbuf *b = log_buf(th->log);

	strbuf_puts(b, " <pid changed to ");
	strbuf_dec(b, tid);
	strbuf_puts(b, " ...>");
	line_close(t, b);
	th->interrupted = true;
	th->log->writing = NULL;
	log_commit(t, th->log);
}

static void text_thread_moved(struct sink *s, const struct event *e, pid_t from)
{
	struct text_sink *t = text_of(s);
	struct text_thread *th = threads_remove(&t->by_tid, from);

	if (!th)
		return;
	threads_add(&t->by_tid, e->tid, th);
	if (th->log->writing == th)
		line_pid_changed(t, th, e->tid);
	th->held_lost = th->held.len;
	th->tid = e->tid;
	if (!t->config.separately)
		return;
	outputs_put(t->outputs, th->log->out);
	th->log->out = outputs_get(t->outputs, e->tid, true);
}

/* The slow path of text_thread(), used if the event does not belong to the thread t->recent. */
static attr_noinline struct text_thread *other_thread(struct text_sink *t, const struct event *e)
{
	struct text_thread *th;

	th = t->recent = threads_find(&t->by_tid, e->tid);
	if (likely(th != NULL))
		return th;
	th = t->recent = mem_zalloc(sizeof(*th));
	threads_add(&t->by_tid, e->tid, th);
	th->tid = e->tid;
	t->leader.threads += e->tid != 0;
	th->log = t->config.separately ? &th->own : &t->log;
	th->log->out = outputs_get(t->outputs, e->tid, false);
	return th;
}

/* Returns the state of the event's thread. Creates it if this is the first event of the thread. */
static struct text_thread *text_thread(struct text_sink *t, const struct event *e)
{
	struct text_thread *th = t->recent;

	return likely(th && th->tid == e->tid) ? th : other_thread(t, e);
}

static attr_noinline void line_leave(struct text_sink *t, struct text_log *log, struct strbuf *b)
{
	strbuf_puts(b, " <unfinished ...>");
	line_close(t, b);
	log->writing->interrupted = true;
	log->writing = NULL;
}

static void line_interrupt(struct text_sink *t, struct text_log *log, struct strbuf *b)
{
	if (log->writing)
		line_leave(t, log, b);
}

/*
 * Begins a line for `th` in the buffer `b` of the log. If another thread has an unfinished line,
 * ends it first. Returns the offset of the new line in `b`.
 */
static size_t line_begin(struct text_sink *t, struct text_thread *th, struct strbuf *b,
			 const struct event *e, bool has_ip)
{
	size_t start;

	line_interrupt(t, th->log, b);
	start = b->len;
	text_leader(b, &t->leader, e, has_ip);
	return start;
}

/*
 * Like line_begin(), for a call that was not shown at its entry. Writes the part of the line that
 * is normally written at the entry.
 */
static size_t line_begin_held(struct text_sink *t, struct text_thread *th, struct strbuf *b,
			      const struct syscall_event *e)
{
	size_t start;

	if (!th->held.len)
		return line_begin(t, th, b, &e->base, !e->unknown);
	line_interrupt(t, th->log, b);
	start = b->len;
	strbuf_add(b, th->held.data + 1, th->held.len - 1);
	th->held.len = 0;
	return start;
}

static bool is_named_twice(const struct text_sink *t, const struct syscall_event *e)
{
	return t->config.arg_names && e->desc && e->desc->flags & SYSCALL_F_NAMED_TWICE &&
	       e->base.args[0].name;
}

/* Writes the name of the call, and the arguments that are known at syscall entry. */
static void put_call(struct text_sink *t, struct strbuf *b, const struct syscall_event *e,
		     struct text_thread *th)
{
	unsigned i;

	text_color(b, &t->style, COLOR_SYSCALL);
	strbuf_puts(b, e->base.name);
	text_punct(b, &t->style, "(");
	th->arg_begun = false;
	for (i = 0; i < e->base.nargs && e->base.args[i].in; i++) {
		const struct value *in = e->base.args[i].in;

		text_arg_begin(b, &t->style, e, i);
		if (in->flags & VALUE_F_OPEN) {
			text_open(b, &t->style, in, &th->part);
			th->arg_begun = true;
			break;
		}
		text_render(b, &t->style, in);
	}
	th->args_shown = i;
	if (i < e->base.nargs && e->base.args[i].begun) {
		text_arg_begin(b, &t->style, e, i);
		th->arg_begun = true;
	}
	if (unlikely(is_named_twice(t, e)) && !i && !th->arg_begun)
		text_arg_begin(b, &t->style, e, 0);
	text_color(b, &t->style, COLOR_RESET);
}

static void show_enter(struct text_sink *t, const struct syscall_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);
	size_t start;

	if (unlikely(!b) || t->config.muted)
		return;
	start = line_begin_held(t, th, b, e);
	put_call(t, b, e, th);
	th->column = text_width(&t->style, b, start);
	th->interrupted = false;
	th->log->writing = th;
	log_commit(t, th->log);
}

static void keep_leader(struct text_sink *t, const struct syscall_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);

	th->held.len = 0;
	th->held_lost = false;
	if (t->config.muted)
		return;
	strbuf_putc(&th->held,
		    /*
		     * the buffer must not be empty, because an empty buffer means that no call is
		     * waiting
		     */
		    ' ');
	text_leader(&th->held, &t->leader, &e->base, !e->unknown);
}

/*
 * Writes argument `i` at syscall exit. If `begun` is set, omits the part that was written at entry.
 */
static attr_noinline void put_rest(struct text_sink *t, struct strbuf *b,
				   const struct syscall_event *e, unsigned i,
				   const struct text_thread *th, bool begun)
{
	const struct arg *a = &e->base.args[i];
	const struct value *v = a->out ? a->out : a->in;

	if (!v)
		return;
	if (!begun)
		text_arg_begin(b, &t->style, e, i);
	if (begun && !a->begun)
		text_go_on(b, &t->style, a->in, v, &th->part);
	else
		text_render(b, &t->style, v);
}

/*
 * Writes " <unfinished ...>" for a call during which its thread ended, unless the exit of
 * the call would have shown no further arguments.
 */
static void put_unfinished(struct strbuf *b, const struct syscall_event *e,
			   const struct text_thread *th)
{
	if (th->args_shown == e->base.nargs && !th->arg_begun && !e->exit_shows)
		return;
	strbuf_puts(b, " <unfinished ...>");
}

/* Ends a line and writes dumps and a stack after it. `dumps` and `stack` may be NULL. */
static attr_noinline void line_end_with_stack(struct text_sink *t, struct strbuf *b,
					      const struct dump *dumps, struct stack *stack)
{
	bool shown = stack && t->base.unwinder;

	if (shown && t->config.stack_line)
		text_stack_line(b, t->base.unwinder, stack);
	line_close(t, b);
	for (; dumps; dumps = dumps->next)
		text_dump(b, &t->style, dumps);
	if (shown && !t->config.stack_line)
		text_stack(b, &t->style, t->base.unwinder, stack);
}

/* Like line_end_with_stack(), but writes the stack only with -k. */
static void line_end(struct text_sink *t, struct strbuf *b, const struct dump *dumps,
		     struct stack *stack)
{
	if (likely(!dumps && !stack))
		line_close(t, b);
	else
		line_end_with_stack(t, b, dumps, t->config.stacks ? stack : NULL);
}

/* Begins a line for an earlier call. The line shows the call's start time plus its duration. */
static attr_noinline size_t line_begin_later(struct text_sink *t, struct text_thread *th,
					     struct strbuf *b, const struct syscall_event *e)
{
	struct event now = e->base;

	now.time = timespec_add(now.time, e->base.duration);
	now.mono = timespec_add(now.mono, e->base.duration);
	return line_begin(t, th, b, &now, true);
}

static void put_waker(struct text_sink *t, struct strbuf *b, const struct wakeup *woken)
{
	text_waker(b, &t->style, woken);
	if (t->config.stacks && woken->stack && t->base.unwinder)
		text_place(b, t->base.unwinder, woken->stack);
}

/* Writes " <0.000012>". `woken` may be NULL. */
static attr_noinline void put_duration(struct text_sink *t, struct strbuf *b,
				       const struct timespec *d, const struct wakeup *woken)
{
	strbuf_putc(b, ' ');
	text_color(b, &t->style, COLOR_RETVAL);
	text_punct(b, &t->style, "<");
	strbuf_udec(b, d->tv_sec);
	text_fraction(b, d->tv_nsec, t->config.durations_unit);
	if (unlikely(woken))
		put_waker(t, b, woken);
	text_punct(b, &t->style, ">");
	text_color(b, &t->style, COLOR_RESET);
}

static void show_exit(struct text_sink *t, const struct syscall_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);
	size_t start, column = 0;

	if (unlikely(!b) || t->config.muted)
		return;
	if (th->held_lost) {
		start = line_begin_later(t, th, b, e);
		text_resumed(b, e);
		th->args_shown = e->base.nargs;
		th->arg_begun = false;
		th->held_lost = false;
	} else if (th->log->writing != th && !th->interrupted) {
		/* The call was not shown at its entry, or it began before tracing started. */
		start = line_begin_held(t, th, b, e);
		put_call(t, b, e, th);
	} else if (th->log->writing == th) {
		start = b->len;
		column = th->column;
	} else {
		start = line_begin_later(t, th, b, e);
		text_resumed(b, e);
	}
	if (unlikely(is_named_twice(t, e)) && (th->args_shown || th->arg_begun) &&
	    e->base.ret_kind != RET_NONE)
		text_name(b, &t->style, e->base.args[0].name);
	if (e->base.ret_kind == RET_NONE)
		put_unfinished(b, e, th);
	else
		for (unsigned i = th->args_shown; i < e->base.nargs; i++)
			put_rest(t, b, e, i, th, th->arg_begun && i == th->args_shown);
	text_color(b, &t->style, COLOR_PUNCT);
	strbuf_putc(b, ')');
	text_color(b, &t->style, COLOR_RESET);
	column += text_width(&t->style, b, start);
	strbuf_pad(b, ' ', column < t->config.column ? t->config.column - column : 1);
	text_call_result(b, &t->style, e);
	if (t->config.durations && e->base.ret_kind != RET_NONE)
		put_duration(t, b, &e->base.duration, e->woken);
	/*
	 * If the thread ended during the call, its stack comes after the last line of the thread.
	 */
	if (e->base.ret_kind == RET_NONE)
		line_end(t, b, NULL, NULL);
	else
		line_end(t, b, e->dumps, e->base.stack);
	th->log->writing = NULL;
	th->interrupted = false;
	log_commit(t, th->log);
}

static void show_signal(struct text_sink *t, const struct signal_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);

	if (unlikely(!b) || t->config.muted)
		return;
	line_begin(t, th, b, &e->base, true);
	strbuf_puts(b, "--- ");
	text_signal_name(b, e->sig);
	if (e->base.args[0].in) {
		strbuf_putc(b, ' ');
		text_render(b, &t->style, e->base.args[0].in);
	}
	strbuf_puts(b, " ---");
	line_end(t, b, NULL, e->base.stack);
	log_commit(t, th->log);
}

/*
 * Ends any unfinished line, and writes the stack of a call that never returned. Returns false if
 * there is no stack, or if stacks are not shown on separate lines.
 */
static bool put_left_stack(struct text_sink *t, struct text_thread *th, struct strbuf *b,
			   struct stack *stack)
{
	if (!stack || !t->config.stacks || t->config.stack_line)
		return false;
	line_interrupt(t, th->log, b);
	text_stack(b, &t->style, t->base.unwinder, stack);
	log_commit(t, th->log);
	return true;
}

static void show_process(struct text_sink *t, const struct process_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);
	struct stack *stack = e->base.stack;

	if (unlikely(!b) || (t->config.muted && e->kind != PROCESS_PERSONALITY))
		return;
	switch (e->kind) {
	case PROCESS_EXITED:
		if (t->config.quiet_exit) {
			put_left_stack(t, th, b, stack);
			return;
		}
		line_begin(t, th, b, &e->base, false);
		strbuf_puts(b, "+++ exited with ");
		strbuf_dec(b, e->code);
		strbuf_puts(b, " +++");
		break;
	case PROCESS_KILLED:
		line_begin(t, th, b, &e->base, false);
		strbuf_puts(b, "+++ killed by ");
		text_signal_name(b, e->code);
		strbuf_puts(b, e->core_dumped ? " (core dumped) +++" : " +++");
		break;
	case PROCESS_STOPPED:
		line_begin(t, th, b, &e->base, true);
		strbuf_puts(b, "--- stopped by ");
		text_signal_name(b, e->code);
		strbuf_puts(b, " ---");
		break;
	case PROCESS_SUPERSEDED:
		if (th->log->writing && th->log->writing->tid == e->code)
			line_pid_changed(t, th->log->writing, e->base.tid);
		if (put_left_stack(t, th, b, stack))
			stack = NULL;
		if (t->config.quiet_superseded)
			return;
		/*
		 * The thread that called execve has taken over this id, so there is one thread
		 * fewer.
		 */
		t->leader.threads--;
		line_begin(t, th, b, &e->base, true);
		t->leader.threads++;
		strbuf_puts(b, "+++ superseded by execve in pid ");
		strbuf_dec(b, e->code);
		strbuf_puts(b, " +++");
		break;
	case PROCESS_DETACHED:
		/*
		 * The detachment is shown only in an unfinished line. Otherwise, a message on
		 * stderr reports it.
		 */
		if (th->log->writing != th)
			return;
		strbuf_puts(b, " <detached ...>\n");
		th->log->writing = NULL;
		log_commit(t, th->log);
		return;
	case PROCESS_LEFT:
		/* If the line of this thread is unfinished, leave it as it is. */
		if (th->log->writing == th)
			th->log->writing = NULL;
		return;
	case PROCESS_PERSONALITY:
		line_begin(t, th, b, &e->base, true);
		strbuf_puts(b, "[ Process PID=");
		strbuf_dec(b, e->base.tid);
		strbuf_puts(b, " runs in ");
		strbuf_puts(b, abis[e->code].personality);
		strbuf_puts(b, " mode. ]");
		break;
	case PROCESS_ATTACHED:
	case PROCESS_FORKED:
	case PROCESS_EXEC:
		return;
	}
	line_end(t, b, NULL, stack);
	log_commit(t, th->log);
}

static void show_blocked(struct text_sink *t, const struct syscall_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);

	if (unlikely(!b))
		return;
	line_begin_later(t, th, b, e);
	strbuf_puts(b, e->at_least ? "--- blocked for at least " : "--- blocked for ");
	strbuf_udec(b, e->base.duration.tv_sec);
	text_fraction(b, e->base.duration.tv_nsec, UNIT_MS);
	strbuf_puts(b, " s in ");
	strbuf_puts(b, e->base.name);
	text_punct(b, &t->style, "(");
	for (unsigned i = 0; i < e->base.nargs && e->base.args[i].in; i++) {
		struct text_part part;

		text_arg_begin(b, &t->style, e, i);
		if (e->base.args[i].in->flags & VALUE_F_OPEN)
			text_open(b, &t->style, e->base.args[i].in, &part);
		else
			text_render(b, &t->style, e->base.args[i].in);
	}
	text_color(b, &t->style, COLOR_PUNCT);
	strbuf_puts(b, ") ---");
	line_end_with_stack(t, b, NULL, e->base.stack);
	log_commit(t, th->log);
}

/* Writes the command line of a process before its first thread is shown. */
static void show_command(struct text_sink *t, struct text_thread *th, struct strbuf *b,
			 const struct syscall_event *call)
{
	if (t->snapshot_process == call->base.tgid || !foreign_given(call->snapshot->command))
		return;
	t->snapshot_process = call->base.tgid;
	line_begin(t, th, b, &call->base, true);
	strbuf_puts(b, "--- process ");
	strbuf_dec(b, call->base.tgid);
	strbuf_puts(b, ": ");
	escape_foreign(b, call->snapshot->command);
	strbuf_puts(b, " ---");
	line_end(t, b, NULL, NULL);
}

static void show_snapshot(struct text_sink *t, const struct syscall_event *call)
{
	struct text_thread *th = text_thread(t, &call->base);
	struct strbuf *b = log_buf(th->log);

	if (unlikely(!b))
		return;
	show_command(t, th, b, call);
	line_begin(t, th, b, &call->base, true);
	text_snapshot(b, &t->style, call);
	line_end(t, b, NULL, call->base.stack);
	log_commit(t, th->log);
}

static void show_lost(struct text_sink *t, const struct lost_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);

	if (unlikely(!b) || t->config.muted)
		return;
	line_begin(t, th, b, &e->base, false);
	text_lost(b, e);
	line_end(t, b, NULL, NULL);
	log_commit(t, th->log);
}

static void show_other(struct text_sink *t, const struct event *e)
{
	struct text_thread *th = text_thread(t, e);
	struct strbuf *b = log_buf(th->log);

	if (unlikely(!b) || t->config.muted)
		return;
	line_begin(t, th, b, e, false);
	text_other(b, &t->style, e);
	if (t->config.durations && e->has_duration)
		put_duration(t, b, &e->duration, NULL);
	line_end(t, b, NULL, e->stack);
	log_commit(t, th->log);
}

/*
 * Writes a completed request of an io_uring. The line has the time of the completion, so that the
 * times of lines do not go backwards.
 */
static void show_request(struct text_sink *t, const struct syscall_event *e)
{
	struct text_thread *th = text_thread(t, &e->base);
	struct strbuf *b = log_buf(th->log);

	if (unlikely(!b) || t->config.muted)
		return;
	line_begin_later(t, th, b, e);
	text_request(b, &t->style, e);
	if (t->config.durations && e->base.ret_kind != RET_NONE)
		put_duration(t, b, &e->base.duration, NULL);
	line_end(t, b, e->dumps, e->base.stack);
	log_commit(t, th->log);
}

static void text_event(struct sink *s, const struct event *e)
{
	struct text_sink *t = text_of(s);

	switch (e->kind) {
	case EVENT_SYSCALL:
		show_exit(t, event_syscall(e));
		break;
	case EVENT_ENTER:
		show_enter(t, event_syscall(e));
		break;
	case EVENT_HOLD:
		keep_leader(t, event_syscall(e));
		break;
	case EVENT_BLOCKED:
		show_blocked(t, event_syscall(e));
		break;
	case EVENT_SNAPSHOT:
		show_snapshot(t, event_syscall(e));
		break;
	case EVENT_SIGNAL:
		show_signal(t, event_signal(e));
		break;
	case EVENT_PROCESS:
		show_process(t, event_process(e));
		break;
	case EVENT_LOST:
		show_lost(t, event_lost(e));
		break;
	case EVENT_OTHER:
		if (e->request)
			show_request(t, event_syscall(e));
		else
			show_other(t, e);
		break;
	case EVENT_COUNTS:
	case EVENT_UNFINISHED: /* PROCESS_DETACHED ends the line with " <detached ...>" */
	case EVENT_RUN:
		break;
	}
}

static void text_thread_begin(struct sink *s, const struct event *e)
{
	text_thread(text_of(s), e);
}

static void text_started(struct sink *s)
{
	struct text_sink *t = text_of(s);

	/* In a file, once a line contains a thread id, all later lines contain one, too. */
	if (t->config.path && !t->config.separately && t->leader.threads > 1)
		t->leader.pid_column = true;
}

static size_t text_write_kept(struct sink *s, uint64_t *seen)
{
	struct text_sink *t = text_of(s);
	struct strbuf *b = log_buf(&t->log);

	/* Show the known part of an unfinished call. */
	if (b && t->log.writing) {
		line_interrupt(t, &t->log, b);
		log_commit(t, &t->log);
	}
	return outputs_write_kept(t->outputs, seen);
}

static int text_flush(struct sink *s)
{
	return outputs_flush(text_of(s)->outputs);
}

static void thread_free(struct text_sink *t, struct text_thread *th)
{
	t->leader.threads -= th->tid != 0;
	if (t->recent == th)
		t->recent = NULL;
	if (th->log->writing == th) {
		/*
		 * tracer did not see the end of the thread, whose line is unfinished. End that
		 * line, so that the next line starts at the margin.
		 */
		line_interrupt(t, th->log, log_buf(th->log));
		log_commit(t, th->log);
	}
	outputs_put(t->outputs, th->log->out);
	strbuf_deinit(&th->held);
	free(th);
}

static void text_thread_end(struct sink *s, const struct event *e)
{
	struct text_sink *t = text_of(s);
	struct text_thread *th = threads_remove(&t->by_tid, e->tid);

	if (th)
		thread_free(t, th);
}

void text_sink_append(struct sink *s, const char *lines, size_t n)
{
	struct text_sink *t = text_of(s);
	struct output *out = outputs_get(t->outputs, 0, true);

	if (!out)
		return;
	strbuf_add(output_buf(out), lines, n);
	outputs_commit(t->outputs, out);
}

static int text_end(struct sink *s)
{
	struct text_sink *t = text_of(s);
	struct text_thread *th;
	int err;

	while ((th = threads_take(&t->by_tid)))
		thread_free(t, th);
	threads_deinit(&t->by_tid);
	err = outputs_close(t->outputs);
	palette_deinit(&t->palette);
	free(t);
	return err;
}

static const struct sink_ops text_ops = {
	.event = text_event,
	.thread_begin = text_thread_begin,
	.thread_end = text_thread_end,
	.thread_moved = text_thread_moved,
	.started = text_started,
	.write_kept = text_write_kept,
	.flush = text_flush,
	.end = text_end,
};

unsigned text_sink_wants(const struct text_config *config)
{
	unsigned wants = config->pid_comm ? WANTS_COMM : 0;

	if (config->absolute || config->relative || config->durations)
		wants |= WANTS_TIMES;
	return wants;
}

struct sink *text_sink_create(const struct text_config *config)
{
	struct text_sink *t = mem_zalloc(sizeof(*t));

	t->base.ops = &text_ops;
	t->config = *config;
	t->style.config = &t->config;
	text_leader_init(&t->leader, &t->config, &t->style);
	if (config->color)
		t->style.colors = t->palette.sequences;
	palette_init(&t->palette, getenv("STRACE_COLORS"));
	if (!config->path)
		t->config.separately = false;
	t->leader.pid_column =
		config->always_show_pid || (config->path && config->follow && !config->separately);
	t->outputs = outputs_create(
		&(struct outputs_config){.path = config->path ? config->path : config->default_path,
					 .append = config->append,
					 .separately = config->separately,
					 .lines = !config->muted,
					 .limits = config->limits});
	if (!t->outputs) {
		palette_deinit(&t->palette);
		free(t);
		return NULL;
	}
	t->base.unwatched = config->muted || outputs_unwatched(t->outputs);
	return &t->base;
}
