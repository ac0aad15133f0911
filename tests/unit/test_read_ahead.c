/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The number of kernel calls needed to read the arguments of execve(2), depending on where its
 * lists are in memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/core/plan_types.h"
#include "fake.h"
#include "linux/arch/abi.h"

#define BASE	  0x100000ull
#define PAGE	  4096
#define PAGES	  64
#define VARIABLES 400 /* maximum number of environment variables */

/*
 * Memory that counts the process_vm_readv(2) calls it would need: one for each single read or
 * batch, plus one for each failed read of a batch.
 */
struct counted {
	struct memory memory, *real;
	unsigned calls;
};

static ssize_t counted_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct counted *c = container_of(m, struct counted, memory);

	c->calls++;
	return memory_read_some(c->real, addr, buf, n);
}

static void counted_batch(struct memory *m, struct memory_op *ops, size_t count)
{
	struct counted *c = container_of(m, struct counted, memory);

	assert_true(count <= 64);
	c->calls++;
	for (size_t i = 0; i < count; i++) {
		ops[i].got = memory_read_some(c->real, ops[i].addr, ops[i].buf, ops[i].n);
		c->calls += ops[i].got < (ssize_t)ops[i].n;
	}
}

static const struct memory_ops counted_ops = {.read_some = counted_some,
					      .read_batch = counted_batch};

/* A tracee with PAGES pages of memory. Its syscalls are decoded as with -v. */
struct world {
	struct fake fake;
	struct counted counted;
	uint8_t *bytes, *modes;
	struct plans *plans;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	size_t modes = (size_t)ABI_COUNT * syscall_desc_count;

	w->bytes = calloc(PAGES, PAGE);
	w->modes = malloc(modes);
	memset(w->modes, DECODE_FULL, modes);
	w->plans = plans_create();
	fake_init(&w->fake, BASE, w->bytes, (size_t)PAGES * PAGE);
	w->fake.config.per_syscall = w->modes;
	w->counted = (struct counted){.memory.ops = &counted_ops, .real = w->fake.tcb.memory};
	w->fake.tcb.memory = &w->counted.memory;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	fake_deinit(&w->fake);
	plans_destroy(w->plans);
	free(w->modes);
	free(w->bytes);
	free(w);
	return 0;
}

static void put(struct world *w, uint64_t addr, const void *bytes, size_t n)
{
	assert_true(addr >= BASE && addr + n <= BASE + (uint64_t)PAGES * PAGE);
	memcpy(w->bytes + (addr - BASE), bytes, n);
}

/*
 * Writes a list of n pointers at addr, and the strings that they point to. The first string is at
 * `first`, and each further string is `step` bytes after the previous string. If `endless` is set,
 * the list has no final NULL.
 */
static void put_list(struct world *w, uint64_t addr, unsigned n, uint64_t first, int step,
		     bool endless)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t to = first + (int64_t)step * i;
		char text[24];

		put(w, addr + 8 * i, &to, sizeof(to));
		snprintf(text, sizeof(text), "NAME%u=value", i);
		put(w, to, text, strlen(text) + 1);
	}
	if (!endless)
		put(w, addr + 8 * n, &(uint64_t){0}, 8);
}

/*
 * Decodes execve("/bin/program", {"program"}, envp) and returns the number of kernel calls. Checks
 * that the text is the same without read-ahead.
 */
static unsigned execve_calls(struct world *w, uint64_t envp)
{
	static const char path[] = "/bin/program";
	const uint64_t name = BASE + PAGE - 64, argv = BASE + PAGE / 2;
	const uint64_t args[6] = {name, argv, envp};
	struct strbuf plain = {0}, ahead = {0};
	unsigned calls;

	put(w, name, path, sizeof(path));
	put(w, argv, (uint64_t[]){name + 5, 0}, 16);
	w->fake.config.plans = NULL;
	fake_enter(&w->fake, "execve", args);
	fake_text(&w->fake, &plain);
	w->fake.config.plans = w->plans;
	w->counted.calls = 0;
	fake_enter(&w->fake, "execve", args);
	calls = w->counted.calls;
	assert_string_equal(fake_text(&w->fake, &ahead), strbuf_str(&plain));
	strbuf_deinit(&ahead);
	strbuf_deinit(&plain);
	return calls;
}

static void at_most(unsigned calls, unsigned most, unsigned variables, unsigned before)
{
	if (calls <= most)
		return;
	print_message("%u variables, %u bytes of the list before the end of its page: %u kernel "
		      "calls, at most %u\n",
		      variables, before, calls, most);
	fail();
}

/*
 * Consecutive strings, as in the environment of a new program, need two kernel calls, or three if a
 * string crosses a page boundary.
 */
static void test_any_place(void **state)
{
	struct world *w = *state;

	for (unsigned n = 0; n <= 120; n += n < 40 ? 1 : 8)
		for (unsigned before = 8; before <= 1024; before += 8) {
			const uint64_t strings = BASE + 8 * PAGE + 16 * before;

			put_list(w, BASE + 4 * PAGE - before, n, strings, 17, false);
			at_most(execve_calls(w, BASE + 4 * PAGE - before), 3, n, before);
		}
}

/* If no string crosses a page boundary, two kernel calls are enough. */
static void test_two_calls(void **state)
{
	struct world *w = *state;

	for (unsigned n = 0; n <= 120; n++) {
		put_list(w, BASE + 4 * PAGE - 64, n, BASE + 8 * PAGE, 16, false);
		at_most(execve_calls(w, BASE + 4 * PAGE - 64), 2, n, 64);
	}
}

/*
 * If the strings are in descending order, at most three kernel calls and one more for every 20
 * strings are needed.
 */
static void test_scattered(void **state)
{
	struct world *w = *state;

	for (unsigned n = 1; n <= VARIABLES; n += 19) {
		put_list(w, BASE + 4 * PAGE - 64, n, BASE + 40 * PAGE, -48, false);
		at_most(execve_calls(w, BASE + 4 * PAGE - 64), 3 + n / 20, n, 64);
	}
}

/* A list that is longer than the first read. */
static void test_long(void **state)
{
	struct world *w = *state;

	put_list(w, BASE + 4 * PAGE - 64, VARIABLES, BASE + 8 * PAGE, 16, false);
	at_most(execve_calls(w, BASE + 4 * PAGE - 64), 4, VARIABLES, 64);
}

/*
 * Lists that reach the end of memory, with and without a final NULL, and a list with a string that
 * reaches the end of memory.
 */
static void test_ends(void **state)
{
	struct world *w = *state;
	const uint64_t end = BASE + (uint64_t)PAGES * PAGE, last = end - 3;

	for (unsigned n = 1; n < 60; n++) {
		put_list(w, end - 8 * n, n, BASE + 8 * PAGE, 16, true);
		at_most(execve_calls(w, end - 8 * n), 7, n, 8 * n);
		put_list(w, end - 8 * (n + 1), n, BASE + 8 * PAGE, 16, false);
		at_most(execve_calls(w, end - 8 * (n + 1)), 4, n, 8 * n + 8);
	}
	put(w, last, "abc", 3);
	put_list(w, BASE + 4 * PAGE - 24, 4, BASE + 8 * PAGE, 16, false);
	put(w, BASE + 4 * PAGE - 16, &last, sizeof(last));
	at_most(execve_calls(w, BASE + 4 * PAGE - 24), 6, 4, 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_any_place, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_calls, setup, teardown),
		cmocka_unit_test_setup_teardown(test_scattered, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
