/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "capture/ptrace/cpu_follow.h"
#include "capture/proc/tasks.h"
#include "util/thread.h"

/*
 * tracer stops following a tracee to its CPU if fewer than FEW_STOPS stops arrive in FEW_NSEC
 * nanoseconds. In this case, following does not save time, or even delays the stops. The timer is
 * restarted at every FEW_STOPS-th stop.
 */
#define FEW_STOPS 16
#define FEW_NSEC  6000000

enum state {
	UNKNOWN, /* the watchdog has not yet determined whether following is allowed */
	REFUSED,
	IDLE,
	FOLLOWING,
	ENDED,	 /* ended by the watchdog because too few stops arrived */
	STARVED, /* ended by the watchdog because the tracer got no CPU time */
};

/*
 * Makes the system call directly, because musl's functions always fail: POSIX defines these
 * functions for processes, but the kernel's calls work on threads.
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

static void restore_scheduling(struct cpu_follow *follow)
{
	set_policy(follow->self, follow->policy);
	sched_setaffinity(follow->self, sizeof(follow->own), &follow->own);
}

/*
 * Makes the watchdog call end_following() after nsec nanoseconds, unless this function is called
 * again before that time.
 */
static void restart_timer(struct cpu_follow *follow, long nsec)
{
	const struct itimerspec in = {.it_value.tv_nsec = nsec};

	timerfd_settime(follow->timer, 0, &in, NULL);
}

/*
 * Returns the CPUs on which the tracing thread may run, without the CPU that it shares with the
 * tracee.
 */
static cpu_set_t other_cpus(const struct cpu_follow *follow)
{
	cpu_set_t others = follow->own;

	CPU_CLR(follow->cpu, &others);
	return others;
}

/*
 * Makes the tracer stop following the tracee. The watchdog calls this function when too few stops
 * arrive.
 */
static void end_following(struct cpu_follow *follow)
{
	cpu_set_t others = other_cpus(follow);
	int following = FOLLOWING;
	/*
	 * The tracer is starving if it is ready to run ('R') while the tracee is stopped ('t'). The
	 * tracer is also ready to run immediately after a resume, but then the tracee is running.
	 */
	bool starved = proc_stat(follow->procfs, follow->self, 3) == 'R' &&
		       proc_stat(follow->procfs, atomic_load(&follow->tid), 3) == 't';

	if (!atomic_compare_exchange_strong(&follow->state, &following, starved ? STARVED : ENDED))
		return;
	/*
	 * Exclude the shared CPU for a moment. If other CPUs were only added, the tracer would stay
	 * in the run queue of the shared CPU and wait for that CPU's other threads.
	 */
	sched_setaffinity(follow->self, sizeof(others), &others);
	restore_scheduling(follow);
}

static void *watchdog(void *arg)
{
	struct cpu_follow *follow = arg;
	int unknown = UNKNOWN;
	uint64_t times;

	follow->watchdog_tid = gettid();
	/* Check that leaving SCHED_IDLE is permitted, before the tracer enters it. */
	if (set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) || set_policy(0, follow->policy)) {
		atomic_store(&follow->state, REFUSED);
		return NULL;
	}
	/*
	 * On a busy machine, the watchdog may have to wait for a CPU (150 ms with 16 other threads
	 * on two CPUs, longer under real-time load). The tracer waits for the watchdog. Therefore
	 * the watchdog gets the highest priority if that is permitted. This does no harm, because
	 * the watchdog almost always sleeps and runs for only a few microseconds at a time.
	 */
	set_priority(0, SCHED_FIFO | SCHED_RESET_ON_FORK, sched_get_priority_max(SCHED_FIFO));
	/* If tracing has ended, cpu_follow_deinit() has changed the state, and this fails. */
	if (!atomic_compare_exchange_strong(&follow->state, &unknown, IDLE))
		return NULL;
	while (atomic_load(&follow->state) != REFUSED) {
		if (read(follow->timer, &times, sizeof(times)) == sizeof(times) &&
		    atomic_load(&follow->state) == FOLLOWING)
			end_following(follow);
	}
	return NULL;
}

static void start_watchdog(struct cpu_follow *follow)
{
	follow->tried = true;
	follow->self = gettid();
	follow->policy = (int)syscall(SYS_sched_getscheduler, 0);
	atomic_init(&follow->state, REFUSED);
	if (follow->policy != SCHED_OTHER ||
	    sched_getaffinity(0, sizeof(follow->own), &follow->own) || CPU_COUNT(&follow->own) < 2)
		return;
	follow->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (follow->timer < 0)
		return;
	atomic_store(&follow->state, UNKNOWN);
	follow->running = thread_start(&follow->watchdog, watchdog, follow);
	if (!follow->running) {
		atomic_store(&follow->state, REFUSED);
		close(follow->timer);
	}
}

int cpu_follow_start(struct cpu_follow *follow, pid_t tid)
{
	cpu_set_t one, others;
	int cpu;

	if (!follow->tried)
		start_watchdog(follow);
	if (atomic_load(&follow->state) < IDLE)
		return atomic_load(&follow->state) == REFUSED ? -EPERM : -EAGAIN;
	cpu = proc_stat(follow->procfs, tid, 39);
	if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &follow->own))
		return -EAGAIN;
	follow->tid = tid;
	if (follow->following && cpu == follow->cpu && atomic_load(&follow->state) == FOLLOWING)
		return 0;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	follow->following = true;
	follow->cpu = cpu;
	/*
	 * Keep the watchdog off the shared CPU, so that even a real-time thread there cannot delay
	 * it.
	 */
	others = other_cpus(follow);
	sched_setaffinity(follow->watchdog_tid, sizeof(others), &others);
	/* From here on, the watchdog may call end_following() at any time. */
	atomic_store(&follow->state, FOLLOWING);
	follow->stops = 0;
	restart_timer(follow, FEW_NSEC);
	if (!set_policy(0, SCHED_IDLE | SCHED_RESET_ON_FORK) &&
	    !sched_setaffinity(0, sizeof(one), &one) && atomic_load(&follow->state) == FOLLOWING)
		return 0;
	cpu_follow_stop(follow);
	return -EAGAIN;
}

void cpu_follow_stop(struct cpu_follow *follow)
{
	if (!follow->following)
		return;
	follow->following = false;
	restore_scheduling(follow);
	atomic_store(&follow->state, IDLE);
}

enum follow_state cpu_follow_count_stop(struct cpu_follow *follow)
{
	int state = atomic_load_explicit(&follow->state, memory_order_relaxed);

	if (likely(state == FOLLOWING)) {
		if (++follow->stops % FEW_STOPS == 0)
			restart_timer(follow, FEW_NSEC);
		return FOLLOW_ACTIVE;
	}
	/*
	 * The watchdog may have restored the affinity before cpu_follow_start() changed it, so
	 * restore it again.
	 */
	cpu_follow_stop(follow);
	return state == STARVED ? FOLLOW_STARVED : FOLLOW_ENDED;
}

void cpu_follow_deinit(struct cpu_follow *follow)
{
	cpu_follow_stop(follow);
	if (!follow->running)
		return;
	atomic_store(&follow->state, REFUSED);
	restart_timer(follow, 1);
	pthread_join(follow->watchdog, NULL);
	close(follow->timer);
	follow->running = false;
}
