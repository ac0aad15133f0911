/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stopping and going on are cheapest where tracer and tracee share a CPU: no
 * other one has to be woken. The tracee's affinity is its own and is left alone;
 * the scheduler, asked for a CPU for a waking thread, takes the one that it ran
 * on last if nothing but SCHED_IDLE threads run there. So the tracer follows the
 * tracee to its CPU and becomes such a thread while it does: each restart
 * switches straight to the tracee, each stop straight back.
 *
 * A SCHED_IDLE thread gets next to nothing of a CPU that somebody else wants. A
 * watchdog thread therefore looks every few milliseconds whether stops still come,
 * and takes everything back if not. Going back needs a privilege, sched(7): where it
 * is missing, near_follow() always fails.
 */
#ifndef TRACER_TRACEE_NEAR_H
#define TRACER_TRACEE_NEAR_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "defs.h"

struct procfs;

struct near {
	const struct procfs *procfs; /* set by the owner; NULL: /proc is of our pid namespace */
	bool asked;		     /* there has been a watchdog, or an attempt at one */
	bool running;		     /* the watchdog is to be joined */
	bool following;		     /* as far as the tracer's own thread knows */
	atomic_int tid;		     /* whom */
	int cpu;		     /* where */
	pid_t self;		     /* the tracer's thread */
	cpu_set_t own;		     /* its affinity otherwise */
	int policy;		     /* and its policy */
	pthread_t watchdog;
	pid_t watchdog_tid;
	sem_t wake;
	atomic_int state;
	atomic_uint stops;
};

/*
 * Begins to share the CPU of tracee tid, or goes after it. 0; -EAGAIN: not
 * possible now; -EPERM: not here, ever. Only for the thread that traces, as are
 * the other functions.
 */
int near_follow(struct near *near, pid_t tid);
void near_leave(struct near *near);
void near_deinit(struct near *near);

/* What became of following, as said at a stop. */
enum near_news {
	NEAR_GOES_ON,
	NEAR_ENDED,   /* there were hardly any stops */
	NEAR_STARVED, /* and that was because the tracer did not run */
};

enum near_news near_stopped(struct near *near);

#endif
