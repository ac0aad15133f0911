/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Assignment of numbers to strings that are written only once. A frequent string keeps its number,
 * and memory usage is bounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "range.h"
#include "sinks/json/once.h"

static uint64_t number(struct once *o, const char *text, bool expect_added)
{
	bool added;
	uint64_t n = once_number(o, text, strlen(text), &added);

	assert_int_equal(added, expect_added);
	return n;
}

static void test_numbers(void **state attr_unused)
{
	struct once o = {.limit = 1 << 20};

	assert_int_equal(number(&o, "a", true), 1);
	assert_int_equal(number(&o, "ab", true), 2);
	assert_int_equal(number(&o, "", true), 3);
	assert_int_equal(number(&o, "a", false), 1);
	assert_int_equal(number(&o, "ab", false), 2);
	assert_int_equal(number(&o, "", false), 3);
	once_deinit(&o);
}

/* Strings are compared over their full length, including bytes after a null byte. */
static void test_bytes(void **state attr_unused)
{
	struct once o = {.limit = 1 << 20};
	bool added;

	assert_int_equal(once_number(&o, "x\0y", 3, &added), 1);
	assert_int_equal(once_number(&o, "x\0z", 3, &added), 2);
	assert_true(added);
	assert_int_equal(once_number(&o, "x\0y", 3, &added), 1);
	assert_false(added);
	once_deinit(&o);
}

static void test_bound(void **state attr_unused)
{
	struct once o = {.limit = 1 << 18};
	size_t most = 0;
	char text[200];

	assert_int_equal(number(&o, "often", true), 1);
	assert_int_equal(number(&o, "rare", true), 2);
	for (unsigned i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "%0*u", 150, i);
		assert_int_equal(number(&o, text, true), i + 3);
		/* Recently looked-up strings are still known. */
		assert_int_equal(number(&o, text, false), i + 3);
		assert_int_equal(number(&o, "often", false), 1);
		most = size_max(most, o.ages[0].texts.total + o.ages[1].texts.total);
	}
	/*
	 * Both generations have been filled, and have exceeded the limit by at most one allocation.
	 */
	assert_uint_in_range(most, o.limit, 2 * o.limit + (1 << 18));
	assert_int_equal(number(&o, "rare", true), 20003);
	once_deinit(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
