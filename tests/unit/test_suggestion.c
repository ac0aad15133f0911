/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names that mistyped words were probably meant to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

static void test_text(void **state)
{
	struct suggestion s = {.word = "opne"};
	char *text = suggestion_text(&s);

	(void)state;
	assert_string_equal(text, "");
	free(text);
	suggestion_consider(&s, "open");
	text = suggestion_text(&s);
	assert_non_null(strstr(text, ": did you mean 'open'?"));
	assert_int_equal(*text, '\n');
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_nothing_near),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
