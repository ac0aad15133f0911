/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whom to ask before sleeping: the bookkeeping alone, no process is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tracee_spin.h"

/* One stop of tcb, found by the question number hit_at (0: by none); returns how many were asked.
 */
static unsigned stop_once(struct spin *spin, struct tcb *tcb, unsigned hit_at, size_t tracees)
{
	unsigned asked = 0;
	struct tcb *candidate;

	spin_begin(spin, tracees);
	while ((candidate = spin_next(spin))) {
		asked++;
		if (candidate == tcb && asked == hit_at) {
			spin_stopped(tcb);
			spin_hit(spin, tcb);
			spin_running(spin, tcb);
			return asked;
		}
		spin_missed(spin, candidate);
	}
	spin_stopped(tcb);
	spin_running(spin, tcb);
	return asked;
}

static void test_off(void **state attr_unused)
{
	struct tcb tcb = {.tid = 1};
	struct spin spin;

	spin_init(&spin, 0);
	spin_running(&spin, &tcb);
	for (int i = 0; i < 2000; i++)
		assert_int_equal(stop_once(&spin, &tcb, 1, 1000), 0);
}

static void test_sleeper(void **state attr_unused)
{
	struct tcb tcb = {.tid = 1};
	unsigned asked = 0;
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &tcb);
	for (int i = 0; i < 100; i++)
		stop_once(&spin, &tcb, 0, 1);
	for (int i = 0; i < 3200; i++)
		asked += stop_once(&spin, &tcb, 0, 1);
	/* Once in 32 stops, and then a limited number of times. */
	assert_in_range(asked, 1, 3200 / 32 * 101);
}

static void test_busy(void **state attr_unused)
{
	struct tcb tcb = {.tid = 1};
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &tcb);
	for (int i = 0; i < 100; i++)
		assert_int_equal(stop_once(&spin, &tcb, 5, 1), 5);
}

static void test_wakes_up(void **state attr_unused)
{
	struct tcb tcb = {.tid = 1};
	unsigned hits = 0;
	struct spin spin;

	spin_init(&spin, 100);
	spin_running(&spin, &tcb);
	for (int i = 0; i < 50; i++)
		stop_once(&spin, &tcb, 0, 1);
	/* A sleeper that has become busy is found out. */
	for (int i = 0; i < 70; i++)
		hits += stop_once(&spin, &tcb, 3, 1) == 3;
	assert_in_range(hits, 35, 70);
}

static void test_fair(void **state attr_unused)
{
	struct tcb tcbs[100] = {{0}};
	unsigned seen[100] = {0};
	struct spin spin;

	spin_init(&spin, 0);
	for (int i = 0; i < 100; i++)
		spin_running(&spin, &tcbs[i]);
	for (int i = 0; i < 8 * 100; i++) {
		struct tcb *tcb;

		spin_begin(&spin, 100);
		tcb = spin_fair(&spin);
		if (tcb)
			seen[tcb - tcbs]++;
	}
	for (int i = 0; i < 100; i++)
		assert_int_equal(seen[i], 1);
}

static void test_many(void **state attr_unused)
{
	struct tcb tcbs[100] = {{0}};
	struct spin spin;
	struct tcb *tcb;
	int n = 0;

	spin_init(&spin, 100);
	for (int i = 0; i < 100; i++)
		spin_running(&spin, &tcbs[i]);
	spin.way = SPIN_SLEEP;
	spin_begin(&spin, 100);
	/* The one that runs longest first, a few even where sleeping is the rule. */
	while ((tcb = spin_next(&spin))) {
		assert_ptr_equal(tcb, &tcbs[n++]);
		spin_missed(&spin, tcb);
	}
	assert_in_range(n, 2, 16);
	spin_begin(&spin, 10);
	assert_null(spin_next(&spin));
}

/* Windows of stops by n tracees in turn, until spin wants the way; false: it never does. */
static bool comes_to(struct spin *spin, enum spin_way way, int n, int windows)
{
	struct tcb tcbs[2] = {{.tid = 1}, {.tid = 2}};

	for (int i = 0; i < windows * 128; i++) {
		if (spin->way == way)
			return true;
		stop_once(spin, &tcbs[i % n], 1, 1);
	}
	return false;
}

static void test_near(void **state attr_unused)
{
	struct spin spin;

	/* Two that take turns have no CPU that is near to both. */
	spin_init(&spin, 100);
	assert_false(comes_to(&spin, SPIN_NEAR, 2, 200));
	spin_init(&spin, 100);
	assert_true(comes_to(&spin, SPIN_NEAR, 1, 200));
	/* Refused, it is not asked for again soon; each time later. */
	spin_not_near(&spin, true);
	assert_int_not_equal(spin.way, SPIN_NEAR);
	assert_false(comes_to(&spin, SPIN_NEAR, 1, 60));
	assert_true(comes_to(&spin, SPIN_NEAR, 1, 1000));
	spin_not_near(&spin, true);
	assert_false(comes_to(&spin, SPIN_NEAR, 1, 120));
	/* Not asking means neither. */
	spin_init(&spin, 0);
	assert_false(comes_to(&spin, SPIN_NEAR, 1, 200));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off),  cmocka_unit_test(test_sleeper),
		cmocka_unit_test(test_busy), cmocka_unit_test(test_wakes_up),
		cmocka_unit_test(test_fair), cmocka_unit_test(test_many),
		cmocka_unit_test(test_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
