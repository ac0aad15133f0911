/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which way to wait is learned: with a clock of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "capture/ptrace/tracee_way.h"

#define USEC 1000ULL

struct machine {
	struct ways ways;
	uint64_t now;
	uint64_t cost[WAYS]; /* of a stop */
	uint64_t spent[WAYS];
};

static void boot(struct machine *m, uint64_t near, uint64_t sleep, uint64_t ask)
{
	*m = (struct machine){.now = 1000000 * USEC, .cost = {near, sleep, ask}};
	ways_init(&m->ways, false);
}

static void run(struct machine *m, int stops)
{
	for (int i = 0; i < stops; i++) {
		m->now += m->cost[m->ways.now];
		m->spent[m->ways.now] += m->cost[m->ways.now];
		if (ways_stop(&m->ways))
			ways_glance(&m->ways, m->now);
	}
}

/* The cheapest way is found within a few stops, and trying the others takes little time. */
static void test_finds_best(void **state attr_unused)
{
	static const uint64_t costs[][WAYS] = {
		{10, 170, 35}, {10, 500, 400}, {100, 20, 50}, {100, 50, 20}, {90, 50, 500},
	};

	for (size_t i = 0; i < ARRAY_SIZE(costs); i++) {
		uint64_t total = 0;
		enum way best = 0;
		struct machine m;

		for (enum way way = 0; way < WAYS; way++)
			if (costs[i][way] < costs[i][best])
				best = way;
		boot(&m, costs[i][0] * USEC, costs[i][1] * USEC, costs[i][2] * USEC);
		run(&m, 400);
		assert_int_equal(m.ways.best, best);
		memset(m.spent, 0, sizeof(m.spent));
		run(&m, 100000);
		assert_int_equal(m.ways.best, best);
		for (enum way way = 0; way < WAYS; way++)
			total += m.spent[way];
		assert_in_range(m.spent[best], total / 100 * 96, total);
	}
}

/* If two ways cost the same, the one that leaves the CPU to others is taken. */
static void test_prefers_sleep(void **state attr_unused)
{
	struct machine m;

	boot(&m, 50 * USEC, 30 * USEC, 30 * USEC);
	run(&m, 1000);
	assert_int_equal(m.ways.best, WAY_SLEEP);
}

static void test_change(void **state attr_unused)
{
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	run(&m, 10000);
	assert_int_equal(m.ways.best, WAY_NEAR);
	/* From now on something else wants that CPU. */
	m.cost[WAY_NEAR] = 300 * USEC;
	run(&m, 1000);
	assert_int_equal(m.ways.best, WAY_ASK);
	m.cost[WAY_NEAR] = 10 * USEC;
	run(&m, 100000);
	assert_int_equal(m.ways.best, WAY_NEAR);
}

/* Until near is tried again; 0: not within so many stops. */
static uint64_t until_near(struct machine *m, int stops)
{
	uint64_t from = m->now;

	for (int i = 0; i < stops; i++) {
		run(m, 1);
		if (m->ways.now == WAY_NEAR)
			return m->now - from;
	}
	return 0;
}

static void test_not_near(void **state attr_unused)
{
	uint64_t first, last;
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	assert_int_not_equal(until_near(&m, 200), 0);
	ways_not_near(&m.ways, m.now, NEAR_NOT_YET);
	assert_int_equal(m.ways.now, WAY_ASK);
	assert_int_not_equal(until_near(&m, 200), 0);
	ways_not_near(&m.ways, m.now, NEAR_STARVES);
	assert_int_equal(m.ways.now, WAY_ASK);
	first = until_near(&m, 10000);
	assert_int_not_equal(first, 0);
	for (int i = 0; i < 5; i++) {
		ways_not_near(&m.ways, m.now, NEAR_STARVES);
		last = until_near(&m, 10000);
		assert_int_not_equal(last, 0);
	}
	assert_in_range(last, first * 8, first * 64);
	ways_not_near(&m.ways, m.now, NEAR_NEVER);
	assert_int_equal(until_near(&m, 100000), 0);
	/* Where stops are rare, no way can save anything. */
	boot(&m, 5000 * USEC, 5000 * USEC, 5000 * USEC);
	assert_int_equal(until_near(&m, 10000), 0);
}

static bool looks(struct machine *m, uint64_t stop)
{
	bool look = false;

	for (int i = 0; i < WAYS_GLANCE; i++) {
		m->now += stop;
		if (ways_stop(&m->ways) && ways_glance(&m->ways, m->now))
			look = m->ways.look;
	}
	return look;
}

static void test_look(void **state attr_unused)
{
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	run(&m, 400);
	assert_int_equal(m.ways.now, WAY_NEAR);
	assert_false(looks(&m, 10 * USEC));
	assert_true(looks(&m, 100 * USEC));
	assert_true(looks(&m, 100 * USEC));
	/* The thread has not moved: its calls are slow. */
	for (int i = 0; i < 4; i++)
		ways_in_place(&m.ways);
	assert_false(looks(&m, 100 * USEC));
	ways_near_ended(&m.ways);
	assert_true(looks(&m, 10 * USEC));
}

/* On a loaded machine the thread sleeps at once, and nothing else is tried as long as that lasts.
 */
static void test_loaded(void **state attr_unused)
{
	uint64_t from;
	struct machine m;

	boot(&m, 10 * USEC, 170 * USEC, 35 * USEC);
	run(&m, 10000);
	assert_int_equal(m.ways.now, WAY_NEAR);
	ways_loaded(&m.ways, m.now);
	assert_int_equal(m.ways.now, WAY_SLEEP);
	from = m.now;
	memset(m.spent, 0, sizeof(m.spent));
	while (m.now < from + WAYS_LOADED_NS / 2)
		run(&m, 1);
	ways_loaded(&m.ways, m.now);
	/* Costs that rise are no reason to try another way either. */
	m.cost[WAY_SLEEP] = 700 * USEC;
	while (m.now < from + WAYS_LOADED_NS)
		run(&m, 1);
	assert_int_equal(m.spent[WAY_NEAR] + m.spent[WAY_ASK], 0);
	m.cost[WAY_SLEEP] = 170 * USEC;
	run(&m, 100000);
	assert_int_equal(m.ways.best, WAY_NEAR);
}

static void test_only_sleep(void **state attr_unused)
{
	struct machine m = {.cost = {1, 100 * USEC, 1}};

	ways_init(&m.ways, true);
	run(&m, 10000);
	assert_int_equal(m.ways.now, WAY_SLEEP);
	assert_int_equal(m.spent[WAY_NEAR] + m.spent[WAY_ASK], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_best), cmocka_unit_test(test_prefers_sleep),
		cmocka_unit_test(test_change),	   cmocka_unit_test(test_not_near),
		cmocka_unit_test(test_look),	   cmocka_unit_test(test_only_sleep),
		cmocka_unit_test(test_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
