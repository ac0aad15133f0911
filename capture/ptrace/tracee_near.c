/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/ptrace/tracee_near.h"
#include "capture/proc/tasks.h"

#define LOOK_NSEC 5000000
/* So few stops between two looks do not need to be fast; once may be the hypervisor's doing. */
#define FEW_STOPS 16
#define FEW_LOOKS 2

#define WATCHDOG_STACK (256 * 1024)

enum state {
	UNKNOWN, /* whether it is allowed */
	REFUSED,
	AWAY,
	NEARBY,
	TAKEN_BACK, /* by the watchdog; not yet told */
	STARVED,    /* the same */
};

static int set_policy(pid_t tid, int policy)
{
	struct sched_param param = {0};

	return sched_setscheduler(tid, policy, &param);
}

static void take_back(struct near *near)
{
	set_policy(near->self, near->policy);
	sched_setaffinity(near->self, sizeof(near->own), &near->own);
}

/* Waits until the stops stay away, and ends the following then. */
static void watch(struct near *near)
{
	const struct timespec look = {.tv_nsec = LOOK_NSEC};
	unsigned before = atomic_load(&near->stops), now, few = 0;

	for (;; before = now) {
		int nearby = NEARBY;
		bool starved;

		clock_nanosleep(CLOCK_MONOTONIC, 0, &look, NULL);
		now = atomic_load(&near->stops);
		if (atomic_load(&near->state) != NEARBY)
			return;
		if (now - before >= FEW_STOPS)
			few = 0;
		else
			few++;
		if (few < FEW_LOOKS)
			continue;
		/* A tracer that has just restarted a tracee is ready as long as that runs. */
		starved = proc_stat(near->procfs, near->self, 3) == 'R' &&
			  proc_stat(near->procfs, atomic_load(&near->tid), 3) == 't';
		if (atomic_compare_exchange_strong(&near->state, &nearby,
						   starved ? STARVED : TAKEN_BACK))
			take_back(near);
		return;
	}
}

static void *watchdog(void *arg)
{
	struct near *near = arg;
	int unknown = UNKNOWN;

	near->watchdog_tid = gettid();
	/* Whether there is a way back is tried out on a thread that can be spared. */
	if (set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) || set_policy(0, near->policy)) {
		atomic_store(&near->state, REFUSED);
		return NULL;
	}
	/* A short trace may be over before this is known. */
	if (!atomic_compare_exchange_strong(&near->state, &unknown, AWAY))
		return NULL;
	for (;;) {
		while (sem_wait(&near->wake)) {
		}
		if (atomic_load(&near->state) == REFUSED)
			return NULL;
		if (atomic_load(&near->state) == NEARBY)
			watch(near);
	}
}

static void near_start(struct near *near)
{
	pthread_attr_t attr;
	sigset_t all, before;

	near->asked = true;
	near->self = gettid();
	near->policy = sched_getscheduler(0);
	atomic_init(&near->state, REFUSED);
	if (near->policy != SCHED_OTHER || sched_getaffinity(0, sizeof(near->own), &near->own) ||
	    CPU_COUNT(&near->own) < 2 || sem_init(&near->wake, 0, 0))
		return;
	atomic_store(&near->state, UNKNOWN);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WATCHDOG_STACK);
	/* Signals are for the thread that waits. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&near->watchdog, &attr, watchdog, near)) {
		atomic_store(&near->state, REFUSED);
		sem_destroy(&near->wake);
	} else {
		near->running = true;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
}

int near_follow(struct near *near, pid_t tid)
{
	cpu_set_t one;
	int cpu;

	if (!near->asked)
		near_start(near);
	if (atomic_load(&near->state) < AWAY)
		return atomic_load(&near->state) == REFUSED ? -EPERM : -EAGAIN;
	cpu = proc_stat(near->procfs, tid, 39);
	if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &near->own))
		return -EAGAIN;
	near->tid = tid;
	if (near->following && cpu == near->cpu && atomic_load(&near->state) == NEARBY)
		return 0;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	/* From here on the watchdog may take it back at any time. */
	if (atomic_exchange(&near->state, NEARBY) != NEARBY)
		sem_post(&near->wake);
	near->following = true;
	near->cpu = cpu;
	/*
	 * The watchdog comes along: where it ran, the CPU would be idle each time after, and look
	 * for something to do, and take the tracee.
	 */
	sched_setaffinity(near->watchdog_tid, sizeof(one), &one);
	if (!set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) &&
	    !sched_setaffinity(0, sizeof(one), &one))
		return 0;
	near_leave(near);
	return -EAGAIN;
}

void near_leave(struct near *near)
{
	if (!near->following)
		return;
	near->following = false;
	take_back(near);
	atomic_store(&near->state, AWAY);
}

enum near_news near_stopped(struct near *near)
{
	int state = atomic_load_explicit(&near->state, memory_order_relaxed);

	if (likely(state == NEARBY)) {
		atomic_store_explicit(&near->stops, near->stops + 1, memory_order_relaxed);
		return NEAR_GOES_ON;
	}
	/* Once more: the watchdog may have been faster than near_follow(). */
	near_leave(near);
	return state == STARVED ? NEAR_STARVED : NEAR_ENDED;
}

void near_deinit(struct near *near)
{
	near_leave(near);
	if (!near->running)
		return;
	atomic_store(&near->state, REFUSED);
	sem_post(&near->wake);
	pthread_join(near->watchdog, NULL);
	sem_destroy(&near->wake);
	near->running = false;
}
