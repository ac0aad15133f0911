/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests how tracer chooses the tracees to poll before it sleeps. Only the bookkeeping is tested,
 * without processes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "range.h"
#include "capture/ptrace/tracee_spin.h"
#include "capture/ptrace/tracee_thread.h"

/*
 * Simulates one stop of t, the only tracee that stops. Poll number hit_at finds the stop. If hit_at
 * is 0, no poll finds it. Returns the number of polls.
 */
static unsigned stop_once(struct spin *spin, struct tracee *t, unsigned hit_at, size_t tracees)
{
	unsigned asked = 0;
	pid_t tid;

	spin_begin(spin, tracees, true);
	while ((tid = spin_next(spin))) {
		asked++;
		if ((tid == -1 || tid == t->tcb.tid) && asked == hit_at) {
			spin_stopped(t);
			spin_hit(spin, t);
			spin_running(spin, t);
			return asked;
		}
		spin_missed(spin);
	}
	spin_stopped(t);
	spin_running(spin, t);
	return asked;
}

static void test_off(void **state attr_unused)
{
	struct tracee t = {.tcb.tid = 1};
	struct spin spin;

	spin_init(&spin, 0);
	spin_running(&spin, &t);
	for (int i = 0; i < 2000; i++)
		assert_int_equal(stop_once(&spin, &t, 1, 1000), 0);
}

static void test_sleeper(void **state attr_unused)
{
	struct tracee t = {.tcb.tid = 1};
	unsigned asked = 0;
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &t);
	for (int i = 0; i < 100; i++)
		stop_once(&spin, &t, 0, 1);
	for (int i = 0; i < 3200; i++)
		asked += stop_once(&spin, &t, 0, 1);
	/* Polling is tried only once in 32 stops, with a limited number of polls each time. */
	assert_uint_in_range(asked, 1, 3200 / 32 * 101);
}

static void test_busy(void **state attr_unused)
{
	struct tracee t = {.tcb.tid = 1};
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &t);
	for (int i = 0; i < 100; i++)
		assert_int_equal(stop_once(&spin, &t, 5, 1), 5);
}

static void test_wakes_up(void **state attr_unused)
{
	struct tracee t = {.tcb.tid = 1};
	unsigned hits = 0;
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &t);
	for (int i = 0; i < 50; i++)
		stop_once(&spin, &t, 0, 1);
	/* A tracee that used to sleep and has become busy is polled again. */
	for (int i = 0; i < 70; i++)
		hits += stop_once(&spin, &t, 3, 1) == 3;
	assert_uint_in_range(hits, 35, 70);
}

static void test_fair(void **state attr_unused)
{
	struct tracee threads[100] = {0};
	unsigned seen[100] = {0};
	struct spin spin;

	spin_init(&spin, 0);
	for (int i = 0; i < 100; i++)
		spin_running(&spin, &threads[i]);
	for (int i = 0; i < 8 * 100; i++) {
		struct tracee *t;

		spin_begin(&spin, 100, true);
		t = spin_fair(&spin);
		if (t)
			seen[t - threads]++;
	}
	for (int i = 0; i < 100; i++)
		assert_int_equal(seen[i], 1);
}

static void test_many(void **state attr_unused)
{
	struct tracee threads[100] = {0};
	struct spin spin;
	pid_t tid;
	int n = 0;

	spin_init(&spin, 100);
	for (int i = 0; i < 100; i++) {
		threads[i].tcb.tid = i + 1;
		spin_running(&spin, &threads[i]);
	}
	spin_begin(&spin, 100, false);
	/*
	 * The tracee that has been running the longest is polled first. A few tracees are polled
	 * even if sleeping would be cheaper.
	 */
	while ((tid = spin_next(&spin))) {
		assert_int_equal(tid, threads[n++].tcb.tid);
		spin_missed(&spin);
	}
	assert_uint_in_range(n, 2, 16);
	spin_begin(&spin, 10, false);
	assert_int_equal(spin_next(&spin), 0);
	/* If there are only a few tracees, a single syscall polls all of them. */
	spin_begin(&spin, 10, true);
	assert_int_equal(spin_next(&spin), -1);
}

/* Polling adapts to stops that need more polls than before. */
static void test_limit(void **state attr_unused)
{
	struct tracee t = {.tcb.tid = 1};
	unsigned hits = 0;
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &t);
	for (int i = 0; i < 200; i++)
		stop_once(&spin, &t, 1, 1);
	assert_uint_in_range(spin.limit, 1, 30);
	for (int i = 0; i < 200; i++)
		hits += stop_once(&spin, &t, 60, 1) == 60;
	assert_uint_in_range(hits, 100, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off),   cmocka_unit_test(test_sleeper),
		cmocka_unit_test(test_busy),  cmocka_unit_test(test_wakes_up),
		cmocka_unit_test(test_fair),  cmocka_unit_test(test_many),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
