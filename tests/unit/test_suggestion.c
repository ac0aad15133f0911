/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suggestions for misspelled names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "util/suggestion.h"

static const char *nearest(const char *word)
{
	static const char *const names[] = {"read", "readv", "readahead", "open", "openat"};
	struct suggestion s = {.word = word};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		suggestion_consider(&s, names[i]);
	return s.name ? s.name : "";
}

static void test_mistakes(void **state)
{
	(void)state;
	assert_string_equal(nearest("raed"), "read");
	assert_string_equal(nearest("rea"), "read");
	assert_string_equal(nearest("reead"), "read");
	assert_string_equal(nearest("READ"), "read");
	assert_string_equal(nearest("opnat"), "openat");
	assert_string_equal(nearest("raedahaed"), "readahead");
}

static void test_nothing_near(void **state)
{
	char longer[100];

	(void)state;
	assert_string_equal(nearest(""), "");
	assert_string_equal(nearest("re"), "");
	assert_string_equal(nearest("bread"), "");
	assert_string_equal(nearest("rxxd"), "");
	assert_string_equal(nearest("write"), "");
	memset(longer, 'r', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = 0;
	assert_string_equal(nearest(longer), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_nothing_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
