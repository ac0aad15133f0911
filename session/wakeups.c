/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/wakeups.h"

#include <string.h>

#include "capture/capture.h"
#include "event/find.h"
#include "event/sched.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/watch.h"
#include "syscall.h"
#include "unwind.h"
#include "util/clock.h"

bool wakeups_are_exact(const struct session *s)
{
	return s->capture->reports_sched && !s->o->infer_wakers;
}

static void replace(struct stack **at, struct stack *stack)
{
	stack_release(*at);
	*at = stack;
}

/* Stores the waker's stack in the state of the thread that the waker is about to wake. */
static void keep_stack(struct session *s, struct tcb *waker, const struct event *e)
{
	const struct value *v;
	struct stack *stack;
	struct tcb *woken;

	if (!s->unwinder || event_argument(e, "woken", true, &v) != FOUND)
		return;
	stack = syscall_is_running(waker->syscall) ? waker->syscall->base.stack
						   : thread_of(waker)->ended_stack;
	woken = value_as_id(v) ? capture_find(s->capture, value_as_id(v)) : NULL;
	if (woken && woken != waker)
		replace(&thread_of(woken)->waking_stack, stack_share(stack));
}

void wakeups_keep_stack(struct session *s, struct tcb *tcb, struct stack *stack)
{
	if (s->wakes && wakeups_are_exact(s))
		replace(&thread_of(tcb)->ended_stack, stack);
	else
		stack_release(stack);
}

void wakeups_event(struct session *s, struct tcb *tcb, const struct event *e, int64_t now)
{
	struct thread *t = thread_of(tcb);
	struct stack *stack;

	if (strcmp(e->source, SCHED_SOURCE) != 0)
		return;
	if (!strcmp(e->name, SCHED_WAKING)) {
		keep_stack(s, tcb, e);
		return;
	}
	stack = t->waking_stack;
	t->waking_stack = NULL;
	if (syscall_is_running(tcb->syscall) && sleeps_add(&t->wake.sleeps, e, now))
		replace(&t->waker_stack, stack);
	else
		stack_release(stack);
}

/* Passes the wake-up that ended a call's wait to the sinks, as an event of the woken thread. */
static void emit_wakeup(struct session *s, const struct syscall_event *ev)
{
	const struct wakeup *w = ev->woken;
	const int64_t late = w->at - (int64_t)timespec_ns(ev->base.mono);
	struct arena arena = {0};
	struct event e = ev->base;
	struct value *waker;

	e.kind = EVENT_OTHER;
	e.source = "wakeup";
	e.name = wake_cause_name(w->cause);
	e.time = timespec_add(e.time, timespec_of(late));
	e.mono = timespec_add(e.mono, timespec_of(late));
	e.ret_kind = RET_NONE;
	e.ret_value = e.ret_comment = NULL;
	e.stack = w->stack;
	e.nargs = 0;
	if (w->tid) {
		waker = value_new(&arena, VALUE_STRUCT, 0);
		value_add_named(waker, "pid", value_int(&arena, w->tgid));
		value_add_named(waker, "tid", value_int(&arena, w->tid));
		value_add_named(waker, "comm",
				value_string(&arena, w->comm, strnlen(w->comm, sizeof(w->comm))));
		e.args[e.nargs++] = (struct arg){.name = "waker", .in = waker};
	}
	e.args[e.nargs++] = (struct arg){.name = "inferred", .in = value_int(&arena, w->inferred)};
	if (filter_event(&s->o->filter, s->unwinder, &e))
		feed_event(&s->feed, &e);
	arena_reset(&arena);
}

void wakeups_end_call(struct session *s, struct tcb *tcb, struct syscall_event *ev)
{
	struct thread *t = tcb->session;

	if (!wakeups_are_exact(s) && !watch_was_decoded(s, ev))
		return;
	if (!wakes_leave(s->wakes, &t->wake, ev))
		return;
	ev->woken = &t->wake.found;
	if (t->wake.found.tid && !t->wake.found.inferred)
		t->wake.found.stack = t->waker_stack;
	if (!t->hidden && filter_source(&s->o->filter, "wakeup"))
		emit_wakeup(s, ev);
}

void wakeups_divide_time(struct tcb *tcb, struct syscall_event *ev)
{
	const struct sleeps *sleeps = &tcb->session->wake.sleeps;
	const int64_t all = (int64_t)timespec_ns(ev->base.duration);

	ev->knows_off_cpu = true;
	ev->blocked = sleeps->blocked;
	ev->runnable = sleeps->runnable;
	if (ev->base.ret_kind == RET_NONE && all > ev->blocked + ev->runnable)
		ev->blocked = all - ev->runnable;
}

void wakeups_forget(struct tcb *tcb)
{
	replace(&tcb->session->waking_stack, NULL);
	replace(&tcb->session->waker_stack, NULL);
	replace(&tcb->session->ended_stack, NULL);
}
