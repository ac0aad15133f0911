/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loading shared libraries at run time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/library.h"

#define FUNCTIONS(X) X(getpid) X(getppid)

struct functions {
	FUNCTIONS(LIBRARY_POINTER)
};

static const char *const known[] = {FUNCTIONS(LIBRARY_NAME)};

static void test_loads(void **state attr_unused)
{
	struct functions f = {0};

	if (!getauxval(AT_BASE)) /* a static program cannot load libraries at run time */
		skip();
	assert_true(library_load("libc.so.6", known, ARRAY_SIZE(known), &f));
	assert_int_equal(f.getpid(), getpid());
	assert_int_equal(f.getppid(), getppid());
}

static void test_misses(void **state attr_unused)
{
	static const char *const unknown[] = {"no_such_function"};
	struct functions f = {0};

	assert_false(library_load("libc.so.6", unknown, 1, &f));
	assert_false(library_load("libnowhere.so.1", known, ARRAY_SIZE(known), &f));
	assert_null(f.getpid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_misses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
