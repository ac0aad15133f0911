/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests of the sequence alignment for --diff. Results are compared with the longest common
 * subsequence.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "defs.h"
#include "sinks/diff/align.h"
#include "util/mem.h"

#define SMALL 60

/* Returns the length of the longest common subsequence. */
static size_t longest(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
	size_t rows[2][SMALL + 1] = {{0}};

	for (size_t i = 1; i <= n; i++) {
		const size_t *before = rows[(i - 1) & 1];
		size_t *row = rows[i & 1];

		for (size_t j = 1; j <= m; j++)
			row[j] = a[i - 1] == b[j - 1] ? before[j - 1] + 1
						      : size_max(before[j], row[j - 1]);
	}
	return rows[n & 1][m];
}

/*
 * Checks that matched elements are equal and have the same order in both sequences. Returns the
 * number of matches.
 */
static size_t check(const uint64_t *a, size_t n, const uint64_t *b, size_t m, const uint32_t *match)
{
	size_t count = 0, next = 0;

	for (size_t i = 0; i < n; i++) {
		if (match[i] == ALIGN_NONE)
			continue;
		assert_true(match[i] >= next && match[i] < m);
		assert_true(a[i] == b[match[i]]);
		next = (size_t)match[i] + 1;
		count++;
	}
	return count;
}

static void fill(uint64_t *v, size_t n, unsigned kinds)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (unsigned)rand() % kinds;
}

static void test_small(void **state)
{
	size_t found = 0, best = 0;

	(void)state;
	srand(1);
	for (int round = 0; round < 2000; round++) {
		uint64_t a[SMALL], b[SMALL];
		uint32_t match[SMALL];
		size_t n = (unsigned)rand() % SMALL, m = (unsigned)rand() % SMALL, most;
		unsigned kinds = 1 + (unsigned)rand() % 30;

		fill(a, n, kinds);
		fill(b, m, kinds);
		align_clear(match, n);
		align(a, n, b, m, match);
		most = longest(a, n, b, m);
		assert_true(check(a, n, b, m, match) <= most);
		found += check(a, n, b, m, match);
		best += most;
	}
	/*
	 * Unique elements are matched first, so there may be slightly fewer matches than in the
	 * best result.
	 */
	assert_true(found >= best * 85 / 100);
}

/* One block exists only in the first sequence, and another block only in the second sequence. */
static void test_blocks(void **state)
{
	enum { N = 30000, GAP = 5000 };
	uint64_t *a = mem_alloc(N * sizeof(*a)), *b = mem_alloc(N * sizeof(*b));
	uint32_t *match = mem_alloc(N * sizeof(*match));

	(void)state;
	for (size_t i = 0; i < N; i++) {
		a[i] = i % 700;
		b[i] = i % 700;
	}
	/* The block of `a` that `b` does not have begins at element 10000. */
	for (size_t i = 10000; i < 10000 + GAP; i++)
		a[i] = 1000000 + i % 3;
	memmove(&a[10000 + GAP], &b[10000], (N - 10000 - GAP) * sizeof(*a));
	align_clear(match, N);
	align(a, N, b, N, match);
	assert_int_equal(check(a, N, b, N, match), N - GAP);
	assert_int_equal(match[9999], 9999);
	assert_int_equal(match[10000 + GAP], 10000);
	free(a);
	free(b);
	free(match);
}

/* Long random sequences are aligned fast, whatever the number of distinct values. */
static void test_bounds(void **state)
{
	enum { N = 100000 };
	uint64_t *a = mem_alloc(N * sizeof(*a)), *b = mem_alloc(N * sizeof(*b));
	uint32_t *match = mem_alloc(N * sizeof(*match));

	(void)state;
	for (unsigned kinds = 2; kinds < 2000000; kinds *= 100) {
		fill(a, N, kinds);
		fill(b, N, kinds);
		align_clear(match, N);
		align(a, N, b, N, match);
		check(a, N, b, N, match);
	}
	free(a);
	free(b);
	free(match);
}

/* A second pass, with fewer distinct values, keeps the matches of the first pass. */
static void test_levels(void **state)
{
	const uint64_t a1[] = {1, 2, 3, 4}, b1[] = {1, 9, 3, 8};
	const uint64_t a2[] = {7, 5, 7, 6}, b2[] = {7, 5, 7, 6};
	uint32_t match[4];

	(void)state;
	align_clear(match, 4);
	align(a1, 4, b1, 4, match);
	assert_int_equal(match[1], ALIGN_NONE);
	align(a2, 4, b2, 4, match);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(match[i], i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
