/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/emit.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/facts.h"
#include "query/needs.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/wakeups.h"
#include "syscall.h"
#include "util/clock.h"
#include "util/names.h"

void emit_program(const struct session *s, struct event *e, struct tcb *tcb)
{
	struct thread *t = tcb->session;
	struct fact_answer a;

	if (likely(!(s->o->query_needs & QUERY_NEEDS_PROGRAM)) || !t)
		return;
	if (!t->knows_program) {
		t->knows_program = true;
		free(t->exe);
		free(t->cgroup);
		t->exe = fact_program(tcb->facts, tcb_tgid(tcb), &a) ? mem_strdup(a.bytes) : NULL;
		t->cgroup = fact_cgroup(tcb->facts, tcb_tgid(tcb), &a) ? mem_strdup(a.bytes) : NULL;
	}
	e->exe = t->exe;
	e->cgroup = t->cgroup;
}

void emit_identify(const struct session *s, struct event *e, struct tcb *tcb)
{
	if (s->feed.wants & WANTS_TGID)
		tcb_tgid(tcb);
	event_identify(e, tcb);
	e->abi = tcb->session ? tcb->session->abi : 0;
	emit_program(s, e, tcb);
}

void emit_time(const struct session *s, struct event *e)
{
	if (!(s->feed.wants & WANTS_TIMES))
		return;
	if (s->knows_times) {
		e->time = timespec_of(s->stop.time);
		e->mono = timespec_of(s->stop.mono);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &e->time);
	clock_gettime(CLOCK_MONOTONIC, &e->mono);
}

/*
 * Sets the duration of a call that ends at the time `end`. In a trace, times may go backwards. If
 * `end` is before the start of the call, the duration is 0.
 */
static void set_duration(struct syscall_event *ev, struct timespec end)
{
	ev->base.duration = timespec_before(end, ev->base.mono) ? (struct timespec){0}
								: timespec_sub(end, ev->base.mono);
}

void emit_duration(const struct session *s, struct syscall_event *ev)
{
	if (s->feed.wants & WANTS_TIMES)
		set_duration(ev, s->knows_times ? timespec_of(s->stop.mono) : clock_after(0));
}

void emit_stamp(const struct session *s, struct event *e, struct tcb *tcb)
{
	emit_identify(s, e, tcb);
	emit_time(s, e);
}

/*
 * For each kind of process event: the event's name, and the name and type of the value that shows
 * `code`.
 */
static const struct {
	const char *name, *value;
	enum value_kind kind;
} process_kinds[] = {
	[PROCESS_EXITED] = {"exited", "status", VALUE_INT},
	[PROCESS_KILLED] = {"killed", "signal", VALUE_NAME},
	[PROCESS_STOPPED] = {"stopped", "signal", VALUE_NAME},
	[PROCESS_SUPERSEDED] = {"superseded", "by", VALUE_PID},
	[PROCESS_ATTACHED] = {.name = "attached"},
	[PROCESS_DETACHED] = {.name = "detached"},
	[PROCESS_LEFT] = {.name = "left"},
	[PROCESS_FORKED] = {"forked", "child", VALUE_PID},
	[PROCESS_EXEC] = {"exec", "from", VALUE_PID},
	[PROCESS_PERSONALITY] = {"personality", "abi", VALUE_INT},
};

void emit_process_event(struct session *s, struct process_event *e)
{
	struct value code = {.kind = process_kinds[e->kind].kind,
			     .width = sizeof(int),
			     .num = (uint64_t)(int64_t)e->code};

	if (code.kind == VALUE_NAME) {
		code.str = signal_name(e->code);
		if (!code.str)
			code.kind = VALUE_INT;
	}
	e->base.kind = EVENT_PROCESS;
	e->base.name = process_kinds[e->kind].name;
	if (process_kinds[e->kind].value) {
		e->base.args[0] = (struct arg){.name = process_kinds[e->kind].value, .in = &code};
		e->base.nargs = 1;
	}
	feed_event(&s->feed, &e->base);
	e->base.nargs = 0;
}

void emit_secontext(struct session *s, struct event *e, struct tcb *tcb)
{
	struct fact_answer a;

	if (likely(!s->decode.secontext) || !fact_thread_context(tcb->facts, tcb->tid, &a))
		return;
	memcpy(s->secontext, a.bytes, a.len + 1);
	e->secontext = s->secontext;
}

void emit_process(struct session *s, struct tcb *tcb, enum process_kind kind, int code,
		  bool core_dumped, struct stack *stack)
{
	struct process_event e = {
		.base.stack = stack, .kind = kind, .code = code, .core_dumped = core_dumped};

	emit_stamp(s, &e.base, tcb);
	/*
	 * Do not query the SELinux context of an ended process, because it cannot be read. In a
	 * recording, the query would return an earlier context, which must not be shown.
	 */
	if (kind != PROCESS_EXITED && kind != PROCESS_KILLED)
		emit_secontext(s, &e.base, tcb);
	emit_process_event(s, &e);
}

void emit_call(struct session *s, struct syscall_event *ev, enum event_kind kind)
{
	ev->base.kind = kind;
	feed_event(&s->feed, &ev->base);
}

void emit_unfinished(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;

	if (!syscall_is_running(ev) || tcb->session->hidden || !tcb->session->entered)
		return;
	/*
	 * Unless a trace is read, use the current time, because the thread's last stop may be long
	 * ago.
	 */
	if (s->feed.wants & WANTS_TIMES)
		set_duration(ev, s->o->trace ? timespec_of(s->stop.mono) : clock_after(0));
	ev->base.has_duration = s->feed.wants & WANTS_TIMES;
	ev->base.ret_kind = RET_NONE;
	if (s->off_cpu)
		wakeups_divide_time(tcb, ev);
	emit_identify(s, &ev->base, tcb);
	emit_call(s, ev, EVENT_UNFINISHED);
	ev->base.has_duration = false;
}

void comm_read(const struct session *s, struct tcb *tcb)
{
	/* If the thread has vanished, tcb->comm keeps the last known name. */
	if (s->feed.wants & WANTS_COMM)
		fact_comm(tcb->facts, tcb->tid, tcb->comm);
}

void command_read(struct session *s, struct tcb *tcb)
{
	char text[FACT_COMMAND_MAX];
	struct event e = {0};

	if (likely(!(s->feed.wants & WANTS_COMMAND)) || tcb_tgid(tcb) != tcb->tid ||
	    !fact_command(tcb->facts, tcb->tid, text, sizeof(text)))
		return;
	emit_identify(s, &e, tcb);
	feed_process_command(&s->feed, &e, foreign(text));
}
