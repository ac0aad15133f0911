/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Following a tracee to its CPU. Stopping and resuming are cheapest if tracer and tracee share
 * a CPU, because no other CPU has to be woken. The tracee's affinity is not changed. But the
 * scheduler wakes a thread on the CPU where it last ran, if only SCHED_IDLE threads run there.
 * So the tracer moves to the tracee's CPU and becomes a SCHED_IDLE thread: each resume then
 * switches straight to the tracee, and each stop straight back.
 *
 * A SCHED_IDLE thread gets almost no time on a CPU that other threads want, and none while a
 * real-time thread runs there. Therefore a watchdog thread, which may run on every CPU but that
 * one, waits for a timer that the tracer puts off as long as stops come. When it goes off after
 * all, the watchdog restores the tracer's policy and affinity. Restoring the policy needs a
 * privilege, see sched(7); without it near_follow() always fails.
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_NEAR_H
#define TRACER_CAPTURE_PTRACE_TRACEE_NEAR_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "defs.h"

struct procfs;

/* {0} follows nobody; the owner sets procfs. The fields are private but for procfs and following.
 */
struct near {
	const struct procfs *procfs; /* borrowed; NULL: /proc shows our own pid namespace */
	bool asked;		     /* starting the watchdog was tried */
	bool running;		     /* the watchdog runs and must be joined */
	bool following; /* set by the tracing thread; the watchdog may have ended it since */
	atomic_int tid; /* the tracee that is followed */
	atomic_int cpu; /* the CPU that is shared with it */
	pid_t self;	/* tid of the tracing thread */
	cpu_set_t own;	/* affinity of the tracing thread while it follows nobody */
	int policy;	/* its scheduling policy while it follows nobody */
	pthread_t watchdog;
	pid_t watchdog_tid;
	int timer;	  /* of timerfd_create(2): the watchdog looks when it goes off */
	atomic_int state; /* what the tracing thread and the watchdog agree on */
	unsigned stops;	  /* since following began */
};

/* All functions below are for the tracing thread only. */

/*
 * Begins to share the CPU of tracee tid, or follows it to another CPU. Returns 0, -EAGAIN if that
 * is not possible now, or -EPERM if it never is in this process.
 */
int near_follow(struct near *near, pid_t tid);
/* Stops following, if it does, and restores the tracer's policy and affinity. */
void near_leave(struct near *near);
/* Stops following and ends the watchdog. */
void near_deinit(struct near *near);

/* What became of following since the last stop. */
enum near_news {
	NEAR_GOES_ON,
	NEAR_ENDED,   /* the watchdog ended it: there were hardly any stops */
	NEAR_STARVED, /* the watchdog ended it: the tracer got no time on that CPU */
};

/* Counts a stop of the followed tracee and tells whether it is still followed. */
enum near_news near_stopped(struct near *near);

#endif
