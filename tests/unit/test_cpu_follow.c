/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tracer can follow a tracee, that is, run on the CPU of the tracee. Afterwards, its CPU
 * affinity and scheduling policy are always restored.
 */
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "range.h"
#include "capture/ptrace/cpu_follow.h"

static struct cpu_follow follow;
static cpu_set_t before;
static pid_t other;

static void pause_ms(long ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/*
 * Returns the scheduling policy of a thread. Uses the syscall, because musl's sched_getscheduler()
 * always fails.
 */
static int policy_of(pid_t tid)
{
	return (int)syscall(SYS_sched_getscheduler, tid);
}

static void assert_as_before(void)
{
	cpu_set_t now;

	assert_int_equal(policy_of(0), SCHED_OTHER);
	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	assert_true(CPU_EQUAL(&now, &before));
}

/*
 * Starts the process to follow, and follows it once, because the first attempt may only determine
 * whether following is permitted.
 */
static int start(void **state attr_unused)
{
	memset(&follow, 0, sizeof(follow));
	sched_getaffinity(0, sizeof(before), &before);
	other = fork();
	if (!other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	cpu_follow_start(&follow, other);
	pause_ms(50);
	cpu_follow_stop(&follow);
	return other < 0;
}

static int finish(void **state attr_unused)
{
	cpu_follow_deinit(&follow);
	kill(other, SIGKILL);
	return 0;
}

static void follow_other(void)
{
	if (!cpu_follow_start(&follow, other))
		return;
	/* With only one CPU, or without the privilege, nothing must have been changed. */
	assert_as_before();
	skip();
}

static void test_follow(void **state attr_unused)
{
	cpu_set_t now;
	int policy;

	/* On a busy machine, the watchdog may stop following before this test can check it. */
	for (int tries = 0;; tries++) {
		assert_uint_in_range(tries, 0, 1000);
		follow_other();
		policy = policy_of(0);
		assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
		if (cpu_follow_count_stop(&follow) == FOLLOW_ACTIVE)
			break;
	}
	assert_int_equal(policy, SCHED_IDLE | SCHED_RESET_ON_FORK);
	assert_int_equal(CPU_COUNT(&now), 1);
	assert_true(CPU_ISSET(follow.cpu, &now));
	cpu_follow_stop(&follow);
	assert_as_before();
	/* The other process's policy and affinity are unchanged. */
	assert_int_equal(policy_of(other), SCHED_OTHER);
	assert_int_equal(sched_getaffinity(other, sizeof(now), &now), 0);
	assert_true(CPU_EQUAL(&now, &before));
}

static void test_no_stops(void **state attr_unused)
{
	follow_other();
	for (int i = 0; policy_of(0) != SCHED_OTHER; i++) {
		assert_uint_in_range(i, 0, 500);
		pause_ms(10);
	}
	/* The affinity is reset shortly after the policy. */
	pause_ms(100);
	assert_as_before();
	assert_int_not_equal(cpu_follow_count_stop(&follow), FOLLOW_ACTIVE);
	assert_false(follow.following);
	/* Following works a second time. On a busy machine, the watchdog may stop it at once. */
	for (int i = 0; cpu_follow_start(&follow, other); i++)
		assert_uint_in_range(i, 0, 1000);
	assert_true(follow.following);
}

static void test_starved(void **state attr_unused)
{
	time_t end = time(NULL) + 10;

	follow_other();
	/* This process uses the CPU, and the other process has no ptrace stops. */
	while (follow.following && time(NULL) < end) {
		for (volatile int i = 0; i < 50000000; i++) {
		}
		if (cpu_follow_count_stop(&follow) == FOLLOW_STARVED)
			break;
	}
	assert_false(follow.following);
	assert_as_before();
}

struct hog {
	atomic_bool go, tracer_runs;
	atomic_int ms; /* time in milliseconds during which the tracer did not run */
};

static int now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * Occupies the thread's current CPU at the highest real-time priority until the tracer runs again.
 */
static void hog_cpu(struct hog *hog)
{
	struct sched_param top = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
	cpu_set_t here;
	int began;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	if (sched_setaffinity(0, sizeof(here), &here) ||
	    syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &top))
		_exit(1);
	kill(getpid(), SIGSTOP);
	began = now_ms();
	hog->go = true;
	while (!hog->tracer_runs && now_ms() - began < 5000) {
	}
	hog->ms = now_ms() - began;
	_exit(0);
}

/*
 * By default a real-time thread can occupy a CPU for 950 ms of each second (sched_rt_runtime_us).
 * Other load may delay the watchdog, but not by half of that time in every attempt.
 */
static void test_realtime(void **state attr_unused)
{
	struct hog *hog =
		mmap(NULL, sizeof(*hog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int least = INT_MAX, status;

	assert_ptr_not_equal(hog, MAP_FAILED);
	follow_other();
	cpu_follow_stop(&follow);
	for (int tries = 0; least >= 475; tries++) {
		pid_t pid;

		assert_uint_in_range(tries, 0, 20);
		/* Wait for a new real-time period, so that the time used so far does not count. */
		if (tries)
			pause_ms(1100);
		memset(hog, 0, sizeof(*hog));
		pid = fork();
		if (!pid)
			hog_cpu(hog);
		assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
		if (!WIFSTOPPED(status)) { /* not permitted */
			munmap(hog, sizeof(*hog));
			skip();
		}
		if (cpu_follow_start(&follow, pid)) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
			continue;
		}
		kill(pid, SIGCONT);
		while (!hog->go && waitpid(pid, NULL, WNOHANG) == 0) {
		}
		hog->tracer_runs = true;
		cpu_follow_stop(&follow);
		waitpid(pid, NULL, 0);
		least = hog->ms < least ? hog->ms : least;
	}
	assert_as_before();
	munmap(hog, sizeof(*hog));
}

static void test_gone(void **state attr_unused)
{
	pid_t none = fork();

	if (!none)
		_exit(0);
	kill(none, SIGKILL);
	waitpid(none, NULL, 0);
	assert_int_not_equal(cpu_follow_start(&follow, none), 0);
	assert_as_before();
}

/* Following a thread can be stopped at any moment after its start. */
static void test_ends_at_once(void **state attr_unused)
{
	for (int i = 0; i < 200; i++) {
		struct cpu_follow once = {0};

		cpu_follow_start(&once, other);
		if (i % 2)
			cpu_follow_start(&once, other);
		cpu_follow_deinit(&once);
		assert_as_before();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_follow, start, finish),
		cmocka_unit_test_setup_teardown(test_no_stops, start, finish),
		cmocka_unit_test_setup_teardown(test_starved, start, finish),
		cmocka_unit_test_setup_teardown(test_realtime, start, finish),
		cmocka_unit_test_setup_teardown(test_gone, start, finish),
		cmocka_unit_test_setup_teardown(test_ends_at_once, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
