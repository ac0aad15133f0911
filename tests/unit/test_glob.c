/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Path patterns: the automaton matches the same texts as the regular expression. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "util/glob.h"

static bool same(const char *pattern, const char *text, bool *matches)
{
	struct glob g;
	regex_t regex;
	bool want;

	*matches = false;
	if (glob_compile(&regex, pattern))
		return true; /* an invalid pattern */
	want = !regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	*matches = want;
	if (!glob_build(&g, pattern) || glob_matches(&g, text, strlen(text)) == want)
		return true;
	printf("# pattern %s, text %s: want %d\n", pattern, text, want);
	return false;
}

/* Returns a pseudo-random number below n. The seed is constant. */
static unsigned draw(unsigned n)
{
	static uint32_t state = 12345;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

static void test_random(void **state)
{
	static const char *const elements[] = {
		"a",	 "b",	  "/",	 "*",	"**", "?",    "[ab]", "[!a]", "**/",	 "/**/",
		"[a-c]", "[^/b]", "\\*", "\\[", ".",  "[]a]", "[a-]", "[b",   "\xc3\xa4"};
	static const char characters[] = "aabb//c.*[\xc3\xa4]-";
	unsigned matches = 0, wrong = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		char pattern[64] = "", text[16] = "";
		const unsigned n = draw(6), m = draw(8);
		bool matched;

		for (unsigned k = 0; k < n; k++)
			strcat(pattern, elements[draw(ARRAY_SIZE(elements))]);
		for (unsigned k = 0; k < m; k++)
			text[k] = characters[draw(sizeof(characters) - 1)];
		wrong += !same(pattern, text, &matched);
		matches += matched;
	}
	assert_int_equal(wrong, 0);
	assert_true(matches > 5000);
}

static void test_limits(void **state)
{
	struct glob g;
	char pattern[128];

	(void)state;
	/* The longest patterns are left to the regular expression. */
	memset(pattern, 'a', sizeof(pattern));
	pattern[62] = '\0';
	assert_true(glob_build(&g, pattern));
	assert_true(glob_matches(&g, pattern, 62));
	assert_false(glob_matches(&g, pattern, 61));
	pattern[62] = 'a';
	pattern[63] = '\0';
	assert_false(glob_build(&g, pattern));
	assert_false(glob_build(&g, "[[:alpha:]]"));
	assert_false(glob_build(&g, "\\w"));
	/* A text that contains a NUL never matches. */
	assert_true(glob_build(&g, "/a/**"));
	assert_true(glob_matches(&g, "/a/bc", 5));
	assert_false(glob_matches(&g, "/a/b\0", 5));
	assert_false(glob_matches(&g, "/a/\0b", 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
