/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/blocked.h"

#include <string.h>

#include "capture/capture.h"
#include "session/emit.h"
#include "session/state.h"
#include "session/thread.h"
#include "syscall.h"
#include "util/clock.h"

void blocked_enter(struct tcb *tcb)
{
	const struct syscall_event *ev = tcb->syscall;
	struct thread *t = tcb->session;

	if (!t->resumes || (ev->row != ROW_restart_syscall && ev->base.nr != t->resumed_nr))
		t->began = (int64_t)timespec_ns(ev->base.mono);
}

/*
 * Passes ev, the event of tcb's current call, to the sinks with all its arguments. Restores ev
 * afterwards.
 */
static void emit_blocked(struct session *s, struct tcb *tcb, struct syscall_event *ev)
{
	struct arg before[EVENT_ARGS_MAX];

	memcpy(before, ev->base.args, sizeof(before));
	syscall_assume_addresses(tcb, &s->decode);
	emit_call(s, ev, EVENT_BLOCKED);
	memcpy(ev->base.args, before, sizeof(before));
}

/*
 * Like emit_blocked() for restart_syscall(2), but shows the call that restart_syscall(2) resumes.
 */
static void emit_resumed(struct session *s, const struct tcb *tcb, const struct syscall_event *ev)
{
	/*
	 * The arguments of the resumed call are still in the registers, so only the number is
	 * replaced.
	 */
	struct tcb resumed = *tcb;
	struct syscall_event *call;

	resumed.syscall = NULL;
	resumed.regs.nr = tcb->session->resumed_nr;
	call = syscall_begin(&resumed, s->rows);
	emit_identify(s, &call->base, &resumed);
	call->base.time = ev->base.time;
	call->base.mono = ev->base.mono;
	call->base.duration = ev->base.duration;
	call->base.stack = ev->base.stack;
	call->at_least = ev->at_least;
	syscall_decode_enter(&resumed, &s->decode);
	emit_blocked(s, &resumed, call);
	call->base.stack = NULL;
	syscall_forget(&resumed);
}

void blocked_report(struct session *s, struct timespec now)
{
	for (struct tcb *tcb = capture_next(s->capture, NULL, NEWEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, NEWEST_FIRST)) {
		struct syscall_event *ev = tcb->syscall;
		struct thread *t = tcb->session;
		struct timespec age;

		if (!syscall_is_running(ev) || !t || t->hidden || t->blocked)
			continue;
		age = timespec_sub(now, t->began ? timespec_of(t->began) : ev->base.mono);
		if (timespec_ns(age) < s->o->blocked_ns)
			continue;
		t->blocked = true;
		ev->at_least = !t->began;
		ev->base.duration = age;
		if (ev->row == ROW_restart_syscall && t->resumed_nr && !s->recorder)
			emit_resumed(s, tcb, ev);
		else
			emit_blocked(s, tcb, ev);
	}
}
