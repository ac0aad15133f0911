/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/chrome/chrome.h"

#include <stdlib.h>
#include <string.h>

#include "event/find.h"
#include "event/wakeup.h"
#include "sinks/json/json_text.h"
#include "sinks/output.h"
#include "sinks/threads.h"
#include "sinks/profile/stack_tree.h"
#include "util/clock.h"
#include "util/names.h"
#include "util/vec.h"

/*
 * Limit for times in nanoseconds. Later times are reduced to it. The limit is less than 2^53
 * microseconds, so a double can represent each whole microsecond.
 */
#define TIME_MAX (INT64_C(1) << 62)

struct chrome_sink {
	struct sink base;
	bool stacks;
	bool any;
	struct output *out;
	struct threads threads; /* values are struct chrome_thread */
	struct timespec start;	/* CLOCK_MONOTONIC time of the first event */
	uint64_t arrows;	/* number of arrows so far; also the id of the last arrow */
};

/*
 * A thread and the name of its track in the log. The thread's stack is shown as nested slices, one
 * per function. If two successive calls have the same outer functions, the slices of these
 * functions stay open. An open slice ends at last_end, unless the next call belongs to the slice.
 */
struct chrome_thread {
	pid_t tid, tgid;
	char comm[16];
	VEC(char *) open; /* the functions whose slices are open, outermost first */
	int64_t last_end; /* end of the last call, in nanoseconds since the start of the log */
	/* true if execve has replaced the program; the next call then closes all open slices */
	bool fresh;
};

static struct chrome_sink *chrome_of(struct sink *s)
{
	return container_of(s, struct chrome_sink, base);
}

/*
 * Begins a record on a new line, after a comma for the previous record. Returns the buffer of the
 * log. A file that is truncated at a line end lacks only the closing bracket, which readers accept.
 */
static struct strbuf *record_begin(struct chrome_sink *c, const char *phase)
{
	struct strbuf *b = output_buf(c->out);

	strbuf_putc(b, c->any ? ',' : '[');
	c->any = true;
	strbuf_puts(b, "{\"ph\":\"");
	strbuf_puts(b, phase);
	strbuf_putc(b, '"');
	return b;
}

static void put_thread(struct strbuf *b, pid_t pid, pid_t tid)
{
	strbuf_puts(b, ",\"pid\":");
	strbuf_dec(b, pid);
	strbuf_puts(b, ",\"tid\":");
	strbuf_dec(b, tid);
}

static void record_end(struct chrome_sink *c, struct strbuf *b)
{
	strbuf_puts(b, "}\n");
	output_commit(c->out);
}

static void put_micros(struct strbuf *b, int64_t ns)
{
	char s[4] = {'.', '0' + ns / 100 % 10, '0' + ns / 10 % 10, '0' + ns % 10};

	strbuf_udec(b, ns / 1000);
	strbuf_add(b, s, sizeof(s));
}

static void put_name(struct chrome_sink *c, const char *what, const struct chrome_thread *th)
{
	struct strbuf *b = record_begin(c, "M");

	put_thread(b, th->tgid, th->tid);
	strbuf_puts(b, ",\"name\":\"");
	strbuf_puts(b, what);
	strbuf_puts(b, "\",\"args\":{\"name\":");
	json_string(b, th->comm, strnlen(th->comm, sizeof(th->comm)));
	strbuf_putc(b, '}');
	record_end(c, b);
}

/*
 * Returns the thread of an event. Writes the name of its track if the thread is new or its name has
 * changed.
 */
static struct chrome_thread *chrome_thread(struct chrome_sink *c, const struct event *e)
{
	struct chrome_thread *th = threads_find(&c->threads, e->tid);

	if (unlikely(!th)) {
		th = mem_zalloc(sizeof(*th));
		threads_add(&c->threads, e->tid, th);
	}
	if (unlikely(th->tid != e->tid || th->tgid != e->tgid ||
		     memcmp(th->comm, e->comm, sizeof(th->comm)))) {
		th->tid = e->tid;
		th->tgid = e->tgid;
		memcpy(th->comm, e->comm, sizeof(th->comm));
		if (th->tid == th->tgid)
			put_name(c, "process_name", th);
		put_name(c, "thread_name", th);
	}
	return th;
}

/*
 * Returns the time of an event in the log, in ns. The first event is at time 0. If an event began
 * before the first one, returns 0.
 */
static int64_t since_start(struct chrome_sink *c, const struct event *e)
{
	if (!c->start.tv_sec && !c->start.tv_nsec)
		c->start = e->mono;
	return (int64_t)timespec_ns(timespec_sub(e->mono, c->start));
}

/*
 * Returns the part of an event's duration `ns` that is after time 0 of the log, in ns, at most
 * TIME_MAX.
 */
static uint64_t duration_in_log(const struct chrome_sink *c, const struct event *e, uint64_t ns)
{
	const uint64_t early = timespec_ns(timespec_sub(c->start, e->mono));

	return size_min(ns - size_min(ns, early), TIME_MAX);
}

static void put_common(struct chrome_sink *c, struct strbuf *b, const struct event *e,
		       const struct chrome_thread *th)
{
	put_thread(b, th->tgid, th->tid);
	strbuf_puts(b, ",\"ts\":");
	put_micros(b, since_start(c, e));
}

/*
 * slice_begin() begins a record about a slice and returns the buffer of the log. slice() writes the
 * whole record. The phase is "B" for the record that begins the slice, "E" for the record that ends
 * it, or "X" for a record with a duration; the ends of arrows have the phases "s" and "f". The
 * arguments of a slice are in its end record. If they were in the begin record, speedscope would
 * append them to the slice's name.
 */
static struct strbuf *slice_begin(struct chrome_sink *c, const struct chrome_thread *th,
				  const char *phase, int64_t ns, const char *category,
				  const char *name)
{
	struct strbuf *b = record_begin(c, phase);

	put_thread(b, th->tgid, th->tid);
	strbuf_puts(b, ",\"ts\":");
	put_micros(b, ns);
	strbuf_puts(b, ",\"cat\":\"");
	strbuf_puts(b, category);
	strbuf_puts(b, "\",\"name\":");
	json_string(b, name, strlen(name));
	return b;
}

static void slice(struct chrome_sink *c, const struct chrome_thread *th, const char *phase,
		  int64_t ns, const char *category, const char *name)
{
	record_end(c, slice_begin(c, th, phase, ns, category, name));
}

/* Closes the slices of all functions except the outermost `keep` functions. */
static void close_functions(struct chrome_sink *c, struct chrome_thread *th, size_t keep)
{
	while (th->open.n > keep) {
		char *name = th->open.v[--th->open.n];

		slice(c, th, "E", th->last_end, "function", name);
		free(name);
	}
}

static void open_function(struct chrome_sink *c, struct chrome_thread *th, int64_t ns,
			  const char *name)
{
	slice(c, th, "B", ns, "function", name);
	*vec_push(&th->open) = mem_strdup(name);
}

/*
 * Opens a slice for the next inner frame of a call's stack, unless it is open already. *depth is
 * the number of the call's frames so far, and is incremented.
 */
static void enter_function(struct chrome_sink *c, struct chrome_thread *th, int64_t ns,
			   const char *name, size_t *depth)
{
	size_t i = (*depth)++;

	if (i < th->open.n && !strcmp(th->open.v[i], name))
		return;
	close_functions(c, th, i);
	open_function(c, th, ns, name);
}

/* Closes and opens slices so that the open slices match the call's stack. */
static void put_functions(struct chrome_sink *c, struct chrome_thread *th, int64_t ns,
			  struct stack *stack)
{
	attr_cleanup(strbuf_deinit) struct strbuf name = {0};
	enum stack_status status;
	const struct frame *f;
	size_t n, depth = 0;

	if (!c->stacks || !c->base.unwinder)
		return;
	if (th->fresh || !stack)
		close_functions(c, th, 0);
	th->fresh = false;
	if (!stack)
		return;
	f = stack_frames(c->base.unwinder, stack, &n);
	status = stack_status(stack, NULL);
	/* The outer frames are unknown. Put the known frames into a separate slice. */
	if (status != STACK_COMPLETE) {
		strbuf_printf(&name, "[%s]", stack_status_text(status));
		enter_function(c, th, ns, strbuf_str(&name), &depth);
	}
	while (n--) {
		name.len = 0;
		frame_name(&name, &f[n]);
		enter_function(c, th, ns, strbuf_str(&name), &depth);
	}
	close_functions(c, th, depth);
}

static void chrome_thread_free(struct chrome_sink *c, struct chrome_thread *th)
{
	if (!th)
		return;
	close_functions(c, th, 0);
	vec_deinit(&th->open);
	free(th);
}

/* Adds the frames as strings of the form "symbol+0x1f (module)", which trace viewers can show. */
static void put_stack(struct chrome_sink *c, struct strbuf *b, struct stack *stack)
{
	struct strbuf text = {0};
	const struct frame *f;
	enum stack_status status;
	size_t n;

	if (!stack || !c->stacks || !c->base.unwinder)
		return;
	f = stack_frames(c->base.unwinder, stack, &n);
	status = stack_status(stack, NULL);
	strbuf_puts(b, ",\"stack\":[");
	for (size_t i = 0; i < n; i++, f++) {
		text.len = 0;
		frame_name(&text, f);
		if (f->symbol && !f->inlined) {
			strbuf_putc(&text, '+');
			strbuf_hex(&text, f->offset);
		}
		if (f->module) {
			strbuf_puts(&text, " (");
			strbuf_puts(&text, f->module);
			strbuf_putc(&text, ')');
		}
		if (i)
			strbuf_putc(b, ',');
		json_string(b, text.data, text.len);
	}
	strbuf_puts(b, "],\"stack_status\":");
	json_cstring(b, stack_status_key(status));
	strbuf_deinit(&text);
}

static void put_ret(struct strbuf *b, const struct event *e, const struct syscall_desc *desc)
{
	const char *error = NULL;

	strbuf_puts(b, ",\"ret\":");
	json_ret(b, e, desc);
	if (e->ret_kind == RET_ERROR || e->ret_kind == RET_RESTART)
		error = errno_name(e->ret);
	if (error) {
		strbuf_puts(b, ",\"error\":");
		json_cstring(b, error);
	}
}

/*
 * Writes one end of an arrow at the time `ns`. Viewers attach the end to the slice that is open at
 * that time.
 */
static void put_arrow_end(struct chrome_sink *c, const struct chrome_thread *th, const char *phase,
			  const struct wakeup *w, int64_t ns)
{
	struct strbuf *b = slice_begin(c, th, phase, ns > 0 ? ns : 0, "wakeup",
				       w->inferred ? "wakeup (inferred)" : "wakeup");

	strbuf_printf(b, ",\"bp\":\"e\",\"id\":%llu", (unsigned long long)c->arrows);
	record_end(c, b);
}

/*
 * Writes a short slice for the waker if no call of the waker is known to have ended the wait,
 * because the waker exited or is not traced. Viewers do not draw an arrow that begins outside a
 * slice.
 */
static void put_waker_slice(struct chrome_sink *c, const struct chrome_thread *waker,
			    const struct wakeup *w, int64_t ns)
{
	const bool exits = w->call && !strncmp(w->call, "exit", strlen("exit"));
	struct strbuf *b;

	if (w->call && !exits)
		return;
	b = slice_begin(c, waker, "X", ns > 0 ? ns : 0, "wakeup", exits ? "exit" : "wakeup");
	strbuf_puts(b, ",\"dur\":0.001");
	record_end(c, b);
}

/*
 * Draws an arrow from the call that ended a wait to the end of the slice of the call that waited.
 * Does nothing if no thread ended the wait.
 */
static void put_arrow(struct chrome_sink *c, const struct chrome_thread *th, const struct wakeup *w,
		      int64_t end)
{
	const struct chrome_thread waker = {.tid = w->tid, .tgid = w->tgid};
	const int64_t at = w->at - (int64_t)timespec_ns(c->start);

	if (!w->tid)
		return;
	c->arrows++;
	/*
	 * Viewers need a slice that is open at the time of the arrow. Therefore use times just
	 * before the ends of the calls.
	 */
	put_waker_slice(c, &waker, w, at < end ? at - 1 : end - 1);
	put_arrow_end(c, &waker, "s", w, at < end ? at - 1 : end - 1);
	put_arrow_end(c, th, "f", w, end - 1);
}

static void put_syscall(struct chrome_sink *c, const struct syscall_event *e)
{
	struct chrome_thread *th = chrome_thread(c, &e->base);
	bool execs = event_is_execve(e);
	bool fresh = th->fresh;
	int64_t begin = since_start(c, &e->base), end;
	const bool unfinished = e->base.kind == EVENT_UNFINISHED;
	struct strbuf name = {0}, *b;

	/* The execve itself is the last call of the old program, so keep the slices open. */
	th->fresh = fresh && !execs;
	if (begin < th->last_end)
		begin = th->last_end;
	if (begin > TIME_MAX)
		begin = TIME_MAX;
	end = begin +
	      (int64_t)size_min(duration_in_log(c, &e->base, event_weight(&e->base, WEIGHT_TIME)),
				TIME_MAX - (uint64_t)begin);
	/* Viewers cannot nest slices with a duration of 0, so use at least 1 ns. */
	end += end == begin;
	put_functions(c, th, begin, e->base.stack);
	strbuf_printf(&name, "%s%s", e->base.name, unfinished ? " (unfinished)" : "");
	slice(c, th, "B", begin, "syscall", strbuf_str(&name));
	b = slice_begin(c, th, "E", end, "syscall", strbuf_str(&name));
	strbuf_deinit(&name);
	strbuf_puts(b, ",\"args\":{\"args\":");
	json_args(b, &e->base);
	put_ret(b, &e->base, e->desc);
	if (unfinished)
		strbuf_puts(b, ",\"status\":\"unfinished\"");
	strbuf_putc(b, '}');
	record_end(c, b);
	if (e->woken)
		put_arrow(c, th, e->woken, end);
	th->last_end = end;
	th->fresh = fresh && execs;
}

static void put_instant(struct chrome_sink *c, const struct event *e, const char *category,
			const char *name, const char *detail)
{
	const struct chrome_thread *th = chrome_thread(c, e);
	struct strbuf *b = record_begin(c, "i");

	put_common(c, b, e, th);
	strbuf_puts(b, ",\"s\":\"t\",\"cat\":\"");
	strbuf_puts(b, category);
	strbuf_puts(b, "\",\"name\":\"");
	strbuf_puts(b, name);
	strbuf_puts(b, detail);
	strbuf_puts(b, "\",\"args\":{\"info\":");
	if (e->kind == EVENT_SIGNAL && e->args[0].in)
		json_value(b, e->args[0].in);
	else
		strbuf_puts(b, "null");
	put_stack(c, b, e->stack);
	strbuf_putc(b, '}');
	record_end(c, b);
}

static const char *signal_text(int sig)
{
	const char *name = signal_name(sig);

	return name ? name : "a signal";
}

static void put_signal(struct chrome_sink *c, const struct signal_event *e)
{
	put_instant(c, &e->base, "signal", signal_text(e->sig), "");
}

static void put_process(struct chrome_sink *c, const struct process_event *e)
{
	char code[24];
	struct strbuf b = {0};

	strbuf_dec(&b, e->code);
	memcpy(code, strbuf_str(&b), b.len + 1);
	strbuf_deinit(&b);
	switch (e->kind) {
	case PROCESS_EXITED:
		put_instant(c, &e->base, "process", "exited with ", code);
		break;
	case PROCESS_KILLED:
		put_instant(c, &e->base, "process", "killed by ", signal_text(e->code));
		break;
	case PROCESS_STOPPED:
		put_instant(c, &e->base, "process", "stopped by ", signal_text(e->code));
		break;
	case PROCESS_SUPERSEDED:
		put_instant(c, &e->base, "process", "superseded by execve in ", code);
		break;
	case PROCESS_ATTACHED:
		put_instant(c, &e->base, "process", "attached", "");
		break;
	case PROCESS_DETACHED:
		put_instant(c, &e->base, "process", "detached", "");
		break;
	case PROCESS_FORKED:
		put_instant(c, &e->base, "process", "forked ", code);
		break;
	case PROCESS_EXEC:
		chrome_thread(c, &e->base)->fresh = true;
		put_instant(c, &e->base, "process", "execve", "");
		break;
	case PROCESS_LEFT:
	case PROCESS_PERSONALITY:
		break;
	}
}

static void put_blocked(struct chrome_sink *c, const struct event *e)
{
	struct event later = *e;

	later.mono = timespec_add(later.mono, e->duration);
	put_instant(c, &later, "blocked", "blocked in ", e->name);
}

static void put_lost(struct chrome_sink *c, const struct lost_event *e)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};

	strbuf_udec(&b, e->count);
	strbuf_puts(&b, " events");
	put_instant(c, &e->base, "lost", "lost ", strbuf_str(&b));
}

/*
 * Writes an event that is not a syscall: as a slice if it has a duration, otherwise as an instant.
 */
static void put_other(struct chrome_sink *c, const struct event *e)
{
	const struct chrome_thread *th = chrome_thread(c, e);
	struct strbuf *b = record_begin(c, e->has_duration ? "X" : "i");

	put_common(c, b, e, th);
	if (e->has_duration) {
		strbuf_puts(b, ",\"dur\":");
		put_micros(b, (int64_t)duration_in_log(c, e, timespec_ns(e->duration)));
	} else {
		strbuf_puts(b, ",\"s\":\"t\"");
	}
	strbuf_puts(b, ",\"cat\":");
	json_string(b, e->source, strlen(e->source));
	strbuf_puts(b, ",\"name\":");
	json_string(b, e->name, strlen(e->name));
	strbuf_puts(b, ",\"args\":{\"args\":");
	json_args(b, e);
	if (e->ret_kind != RET_NONE)
		put_ret(b, e, NULL);
	put_stack(c, b, e->stack);
	strbuf_putc(b, '}');
	record_end(c, b);
}

static void chrome_event(struct sink *s, const struct event *e)
{
	struct chrome_sink *c = chrome_of(s);

	switch (e->kind) {
	case EVENT_SYSCALL:
	case EVENT_UNFINISHED:
		put_syscall(c, event_syscall(e));
		break;
	case EVENT_ENTER:
		/*
		 * Time 0 of the log is the beginning of the first call. A call is written when it
		 * ends, so store the time of its beginning now.
		 */
		since_start(c, e);
		break;
	case EVENT_SIGNAL:
		put_signal(c, event_signal(e));
		break;
	case EVENT_PROCESS:
		put_process(c, event_process(e));
		break;
	case EVENT_BLOCKED:
		put_blocked(c, e);
		break;
	case EVENT_LOST:
		put_lost(c, event_lost(e));
		break;
	case EVENT_OTHER:
		put_other(c, e);
		break;
	case EVENT_HOLD:
	case EVENT_SNAPSHOT:
	case EVENT_COUNTS:
	case EVENT_RUN:
		break;
	}
}

static void chrome_thread_end(struct sink *s, const struct event *e)
{
	struct chrome_sink *c = chrome_of(s);

	chrome_thread_free(c, threads_remove(&c->threads, e->tid));
}

static void chrome_thread_moved(struct sink *s, const struct event *e, pid_t from)
{
	struct chrome_sink *c = chrome_of(s);
	struct chrome_thread *th = threads_remove(&c->threads, from);

	if (!th)
		return;
	/*
	 * The thread gets another id and thus another track, so close its slices in the old track.
	 */
	close_functions(c, th, 0);
	threads_add(&c->threads, e->tid, th);
}

static int chrome_flush(struct sink *s)
{
	return output_flush(chrome_of(s)->out);
}

static int chrome_end(struct sink *s)
{
	struct chrome_sink *c = chrome_of(s);
	struct chrome_thread *th;
	int err;

	while ((th = threads_take(&c->threads)))
		chrome_thread_free(c, th);
	threads_deinit(&c->threads);
	strbuf_puts(output_buf(c->out), c->any ? "]\n" : "[]\n");
	err = output_close(c->out);
	free(c);
	return err;
}

static const struct sink_ops chrome_ops = {
	.event = chrome_event,
	.thread_end = chrome_thread_end,
	.thread_moved = chrome_thread_moved,
	.flush = chrome_flush,
	.end = chrome_end,
};

struct sink *chrome_sink_create(const struct sink_config *config)
{
	struct output *out = output_open(config->path, config->append);
	struct chrome_sink *c;

	if (!out)
		return NULL;
	c = mem_zalloc(sizeof(*c));
	c->base.ops = &chrome_ops;
	c->stacks = config->stacks;
	c->out = out;
	return &c->base;
}
