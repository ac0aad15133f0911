/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters on arguments, results and stacks. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_stack.h"
#include "filter.h"
#include "tracee.h"

static struct filter f;
static struct tcb tcb;
static struct arena arena;

static int setup(void **state)
{
	(void)state;
	filter_init(&f);
	tcb = (struct tcb){.tid = getpid()};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	filter_deinit(&f);
	arena_reset(&arena);
	return 0;
}

static bool enter(struct value *first, struct value *second)
{
	struct syscall_event e = {.base.tcb = &tcb, .nargs = 2};

	e.args[0].in = first;
	e.args[1].in = second;
	return filter_enter(&f, &e);
}

static struct value *path(const char *s)
{
	struct value *v = value_string(&arena, s, strlen(s));

	v->flags |= VALUE_F_PATH;
	return v;
}

static struct value *fd(int n)
{
	return value_new(&arena, VALUE_FD, (uint64_t)(int64_t)n);
}

static void test_paths(void **state)
{
	struct value *cut = path("/nosuch/file"), *text = value_string(&arena, "/nosuch/file", 12);

	(void)state;
	assert_true(enter(text, NULL)); /* without -P everything passes */
	filter_add_path(&f, "/nosuch/file");
	assert_true(enter(path("/nosuch/file"), NULL));
	assert_true(enter(NULL, path("/nosuch/file")));
	assert_false(enter(path("/nosuch/file2"), NULL));
	assert_false(enter(path("/nosuch/fil"), NULL));
	assert_false(enter(path(""), value_int(&arena, 3)));
	assert_false(enter(text, NULL)); /* bytes written, not a path */
	cut->flags |= VALUE_F_MORE;
	assert_false(enter(cut, NULL));
}

static void test_fds(void **state)
{
	int null = open("/dev/null", O_RDONLY);
	struct value *polled = value_struct(&arena), *list = value_array(&arena);

	(void)state;
	filter_add_path(&f, "/dev/null");
	assert_true(enter(fd(null), NULL));
	assert_false(enter(fd(-100), fd(100000)));
	value_add_named(polled, "fd", fd(null));
	value_add(list, polled);
	assert_true(enter(list, NULL));
	close(null);
	assert_false(enter(fd(null), NULL));

	filter_set_fds(&f, "100000,5");
	assert_true(enter(fd(-100), fd(100000)));
	assert_false(enter(fd(6), NULL));
	filter_set_fds(&f, "!5");
	assert_true(enter(fd(6), NULL));
	assert_false(enter(fd(5), NULL));
	assert_false(enter(fd(-1), value_int(&arena, 6)));
}

/* Values nested beyond reason are not followed. */
static void test_nested(void **state)
{
	struct value *v = fd(5);

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		struct value *outer = value_struct(&arena);

		value_add_named(outer, "inner", v);
		v = outer;
	}
	filter_set_fds(&f, "5");
	assert_false(enter(v, NULL));
}

static void test_resolved(void **state)
{
	char dir[] = "/tmp/tracer-filter.XXXXXX", link[64], target[64];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(target, sizeof(target), "%s/target", dir);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(close(creat(target, 0600)), 0);
	filter_add_path(&f, link);
	assert_true(enter(path(link), NULL));
	assert_true(enter(path(target), NULL));
	unlink(link);
	unlink(target);
	rmdir(dir);
}

static bool exits(enum ret_kind kind, unsigned flags)
{
	struct syscall_event e = {.base.tcb = &tcb, .ret_kind = kind};

	tcb.flags = flags;
	return filter_exit(&f, NULL, &e);
}

static void test_status(void **state)
{
	static const struct {
		const char *status;
		bool value, error, restart, none, unavailable, detached;
	} cases[] = {
		{"all", true, true, true, true, true, true},
		{"successful", true, false, false, false, false, false},
		{"failed", false, true, true, false, false, false},
		{"unfinished", false, false, false, true, false, false},
		{"unavailable", false, false, false, false, true, false},
		{"detached", false, false, false, false, false, true},
		{"!failed,detached", true, false, false, true, true, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		filter_set_status(&f, cases[i].status);
		assert_int_equal(filter_holds(&f), i > 0);
		assert_int_equal(exits(RET_VALUE, 0), cases[i].value);
		assert_int_equal(exits(RET_ERROR, 0), cases[i].error);
		assert_int_equal(exits(RET_RESTART, 0), cases[i].restart);
		assert_int_equal(exits(RET_NONE, 0), cases[i].none);
		assert_int_equal(exits(RET_UNAVAILABLE, 0), cases[i].unavailable);
		assert_int_equal(exits(RET_NONE, TCB_DETACHING), cases[i].detached);
	}
}

static bool stack_passes(const char *pattern)
{
	struct syscall_event e = {
		.base.tcb = &tcb, .ret_kind = RET_VALUE, .stack = FAKE_STACK(&fake_stack_bad)};

	filter_set_stack(&f, pattern);
	return filter_exit(&f, NULL, &e);
}

static void test_stack(void **state)
{
	(void)state;
	assert_true(stack_passes("/read/"));
	assert_true(stack_passes("/libc.so.6\\(read$/"));
	assert_true(stack_passes("/^\\/bin\\/app\\(f/"));
	assert_true(stack_passes("/app\\($/"));
	assert_false(stack_passes("/write/"));
	assert_false(stack_passes("!/read/"));
	assert_true(stack_passes("!/write/"));
	assert_true(filter_needs_stack(&f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_paths, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nested, setup, teardown),
		cmocka_unit_test_setup_teardown(test_resolved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_status, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stack, setup, teardown),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
