/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * "Following" a tracee means running the tracer on the CPU of the tracee. Stops and resumes are
 * cheapest if both share a CPU, because no other CPU has to be woken. The tracee's affinity is not
 * changed. Following relies on a rule of the scheduler: a thread is woken on the CPU where it last
 * ran if only SCHED_IDLE threads run there. The tracer moves to the tracee's CPU and becomes a
 * SCHED_IDLE thread. Each resume then switches directly to the tracee, and each stop back to the
 * tracer.
 *
 * A SCHED_IDLE thread gets almost no time on a CPU that other threads use, and none while a
 * real-time thread runs there. Therefore a watchdog thread, which may run on all other CPUs, waits
 * for a timer. As long as stops arrive, the tracer restarts the timer. If the timer expires, the
 * watchdog restores the tracer's scheduling policy and affinity. Restoring the policy needs a
 * privilege, see sched(7). Without this privilege, cpu_follow_start() always fails.
 */
#ifndef TRACER_CAPTURE_PTRACE_CPU_FOLLOW_H
#define TRACER_CAPTURE_PTRACE_CPU_FOLLOW_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "defs.h"

struct procfs;

/*
 * Must be initialized with {0}, and procfs must be set. No tracee is followed at first. All members
 * except procfs and `following` are private.
 */
struct cpu_follow {
	const struct procfs *procfs; /* borrowed; NULL if /proc shows our own pid namespace */
	bool tried;		     /* true if start_watchdog() has been called */
	bool running; /* true if the watchdog is running and must be joined at the end */
	/*
	 * True if the tracing thread has started to follow a tracee. Remains true after the
	 * watchdog has restored the scheduling policy and affinity, until the tracing thread
	 * notices this.
	 */
	bool following;
	atomic_int tid; /* the tracee that is followed */
	atomic_int cpu; /* the CPU shared with that tracee */
	pid_t self;	/* tid of the tracing thread */
	cpu_set_t own;	/* affinity of the tracing thread when it follows no tracee */
	int policy;	/* scheduling policy of the tracing thread when it follows no tracee */
	pthread_t watchdog;
	pid_t watchdog_tid;
	int timer;	  /* a timerfd_create(2) descriptor that wakes the watchdog */
	atomic_int state; /* enum state, shared by the tracing thread and the watchdog */
	unsigned stops;	  /* number of stops since following began */
};

/* Only the tracing thread may call the functions below. */

/*
 * Moves the tracer to the CPU of tracee tid. Returns 0 on success, -EAGAIN if the move is not
 * possible at the moment, or -EPERM if it will never be possible, for example because the required
 * privilege is missing or the tracer may run on only one CPU.
 */
int cpu_follow_start(struct cpu_follow *follow, pid_t tid);
/*
 * Stops following a tracee, if one is followed, and restores the tracer's scheduling policy and
 * affinity.
 */
void cpu_follow_stop(struct cpu_follow *follow);
/* Stops following a tracee, if one is followed, and ends the watchdog. */
void cpu_follow_deinit(struct cpu_follow *follow);

/* The result of cpu_follow_count_stop(). */
enum follow_state {
	FOLLOW_ACTIVE,
	FOLLOW_ENDED,	/* the watchdog stopped tracer from following, because too few stops
			   arrived */
	FOLLOW_STARVED, /* the watchdog stopped tracer from following, because tracer got no time
			   on the shared CPU */
};

/* Counts a stop of the followed tracee. Returns FOLLOW_ACTIVE if the tracee is still followed. */
enum follow_state cpu_follow_count_stop(struct cpu_follow *follow);

#endif
