/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/emit.h"

#include "capture/capture.h"
#include "capture/facts.h"
#include "session/state.h"
#include "syscall.h"
#include "util/clock.h"

void emit_identify(const struct session *s, struct event *e, struct tcb *tcb)
{
	if (s->feed.wants & WANTS_TGID)
		tcb_tgid(tcb);
	event_identify(e, tcb);
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

void emit_duration(const struct session *s, struct syscall_event *ev)
{
	struct timespec now;

	if (!(s->feed.wants & WANTS_TIMES))
		return;
	now = s->knows_times ? timespec_of(s->stop.mono) : clock_after(0);
	/* The times of a trace may go back. */
	ev->duration = timespec_before(now, ev->base.mono) ? (struct timespec){0}
							   : timespec_sub(now, ev->base.mono);
}

void emit_stamp(const struct session *s, struct event *e, struct tcb *tcb)
{
	emit_identify(s, e, tcb);
	emit_time(s, e);
}

void emit_process(struct session *s, struct tcb *tcb, enum process_kind kind, int code,
		  bool core_dumped, struct stack *stack)
{
	struct process_event e = {
		.kind = kind, .code = code, .core_dumped = core_dumped, .stack = stack};

	emit_stamp(s, &e.base, tcb);
	FEED(&s->feed, process, &e);
}

void comm_read(const struct session *s, struct tcb *tcb)
{
	/* If the thread has vanished, the last known name stays. */
	if (s->feed.wants & WANTS_COMM)
		fact_comm(tcb->facts, tcb->tid, tcb->comm);
}
