/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the colours set by STRACE_COLORS. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinks/text/palette.h"

static void test_pairs(void **state)
{
	struct palette p;

	(void)state;
	palette_init(&p, "syscall=1;33:bogus=3:error=31m\033[2J:argval=:const:retval=7:=4:");
	assert_string_equal(p.sequences[COLOR_SYSCALL], "\033[1;33m");
	assert_string_equal(p.sequences[COLOR_ERROR], "\033[31m");
	assert_string_equal(p.sequences[COLOR_ARG], "\033[35m");
	assert_string_equal(p.sequences[COLOR_CONST], "\033[34m");
	assert_string_equal(p.sequences[COLOR_RETVAL], "\033[7m");
	palette_deinit(&p);
}

/* Keys may be surrounded by blanks and have any letter case. The reset sequence cannot be set. */
static void test_spelling(void **state)
{
	struct palette p;

	(void)state;
	palette_init(&p, " SysCall\t= 35 :error=3 6: = 1:PUNCT=7 ");
	assert_string_equal(p.sequences[COLOR_SYSCALL], "\033[35m");
	assert_string_equal(p.sequences[COLOR_ERROR], "\033[31m");
	assert_string_equal(p.sequences[COLOR_PUNCT], "\033[7m");
	assert_string_equal(p.sequences[COLOR_RESET], "\033[0m");
	palette_deinit(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_spelling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
