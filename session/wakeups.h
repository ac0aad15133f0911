/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Context switches and wake-ups that the engine reports (event/sched.h), for --wakers and for the
 * time that calls spend off the CPU.
 */
#ifndef TRACER_SESSION_WAKEUPS_H
#define TRACER_SESSION_WAKEUPS_H

#include "event/event.h"

struct session;
struct stack;
struct tcb;

/* Returns true if --wakers uses the context switches and wake-ups that the engine reports. */
bool wakeups_are_exact(const struct session *s);
/*
 * Stores the data of a context switch or wake-up. Ignores events from sources other than
 * SCHED_SOURCE. Must be called for each EVENT_OTHER that the engine reports for a thread. `now` is
 * the time of the event (CLOCK_MONOTONIC in nanoseconds).
 */
void wakeups_event(struct session *s, struct tcb *tcb, const struct event *e, int64_t now);
/*
 * Determines what ended the wait of a call that has returned, and stores it in the event. Also
 * passes an event of the source "wakeup" to the sinks if the filters select it. The result of the
 * call must have been decoded.
 */
void wakeups_end_call(struct session *s, struct tcb *tcb, struct syscall_event *ev);
/*
 * Takes over the stack of a call that has ended. The stack is needed if the thread wakes another
 * one before it returns to user mode. `stack` may be NULL.
 */
void wakeups_keep_stack(struct session *s, struct tcb *tcb, struct stack *stack);
/*
 * Divides the duration of a call into the parts in which its thread was blocked, waited for a CPU,
 * and ran. If the call has not ended, all time in which the thread did not wait for a CPU counts as
 * blocked.
 */
void wakeups_divide_time(struct tcb *tcb, struct syscall_event *ev);
/*
 * Frees the stacks that are kept for a thread. Must be called when the thread begins a call, and
 * when it is gone.
 */
void wakeups_forget(struct tcb *tcb);

#endif
