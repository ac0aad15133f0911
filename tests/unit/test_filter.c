/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters on arguments, results and stacks. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake.h"
#include "fake_stack.h"
#include "capture/proc/live.h"
#include "select/filter.h"
#include "linux/syscall_desc.h"
#include "capture/capture.h"

#define MEMORY 0x10000

static struct filter f;
static struct tcb tcb;

static int setup(void **state)
{
	(void)state;
	filter_init(&f);
	tcb = (struct tcb){.tid = getpid(), .facts = live_facts_create(NULL)};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	filter_deinit(&f);
	live_facts_destroy(tcb.facts);
	return 0;
}

/*
 * Returns true if a syscall with these arguments passes the filter. The tracee's memory is at
 * MEMORY and begins with `memory`.
 */
static bool enter(int row, uint64_t a, uint64_t b, const char *memory)
{
	struct syscall_event e = {.base.tid = tcb.tid,
				  .abi = &abis[ABI_X86_64],
				  .row = row,
				  .desc = &syscall_descs[row],
				  .raw_args = {a, b}};
	struct fake fake;
	char bytes[64] = "";
	bool passes, memory_seen = false;

	snprintf(bytes, sizeof(bytes), "%s", memory);
	fake_init(&fake, MEMORY, bytes, sizeof(bytes));
	tcb.memory = fake.tcb.memory;
	passes = filter_enter(&f, tcb.memory, tcb.facts, &e, &memory_seen);
	fake_deinit(&fake);
	return passes;
}

static void test_paths(void **state)
{
	(void)state;
	assert_true(enter(ROW_chdir, 0, 0, "")); /* without -P, all syscalls pass */
	filter_add_path(&f, "/nosuch/file");
	assert_true(enter(ROW_chdir, MEMORY, 0, "/nosuch/file"));
	assert_true(enter(ROW_link, 0, MEMORY, "/nosuch/file"));
	assert_false(enter(ROW_chdir, MEMORY, 0, "/nosuch/file2"));
	assert_false(enter(ROW_chdir, MEMORY, 0, "/nosuch/fil"));
	assert_false(enter(ROW_chdir, MEMORY, 0, ""));
	assert_false(enter(ROW_chdir, 0, 0, "/nosuch/file"));
	assert_false(enter(ROW_chdir, MEMORY - 1, 0, "/nosuch/file"));
	/* The argument of write() is data, not a path. */
	assert_false(enter(ROW_write, 1, MEMORY, "/nosuch/file"));
	assert_false(enter(ROW_rename, 0, MEMORY, "/nosuch/file"));
}

static void test_fds(void **state)
{
	int null = open("/dev/null", O_RDONLY);

	(void)state;
	filter_add_path(&f, "/dev/null");
	assert_true(enter(ROW_close, null, 0, ""));
	assert_true(enter(ROW_close, (1ull << 32) + null, 0, ""));
	assert_false(enter(ROW_dup2, (uint64_t)-100, 100000, ""));
	assert_true(enter(ROW_poll, MEMORY, 8, (const char[]){null, 0}));
	assert_false(enter(ROW_poll, MEMORY, 0, (const char[]){null, 0}));
	close(null);
	assert_false(enter(ROW_close, null, 0, ""));

	filter_set_fds(&f, "100000,5");
	assert_true(enter(ROW_dup2, (uint64_t)-100, 100000, ""));
	assert_true(enter(ROW_dup2, (uint64_t)-100, 5, ""));
	assert_false(enter(ROW_close, 6, 0, ""));
	assert_true(enter(ROW_select, 6, MEMORY, "\x20"));
	assert_false(enter(ROW_select, 5, MEMORY, "\x20"));
	assert_false(enter(ROW_select, (uint64_t)-1, MEMORY, "\x20"));
	/* The argument nfds is larger than the descriptor sets in memory. */
	assert_false(enter(ROW_select, 513, MEMORY, "\x20"));
	assert_false(enter(ROW_select, INT_MAX, MEMORY, "\x20"));
	filter_set_fds(&f, "!5");
	assert_true(enter(ROW_close, 6, 0, ""));
	assert_false(enter(ROW_close, 5, 0, ""));
	assert_false(enter(ROW_close, (uint64_t)-1, 6, ""));
}

static void test_resolved(void **state)
{
	char dir[] = "/tmp/tracer-filter.XXXXXX", link[64], target[64], *resolved;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(target, sizeof(target), "%s/target", dir);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(close(creat(target, 0600)), 0);
	resolved = filter_add_path(&f, link);
	assert_string_equal(resolved, target);
	free(resolved);
	assert_true(enter(ROW_chdir, MEMORY, 0, link));
	assert_true(enter(ROW_chdir, MEMORY, 0, target));
	unlink(link);
	unlink(target);
	rmdir(dir);
}

static bool exits(enum ret_kind kind)
{
	struct syscall_event e = {.base = {.ret_kind = kind, .ret = kind == RET_RESTART ? 512 : 9}};

	return filter_exit(&f, NULL, &e);
}

static void test_status(void **state)
{
	static const struct {
		const char *status;
		bool value, error, restart, none, detached;
	} cases[] = {
		{"all", true, true, true, true, true},
		{"successful", true, false, false, false, false},
		{"failed", false, true, true, false, false},
		{"unfinished", false, false, false, true, false},
		{"unavailable", false, false, false, false, false},
		{"detached", false, false, false, false, true},
		{"!failed,detached", true, false, false, true, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		filter_set_status(&f, cases[i].status);
		assert_int_equal(filter_holds(&f), i > 0);
		assert_int_equal(exits(RET_VALUE), cases[i].value);
		assert_int_equal(exits(RET_ERROR), cases[i].error);
		assert_int_equal(exits(RET_RESTART), cases[i].restart);
		assert_int_equal(exits(RET_NONE), cases[i].none);
		assert_int_equal(filter_detached(&f), cases[i].detached);
		/* The thread was killed before its syscall number was known. */
		assert_true(filter_exit(
			&f, NULL,
			&(struct syscall_event){.base.ret_kind = RET_NONE, .unknown = true}));
	}
}

static bool stack_passes(const char *pattern)
{
	struct syscall_event e = {.base.ret_kind = RET_VALUE,
				  .base.stack = FAKE_STACK(&fake_stack_bad)};

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
		cmocka_unit_test_setup_teardown(test_resolved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_status, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stack, setup, teardown),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
