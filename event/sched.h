/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of the source "sched". An engine that sees context switches reports them.
 *
 * A SCHED_SWITCH describes a period in which a thread was off the CPU. It is reported when the
 * thread runs again. Its values:
 * - state: the thread's state, as a letter of proc_pid_stat(5); R if it waited only for a CPU
 * - blocked_ns: time until the thread was woken
 * - runnable_ns: time for which it then waited for a CPU
 * - waker: if known, who woke the thread: pid, tid, comm, context (one of the names below) and, if
 *   the waker was in a known call, `call`. When a call such as dup2(2) removes the last descriptor
 *   of a file, the kernel may close the file after the call has ended. `call` still names that call
 * - signal_pending: 1 if a signal was pending for the thread when it was woken
 *
 * A SCHED_WAKING belongs to a thread that wakes the thread with the id `woken`.
 */
#ifndef TRACER_EVENT_SCHED_H
#define TRACER_EVENT_SCHED_H

#define SCHED_SOURCE "sched"
#define SCHED_SWITCH "switch"
#define SCHED_WAKING "waking"

/*
 * Events of the source "fault". A FAULT_MAJOR is a page fault for which the kernel has read from a
 * disk or another device. Its values are the address that the thread accessed and the program
 * counter in user mode. The duration is known if the thread was blocked.
 */
#define FAULT_SOURCE "fault"
#define FAULT_MAJOR  "major"

/* The contexts in which a thread is woken. */
#define SCHED_THREAD "thread"
#define SCHED_KERNEL "kernel"	/* a kernel thread */
#define SCHED_RING   "io_uring" /* a worker thread of an io_uring */
/*
 * The handler of an interrupt or a softirq, for example of a timer. The waker is the thread that
 * was running at that time. That thread has caused the wake-up only if its own call has caused the
 * softirq.
 */
#define SCHED_INTERRUPT "interrupt"

#endif
