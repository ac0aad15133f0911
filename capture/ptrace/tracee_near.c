/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "capture/ptrace/tracee_near.h"
#include "capture/proc/tasks.h"
#include "util/thread.h"

/*
 * With fewer stops in that time following is not worth it, or is what keeps them from coming. The
 * timer is put off once in so many stops.
 */
#define FEW_STOPS 16
#define FEW_NSEC  6000000

enum state {
	UNKNOWN, /* the watchdog has not found out yet whether following is allowed */
	REFUSED,
	AWAY,
	NEARBY,
	TAKEN_BACK, /* the watchdog ended it for want of stops; near_stopped() will say so */
	STARVED,    /* the watchdog ended it for want of CPU time; near_stopped() will say so */
};

/* The functions of musl always fail, because POSIX means processes by them and the kernel threads.
 */
static int set_priority(pid_t tid, int policy, int priority)
{
	const struct sched_param param = {.sched_priority = priority};

	return (int)syscall(SYS_sched_setscheduler, tid, policy, &param);
}

static int set_policy(pid_t tid, int policy)
{
	return set_priority(tid, policy, 0);
}

static void take_back(struct near *near)
{
	set_policy(near->self, near->policy);
	sched_setaffinity(near->self, sizeof(near->own), &near->own);
}

/* Has the watchdog look after nsec nanoseconds, unless this is called again before. */
static void look_after(struct near *near, long nsec)
{
	const struct itimerspec in = {.it_value.tv_nsec = nsec};

	timerfd_settime(near->timer, 0, &in, NULL);
}

/* All CPUs of the tracer but the one that it shares with the tracee. */
static cpu_set_t other_cpus(const struct near *near)
{
	cpu_set_t others = near->own;

	CPU_CLR(near->cpu, &others);
	return others;
}

/* The watchdog's work when stops have stayed away: ends the following. */
static void give_up(struct near *near)
{
	cpu_set_t others = other_cpus(near);
	int nearby = NEARBY;
	/*
	 * The tracer starves if it is ready ('R') while the tracee is stopped ('t'). Right after a
	 * resume it is ready as well, but then the tracee runs.
	 */
	bool starved = proc_stat(near->procfs, near->self, 3) == 'R' &&
		       proc_stat(near->procfs, atomic_load(&near->tid), 3) == 't';

	if (!atomic_compare_exchange_strong(&near->state, &nearby, starved ? STARVED : TAKEN_BACK))
		return;
	/* Just permitting other CPUs would leave it waiting behind what runs on this one. */
	sched_setaffinity(near->self, sizeof(others), &others);
	take_back(near);
}

static void *watchdog(void *arg)
{
	struct near *near = arg;
	int unknown = UNKNOWN;
	uint64_t times;

	near->watchdog_tid = gettid();
	/* This thread tries whether leaving SCHED_IDLE is permitted, before the tracer enters it.
	 */
	if (set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) || set_policy(0, near->policy)) {
		atomic_store(&near->state, REFUSED);
		return NULL;
	}
	/*
	 * On a busy machine the watchdog would wait for a CPU like any other thread (150 ms with 16
	 * others on two CPUs), and real-time load would keep it waiting longer, and the tracer with
	 * it. It runs for some microseconds and sleeps almost always, so it gets the highest
	 * priority. Where that is not permitted, it waits.
	 */
	set_priority(0, SCHED_FIFO | SCHED_RESET_ON_FORK, sched_get_priority_max(SCHED_FIFO));
	/* A short trace may be over by now: then near_deinit() has changed the state. */
	if (!atomic_compare_exchange_strong(&near->state, &unknown, AWAY))
		return NULL;
	while (atomic_load(&near->state) != REFUSED) {
		if (read(near->timer, &times, sizeof(times)) == sizeof(times) &&
		    atomic_load(&near->state) == NEARBY)
			give_up(near);
	}
	return NULL;
}

static void near_start(struct near *near)
{
	near->asked = true;
	near->self = gettid();
	near->policy = (int)syscall(SYS_sched_getscheduler, 0);
	atomic_init(&near->state, REFUSED);
	if (near->policy != SCHED_OTHER || sched_getaffinity(0, sizeof(near->own), &near->own) ||
	    CPU_COUNT(&near->own) < 2)
		return;
	near->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (near->timer < 0)
		return;
	atomic_store(&near->state, UNKNOWN);
	near->running = thread_start(&near->watchdog, watchdog, near);
	if (!near->running) {
		atomic_store(&near->state, REFUSED);
		close(near->timer);
	}
}

int near_follow(struct near *near, pid_t tid)
{
	cpu_set_t one, others;
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
	near->following = true;
	near->cpu = cpu;
	/* Not even a real-time thread on the shared CPU may keep the watchdog from running. */
	others = other_cpus(near);
	sched_setaffinity(near->watchdog_tid, sizeof(others), &others);
	/* From here on the watchdog may end the following at any time. */
	atomic_store(&near->state, NEARBY);
	near->stops = 0;
	look_after(near, FEW_NSEC);
	if (!set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) &&
	    !sched_setaffinity(0, sizeof(one), &one) && atomic_load(&near->state) == NEARBY)
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
		if (++near->stops % FEW_STOPS == 0)
			look_after(near, FEW_NSEC);
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
	look_after(near, 1);
	pthread_join(near->watchdog, NULL);
	close(near->timer);
	near->running = false;
}
