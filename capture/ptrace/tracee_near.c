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
/*
 * With so few stops between two looks of the watchdog, following is not worth it. It takes more
 * than one such look, because a hypervisor may have paused us.
 */
#define FEW_STOPS 16
#define FEW_LOOKS 2

#define WATCHDOG_STACK (256 * 1024)

enum state {
	UNKNOWN, /* the watchdog has not found out yet whether following is allowed */
	REFUSED,
	AWAY,
	NEARBY,
	TAKEN_BACK, /* the watchdog ended it for want of stops; near_stopped() will say so */
	STARVED,    /* the watchdog ended it for want of CPU time; near_stopped() will say so */
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

/*
 * The watchdog's work while a tracee is followed: waits until stops stay away, then ends the
 * following.
 */
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
		/*
		 * The tracer starves if it is ready ('R') while the tracee is stopped ('t'). Right
		 * after a resume it is ready as well, but then the tracee runs.
		 */
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
	/* This thread tries whether leaving SCHED_IDLE is permitted, before the tracer enters it.
	 */
	if (set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) || set_policy(0, near->policy)) {
		atomic_store(&near->state, REFUSED);
		return NULL;
	}
	/* A short trace may be over by now: then near_deinit() has changed the state. */
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
	/* The watchdog blocks all signals: the tracing thread must get them. */
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
	/* From here on the watchdog may end the following at any time. */
	if (atomic_exchange(&near->state, NEARBY) != NEARBY)
		sem_post(&near->wake);
	near->following = true;
	near->cpu = cpu;
	/*
	 * The watchdog moves to the same CPU. On another CPU, each of its looks would leave that
	 * CPU idle, and an idle CPU looks for work and would take the tracee.
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
	/* near_follow() may have moved the tracer after the watchdog had moved it back. */
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
