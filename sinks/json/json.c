/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/json/json.h"

#include <stdlib.h>

#include "event/wakeup.h"
#include "linux/arch/abi.h"
#include "sinks/json/json_once.h"
#include "sinks/json/json_result.h"
#include "sinks/json/json_stack.h"
#include "sinks/json/json_text.h"
#include "sinks/output.h"
#include "sinks/threads.h"
#include "util/names.h"

struct json_sink {
	struct sink base;
	struct sink_config config;
	struct outputs *outputs;
	struct threads threads; /* values are struct json_thread */
	struct json_once *once; /* state for --json-stacks=once, or NULL */
	/*
	 * With --json-stacks=once: the numbers of the current event's stack and of its waker's
	 * stack, or 0.
	 */
	uint64_t stack, waker_stack;
	/* Text of "time" without the fraction, cached for the events in the same second. */
	time_t second;
	char seconds[24];
	size_t seconds_len;
};

/* A thread: its log and its identity in events. */
struct json_thread {
	struct output *out;
	/*
	 * Text of the members with the thread's identity: ,"pid":12,"tid":13,"comm":"app". With
	 * --json-stacks=once, ,"run":1 precedes them.
	 */
	struct strbuf who;
	pid_t tid, tgid;
	char comm[16];
};

static struct json_sink *json_of(struct sink *s)
{
	return container_of(s, struct json_sink, base);
}

static struct json_thread *json_thread(struct json_sink *j, const struct event *e)
{
	struct json_thread *th = threads_find(&j->threads, e->tid);

	if (unlikely(!th)) {
		th = mem_zalloc(sizeof(*th));
		threads_add(&j->threads, e->tid, th);
		th->out = outputs_get(j->outputs, e->tid, false);
	}
	if (unlikely(!th->who.len || th->tid != e->tid || th->tgid != e->tgid ||
		     memcmp(th->comm, e->comm, sizeof(th->comm)))) {
		th->tid = e->tid;
		th->tgid = e->tgid;
		memcpy(th->comm, e->comm, sizeof(th->comm));
		th->who.len = 0;
		if (j->once) {
			strbuf_puts(&th->who, ",\"run\":");
			strbuf_udec(&th->who, json_once_run_of(j->once, th->tid));
		}
		strbuf_puts(&th->who, ",\"pid\":");
		strbuf_dec(&th->who, th->tgid);
		strbuf_puts(&th->who, ",\"tid\":");
		strbuf_dec(&th->who, th->tid);
		strbuf_putc(&th->who, ',');
		json_text_member(&th->who, "comm", th->comm, strnlen(th->comm, sizeof(th->comm)));
	}
	return th;
}

static void put_time(struct json_sink *j, struct strbuf *b, const struct timespec *t)
{
	char s[7] = ".";
	long usec = t->tv_nsec / 1000;

	if (unlikely(t->tv_sec != j->second || !j->seconds_len)) {
		struct strbuf text = {0};

		strbuf_udec(&text, t->tv_sec);
		j->seconds_len = size_min(text.len, sizeof(j->seconds));
		memcpy(j->seconds, text.data, j->seconds_len);
		j->second = t->tv_sec;
		strbuf_deinit(&text);
	}
	strbuf_add(b, j->seconds, j->seconds_len);
	for (unsigned i = 6; i > 0; i--, usec /= 10)
		s[i] = '0' + usec % 10;
	strbuf_add(b, s, sizeof(s));
}

/*
 * With --json-stacks=once, writes the lines for a stack and returns its number. Otherwise, or if
 * there is no stack, returns 0.
 */
static uint64_t put_stack_once(struct json_sink *j, struct strbuf *b, const struct event *e,
			       struct stack *stack)
{
	if (!j->once || !j->config.stacks || !stack || !j->base.unwinder)
		return 0;
	return json_once_stack(j->once, b, json_once_run_of(j->once, e->tid), j->base.unwinder,
			       stack);
}

/*
 * Begins the object of an event: {"type":TYPE,"time":…,"pid":…,"tid":…,"comm":…. With
 * --json-stacks=once, first writes the lines for the stacks of the event and of its waker. Sets
 * *out to the thread's log. Returns the buffer of the log, or NULL if the log could not be opened.
 */
static struct strbuf *object_begin(struct json_sink *j, const char *type, const struct event *e,
				   struct output **out)
{
	struct json_thread *th = json_thread(j, e);
	struct strbuf *b;

	*out = th->out;
	if (unlikely(!th->out))
		return NULL;
	b = output_buf(th->out);
	j->stack = put_stack_once(j, b, e, e->stack);
	j->waker_stack = 0;
	if (unlikely(e->kind == EVENT_SYSCALL && event_syscall(e)->woken))
		j->waker_stack = put_stack_once(j, b, e, event_syscall(e)->woken->stack);
	strbuf_puts(b, "{\"type\":\"");
	strbuf_puts(b, type);
	strbuf_puts(b, "\",\"time\":");
	put_time(j, b, &e->time);
	strbuf_add(b, th->who.data, th->who.len);
	if (unlikely(e->secontext)) {
		strbuf_putc(b, ',');
		json_text_member(b, "secontext", e->secontext, strlen(e->secontext));
	}
	return b;
}

/*
 * Adds a stack to the object that is being written or, if `number` is not 0, only this number of
 * the stack.
 */
static void put_stack(struct json_sink *j, struct strbuf *b, struct stack *stack, uint64_t number)
{
	if (number) {
		strbuf_puts(b, ",\"stack_id\":");
		strbuf_udec(b, number);
	} else if (j->config.stacks && stack && j->base.unwinder) {
		json_stack(b, j->base.unwinder, stack);
	}
}

static void object_end(struct json_sink *j, struct strbuf *b, struct output *out,
		       const struct event *e)
{
	put_stack(j, b, e->stack, j->stack);
	strbuf_puts(b, "}\n");
	outputs_commit(j->outputs, out);
}

/* Adds the dumps of -e read= and -e write=, and the values of -e kvm=vcpu+. */
static void put_dumps(struct strbuf *b, const struct dump *dumps)
{
	if (!dumps)
		return;
	strbuf_puts(b, ",\"dumps\":[");
	for (const struct dump *d = dumps; d; d = d->next) {
		strbuf_puts(b, d == dumps ? "{" : ",{");
		if (d->index >= 0) {
			strbuf_puts(b, "\"buffer\":");
			json_uint(b, d->index);
			strbuf_putc(b, ',');
		}
		if (d->value) {
			strbuf_puts(b, "\"name\":");
			json_string(b, d->heading, strlen(d->heading));
			strbuf_puts(b, ",\"value\":");
			json_value(b, d->value);
		} else {
			json_text_member(b, "data", (const char *)d->bytes, d->len);
		}
		strbuf_putc(b, '}');
	}
	strbuf_putc(b, ']');
}

static void put_call(struct strbuf *b, const struct syscall_event *e)
{
	strbuf_puts(b, ",\"nr\":");
	strbuf_dec(b, (int64_t)e->base.nr);
	strbuf_puts(b, ",\"name\":\"");
	strbuf_puts(b, e->base.name);
	strbuf_puts(b, "\",\"abi\":\"");
	strbuf_puts(b, e->abi ? e->abi->name : "unknown");
	strbuf_puts(b, "\",\"args\":");
	json_args(b, &e->base);
}

/* Adds the cause of a wake-up and, if known, the thread and call that caused it. */
static void put_wakeup(struct json_sink *j, struct strbuf *b, const struct wakeup *w)
{
	strbuf_printf(b, ",\"woken_by\":{\"cause\":\"%s\",\"inferred\":%s",
		      wake_cause_name(w->cause), w->inferred ? "true" : "false");
	if (w->tid) {
		strbuf_printf(b, ",\"pid\":%d,\"tid\":%d,", (int)w->tgid, (int)w->tid);
		json_text_member(b, "comm", w->comm, strnlen(w->comm, sizeof(w->comm)));
	}
	if (w->call) {
		strbuf_puts(b, ",\"call\":");
		json_cstring(b, w->call);
	}
	put_stack(j, b, w->stack, j->waker_stack);
	strbuf_putc(b, '}');
}

static void put_syscall(struct json_sink *j, const struct syscall_event *e)
{
	struct output *out;
	struct strbuf *b = object_begin(j, "syscall", &e->base, &out);

	if (unlikely(!b))
		return;
	put_call(b, e);
	json_call_result(b, e);
	put_dumps(b, e->dumps);
	strbuf_puts(b, ",\"duration\":");
	if (e->base.ret_kind == RET_NONE && !e->base.has_duration)
		strbuf_puts(b, "null");
	else
		json_time(b, &e->base.duration, 9);
	if (unlikely(e->woken))
		put_wakeup(j, b, e->woken);
	object_end(j, b, out, &e->base);
}

static void put_blocked(struct json_sink *j, const struct syscall_event *e)
{
	struct output *out;
	struct strbuf *b = object_begin(j, "blocked", &e->base, &out);

	if (unlikely(!b))
		return;
	put_call(b, e);
	strbuf_puts(b, ",\"blocked_for\":");
	json_time(b, &e->base.duration, 9);
	object_end(j, b, out, &e->base);
}

static void put_snapshot(struct json_sink *j, const struct syscall_event *call)
{
	const struct snapshot *e = call->snapshot;
	struct output *out;
	struct strbuf *b = object_begin(j, "snapshot", &call->base, &out);
	char state[] = {e->state, 0};

	if (unlikely(!b))
		return;
	strbuf_puts(b, ",\"state\":");
	if (e->state)
		json_cstring(b, state);
	else
		strbuf_puts(b, "null");
	if (e->in_call)
		put_call(b, call);
	strbuf_puts(b, ",\"asleep\":");
	if (e->knows_asleep)
		json_time(b, &call->base.duration, 9);
	else
		strbuf_puts(b, "null");
	strbuf_puts(b, ",\"lock_holder\":");
	if (e->holder)
		strbuf_dec(b, e->holder);
	else
		strbuf_puts(b, "null");
	strbuf_puts(b, ",\"joined_thread\":");
	if (e->joined)
		strbuf_dec(b, e->joined);
	else
		strbuf_puts(b, "null");
	strbuf_puts(b, ",\"watched\":");
	if (e->watched)
		json_value(b, e->watched);
	else
		strbuf_puts(b, "null");
	strbuf_putc(b, ',');
	json_foreign_member(b, "command_line", e->command);
	object_end(j, b, out, &call->base);
}

static void put_signal_event(struct json_sink *j, const struct signal_event *e)
{
	struct output *out;
	struct strbuf *b = object_begin(j, "signal", &e->base, &out);

	if (unlikely(!b))
		return;
	strbuf_puts(b, ",\"signal\":");
	json_name(b, signal_name(e->sig), e->sig);
	strbuf_puts(b, ",\"info\":");
	if (e->base.args[0].in)
		json_value(b, e->base.args[0].in);
	else
		strbuf_puts(b, "null");
	object_end(j, b, out, &e->base);
}

static void put_process(struct json_sink *j, const struct process_event *e)
{
	static const struct {
		const char *type, *key;
	} kinds[] = {
		[PROCESS_EXITED] = {"exit", ",\"exit_status\":"},
		[PROCESS_KILLED] = {"exit", ",\"signal\":"},
		[PROCESS_STOPPED] = {"stop", ",\"signal\":"},
		[PROCESS_SUPERSEDED] = {"exec", ",\"superseded_by\":"},
		[PROCESS_ATTACHED] = {"attach", NULL},
		[PROCESS_DETACHED] = {"detach", NULL},
		[PROCESS_FORKED] = {"fork", ",\"child\":"},
		[PROCESS_EXEC] = {"exec", NULL},
	};
	struct output *out;
	struct strbuf *b;

	if (e->kind == PROCESS_LEFT)
		return;
	if (e->kind == PROCESS_PERSONALITY) /* Ignore this event, because every syscall event
					       contains its ABI. */
		return;
	if (e->kind == PROCESS_EXITED && j->config.quiet_exit)
		return;
	b = object_begin(j, kinds[e->kind].type, &e->base, &out);
	if (unlikely(!b))
		return;
	if (kinds[e->kind].key)
		strbuf_puts(b, kinds[e->kind].key);
	if (e->kind == PROCESS_KILLED || e->kind == PROCESS_STOPPED)
		json_name(b, signal_name(e->code), e->code);
	else if (kinds[e->kind].key)
		strbuf_dec(b, e->code);
	if (e->kind == PROCESS_KILLED)
		strbuf_puts(b, e->core_dumped ? ",\"core_dumped\":true" : ",\"core_dumped\":false");
	object_end(j, b, out, &e->base);
}

static void put_lost(struct json_sink *j, const struct lost_event *e)
{
	struct output *out;
	struct strbuf *b = object_begin(j, "lost", &e->base, &out);

	if (unlikely(!b))
		return;
	strbuf_puts(b, ",\"count\":");
	strbuf_udec(b, e->count);
	strbuf_puts(b, ",\"cause\":");
	json_foreign(b, e->cause);
	object_end(j, b, out, &e->base);
}

static void put_run(struct json_sink *j, const struct run_event *e)
{
	struct output *out;

	if (!j->once)
		return;
	out = outputs_get(j->outputs, 0, false);
	if (!out)
		return;
	json_once_run(j->once, output_buf(out), e);
	outputs_commit(j->outputs, out);
	outputs_put(j->outputs, out);
}

static void put_request(struct strbuf *b, const struct ring_request *r)
{
	strbuf_puts(b, ",\"ring\":");
	if (r->ring == RING_UNKNOWN)
		strbuf_puts(b, "null");
	else
		strbuf_dec(b, r->ring);
	strbuf_puts(b, ",\"request\":");
	json_uint(b, r->number);
	strbuf_puts(b, ",\"user_data\":");
	json_addr(b, r->user_data);
	strbuf_puts(b, ",\"sqe_flags\":");
	json_uint(b, r->flags);
	strbuf_puts(b, ",\"chain\":");
	if (r->chain)
		json_uint(b, r->chain);
	else
		strbuf_puts(b, "null");
	strbuf_puts(b, ",\"cqe_flags\":");
	json_uint(b, r->cqe_flags);
	strbuf_puts(b, r->direct ? ",\"direct\":true" : ",\"direct\":false");
	if (r->punted)
		strbuf_puts(b, ",\"punted\":true");
}

/* Writes an event from another source. */
static void put_other(struct json_sink *j, const struct event *e)
{
	attr_cleanup(strbuf_deinit) struct strbuf type = {0};
	struct output *out;
	struct strbuf *b;

	/* Escape the source, because it may come from a trace. object_begin() adds the quotes. */
	json_string(&type, e->source, strlen(e->source));
	type.len--;
	b = object_begin(j, strbuf_str(&type) + 1, e, &out);
	if (unlikely(!b))
		return;
	if (e->request)
		put_request(b, e->request);
	strbuf_puts(b, ",\"name\":");
	json_string(b, e->name, strlen(e->name));
	strbuf_puts(b, ",\"args\":");
	json_args(b, e);
	if (e->request)
		json_call_result(b, event_syscall(e));
	else if (e->ret_kind != RET_NONE)
		json_result(b, e, NULL);
	if (e->has_duration) {
		strbuf_puts(b, ",\"duration\":");
		json_time(b, &e->duration, 9);
	}
	object_end(j, b, out, e);
}

static void json_event(struct sink *s, const struct event *e)
{
	struct json_sink *j = json_of(s);

	switch (e->kind) {
	case EVENT_SYSCALL:
	case EVENT_UNFINISHED:
		put_syscall(j, event_syscall(e));
		break;
	case EVENT_ENTER:
	case EVENT_HOLD:
	case EVENT_COUNTS:
		break;
	case EVENT_BLOCKED:
		put_blocked(j, event_syscall(e));
		break;
	case EVENT_SNAPSHOT:
		put_snapshot(j, event_syscall(e));
		break;
	case EVENT_SIGNAL:
		put_signal_event(j, event_signal(e));
		break;
	case EVENT_PROCESS:
		put_process(j, event_process(e));
		break;
	case EVENT_LOST:
		put_lost(j, event_lost(e));
		break;
	case EVENT_RUN:
		put_run(j, event_run(e));
		break;
	case EVENT_OTHER:
		put_other(j, e);
		break;
	}
}

static void thread_free(struct json_sink *j, struct json_thread *th)
{
	outputs_put(j->outputs, th->out);
	strbuf_deinit(&th->who);
	free(th);
}

static void json_thread_end(struct sink *s, const struct event *e)
{
	struct json_sink *j = json_of(s);
	struct json_thread *th = threads_remove(&j->threads, e->tid);

	if (th)
		thread_free(j, th);
}

/* Gives the thread with the id `from` the id and the log of its leader. */
static void json_thread_moved(struct sink *s, const struct event *e, pid_t from)
{
	struct json_sink *j = json_of(s);
	struct json_thread *th = threads_remove(&j->threads, from);

	if (!th)
		return;
	threads_add(&j->threads, e->tid, th);
	if (!j->config.separately)
		return;
	outputs_put(j->outputs, th->out);
	th->out = outputs_get(j->outputs, e->tid, true);
}

static size_t json_write_kept(struct sink *s, uint64_t *seen)
{
	return outputs_write_kept(json_of(s)->outputs, seen);
}

static int json_flush(struct sink *s)
{
	return outputs_flush(json_of(s)->outputs);
}

static int json_end(struct sink *s)
{
	struct json_sink *j = json_of(s);
	struct json_thread *th;
	int err;

	while ((th = threads_take(&j->threads)))
		thread_free(j, th);
	threads_deinit(&j->threads);
	json_once_destroy(j->once);
	err = outputs_close(j->outputs);
	free(j);
	return err;
}

static const struct sink_ops json_ops = {
	.event = json_event,
	.thread_end = json_thread_end,
	.thread_moved = json_thread_moved,
	.write_kept = json_write_kept,
	.flush = json_flush,
	.end = json_end,
};

struct sink *json_sink_create(const struct sink_config *config)
{
	struct json_sink *j = mem_zalloc(sizeof(*j));

	j->base.ops = &json_ops;
	j->config = *config;
	j->outputs = outputs_create(&(struct outputs_config){.path = config->path,
							     .append = config->append,
							     .separately = config->separately,
							     .limits = config->limits});
	if (!j->outputs) {
		free(j);
		return NULL;
	}
	if (config->stacks_once)
		j->once = json_once_create();
	j->base.unwatched = outputs_unwatched(j->outputs);
	return &j->base;
}
