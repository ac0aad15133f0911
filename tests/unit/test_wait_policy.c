/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the choice of a wait method with a simulated clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "range.h"
#include "capture/ptrace/wait_policy.h"

#define USEC 1000ULL

struct machine {
	struct wait_policy policy;
	uint64_t now;
	uint64_t cost[WAIT_METHODS]; /* time per stop */
	uint64_t spent[WAIT_METHODS];
};

static void boot(struct machine *m, uint64_t follow, uint64_t sleep, uint64_t poll)
{
	*m = (struct machine){.now = 1000000 * USEC, .cost = {follow, sleep, poll}};
	wait_policy_init(&m->policy, false);
}

static void run(struct machine *m, int stops)
{
	for (int i = 0; i < stops; i++) {
		m->now += m->cost[m->policy.now];
		m->spent[m->policy.now] += m->cost[m->policy.now];
		if (wait_policy_count_stop(&m->policy))
			wait_policy_update(&m->policy, m->now);
	}
}

/* The cheapest method is found within a few stops, and trials of other methods take little time. */
static void test_finds_best(void **state attr_unused)
{
	static const uint64_t costs[][WAIT_METHODS] = {
		{10, 170, 35}, {10, 500, 400}, {100, 20, 50}, {100, 50, 20}, {90, 50, 500},
	};

	for (size_t i = 0; i < ARRAY_SIZE(costs); i++) {
		uint64_t total = 0;
		enum wait_method best = 0;
		struct machine m;

		for (enum wait_method method = 0; method < WAIT_METHODS; method++)
			if (costs[i][method] < costs[i][best])
				best = method;
		boot(&m, costs[i][0] * USEC, costs[i][1] * USEC, costs[i][2] * USEC);
		run(&m, 400);
		assert_int_equal(m.policy.best, best);
		memset(m.spent, 0, sizeof(m.spent));
		run(&m, 100000);
		assert_int_equal(m.policy.best, best);
		for (enum wait_method method = 0; method < WAIT_METHODS; method++)
			total += m.spent[method];
		assert_uint_in_range(m.spent[best], total / 100 * 96, total);
	}
}

/* If two methods cost the same, the method that leaves the CPU to others is chosen. */
static void test_prefers_sleep(void **state attr_unused)
{
	struct machine m;

	boot(&m, 50 * USEC, 30 * USEC, 30 * USEC);
	run(&m, 1000);
	assert_int_equal(m.policy.best, WAIT_SLEEP);
}

static void test_change(void **state attr_unused)
{
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	run(&m, 10000);
	assert_int_equal(m.policy.best, WAIT_FOLLOW);
	/* From now on, another task uses the same CPU. */
	m.cost[WAIT_FOLLOW] = 300 * USEC;
	run(&m, 1000);
	assert_int_equal(m.policy.best, WAIT_POLL);
	m.cost[WAIT_FOLLOW] = 10 * USEC;
	run(&m, 100000);
	assert_int_equal(m.policy.best, WAIT_FOLLOW);
}

/*
 * Returns the time until the method WAIT_FOLLOW is tried again, or 0 if this takes more than
 * `stops` stops.
 */
static uint64_t until_follow(struct machine *m, int stops)
{
	uint64_t from = m->now;

	for (int i = 0; i < stops; i++) {
		run(m, 1);
		if (m->policy.now == WAIT_FOLLOW)
			return m->now - from;
	}
	return 0;
}

static void test_follow_fails(void **state attr_unused)
{
	uint64_t first, last;
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	assert_int_not_equal(until_follow(&m, 200), 0);
	wait_policy_disable_follow(&m.policy, m.now, FOLLOW_NOT_NOW);
	assert_int_equal(m.policy.now, WAIT_POLL);
	assert_int_not_equal(until_follow(&m, 200), 0);
	wait_policy_disable_follow(&m.policy, m.now, FOLLOW_STARVES);
	assert_int_equal(m.policy.now, WAIT_POLL);
	first = until_follow(&m, 10000);
	assert_int_not_equal(first, 0);
	for (int i = 0; i < 5; i++) {
		wait_policy_disable_follow(&m.policy, m.now, FOLLOW_STARVES);
		last = until_follow(&m, 10000);
		assert_int_not_equal(last, 0);
	}
	assert_uint_in_range(last, first * 8, first * 64);
	wait_policy_disable_follow(&m.policy, m.now, FOLLOW_FORBIDDEN);
	assert_int_equal(until_follow(&m, 100000), 0);
	/* If stops are rare, no method saves time, so no other method is tried. */
	boot(&m, 5000 * USEC, 5000 * USEC, 5000 * USEC);
	assert_int_equal(until_follow(&m, 10000), 0);
}

static bool checks_cpu(struct machine *m, uint64_t stop)
{
	bool checked = false;

	for (int i = 0; i < WAIT_CLOCK_EVERY; i++) {
		m->now += stop;
		if (wait_policy_count_stop(&m->policy) && wait_policy_update(&m->policy, m->now))
			checked = m->policy.check_cpu;
	}
	return checked;
}

static void test_check_cpu(void **state attr_unused)
{
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	run(&m, 400);
	assert_int_equal(m.policy.now, WAIT_FOLLOW);
	assert_false(checks_cpu(&m, 10 * USEC));
	assert_true(checks_cpu(&m, 100 * USEC));
	assert_true(checks_cpu(&m, 100 * USEC));
	/* The thread is still on the same CPU, so the syscalls themselves are slow. */
	for (int i = 0; i < 4; i++)
		wait_policy_same_cpu(&m.policy);
	assert_false(checks_cpu(&m, 100 * USEC));
	wait_policy_follow_ended(&m.policy);
	assert_true(checks_cpu(&m, 10 * USEC));
}

/*
 * On a loaded machine, tracer sleeps at once, and does not try any other method until the load
 * decreases.
 */
static void test_loaded(void **state attr_unused)
{
	uint64_t from;
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	run(&m, 10000);
	assert_int_equal(m.policy.now, WAIT_FOLLOW);
	wait_policy_loaded(&m.policy, m.now);
	assert_int_equal(m.policy.now, WAIT_SLEEP);
	from = m.now;
	memset(m.spent, 0, sizeof(m.spent));
	while (m.now < from + WAIT_LOADED_NS / 2)
		run(&m, 1);
	wait_policy_loaded(&m.policy, m.now);
	/* Rising costs do not cause trials of other methods, either. */
	m.cost[WAIT_SLEEP] = 700 * USEC;
	while (m.now < from + WAIT_LOADED_NS)
		run(&m, 1);
	assert_int_equal(m.spent[WAIT_FOLLOW] + m.spent[WAIT_POLL], 0);
	m.cost[WAIT_SLEEP] = 170 * USEC;
	run(&m, 100000);
	assert_int_equal(m.policy.best, WAIT_FOLLOW);
}

static void test_only_sleep(void **state attr_unused)
{
	struct machine m = {.cost = {1, 100 * USEC, 1}};

	wait_policy_init(&m.policy, true);
	run(&m, 10000);
	assert_int_equal(m.policy.now, WAIT_SLEEP);
	assert_int_equal(m.spent[WAIT_FOLLOW] + m.spent[WAIT_POLL], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_best), cmocka_unit_test(test_prefers_sleep),
		cmocka_unit_test(test_change),	   cmocka_unit_test(test_follow_fails),
		cmocka_unit_test(test_check_cpu),  cmocka_unit_test(test_only_sleep),
		cmocka_unit_test(test_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
