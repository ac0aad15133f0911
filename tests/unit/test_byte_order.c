/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decoding for an imaginary big-endian machine with the ABI of x86_64. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "capture/plan.h"
#include "fake.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "util/byte_order.h"
#include "util/cursor.h"

#define BASE 0x10000

static struct arch arch;
static struct abi abi;

static void be(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = v >> 8 * (n - 1 - i);
}

/* Decodes a syscall of the imaginary machine and compares its arguments with `text`. */
static void check(const char *name, const uint64_t *args, int64_t ret, uint8_t *bytes, size_t size,
		  const char *text)
{
	struct strbuf out = {0};
	struct fake f;
	struct syscall_event *ev;

	fake_init(&f, BASE, bytes, size);
	f.tcb.regs = (struct syscall_regs){.audit = abi.audit,
					   .nr = abi_number(&abi, syscall_desc_find(name))};
	memcpy(f.tcb.regs.args, args, sizeof(f.tcb.regs.args));
	ev = syscall_begin(&f.tcb, f.rows);
	ev->abi = &abi;
	syscall_decode_enter(&f.tcb, &f.config);
	fake_exit(&f, ret);
	assert_string_equal(fake_text(&f, &out), text);
	strbuf_deinit(&out);
	fake_deinit(&f);
}

static void test_load(void **state)
{
	static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct cursor c = {bytes, bytes + sizeof(bytes), false};

	(void)state;
	assert_true(load_uint(bytes, 8, true) == 0x0102030405060708);
	assert_true(load_uint(bytes, 8, false) == 0x0807060504030201);
	assert_true(load_uint(bytes, 3, true) == 0x010203);
	assert_true(load_uint(bytes, 3, false) == 0x030201);
	assert_true(load_uint(bytes, 0, true) == 0);
	assert_true(cursor_uint(&c, 4) == 0x04030201);
}

/* Struct members, one of which is shown only if a flag is set. */
static void test_structs(void **state)
{
	uint8_t bytes[64] = {0};

	(void)state;
	be(bytes, 3, 8);
	be(bytes + 8, 500, 8);
	check("nanosleep", (uint64_t[6]){BASE, 0}, 0, bytes, sizeof(bytes),
	      "{tv_sec=3, tv_nsec=500}, NULL");
	be(bytes, 0x80000, 8);
	be(bytes + 8, 0644, 8);
	be(bytes + 16, 8, 8);
	memcpy(bytes + 32, "/etc", 5);
	check("openat2", (uint64_t[6]){(uint64_t)-100, BASE + 32, BASE, 24}, 3, bytes,
	      sizeof(bytes),
	      "AT_FDCWD, \"/etc\", {flags=O_RDONLY|O_CLOEXEC, mode=0644, resolve=RESOLVE_BENEATH}, "
	      "24");
}

/* Arrays that are decoded at syscall exit. */
static void test_arrays(void **state)
{
	uint8_t bytes[8] = {0};

	(void)state;
	be(bytes, 3, 4);
	be(bytes + 4, 4, 4);
	check("pipe2", (uint64_t[6]){BASE, 0x80000}, 0, bytes, sizeof(bytes), "[3, 4], O_CLOEXEC");
}

/* Strings whose addresses are in memory. */
static void test_pointers(void **state)
{
	uint8_t bytes[64] = {0};

	(void)state;
	be(bytes, BASE + 40, 8);
	be(bytes + 8, 2, 8);
	be(bytes + 16, BASE + 48, 8);
	be(bytes + 24, 3, 8);
	memcpy(bytes + 40, "ab", 2);
	memcpy(bytes + 48, "cde", 3);
	check("writev", (uint64_t[6]){1, BASE, 2}, 5, bytes, sizeof(bytes),
	      "1, [{iov_base=\"ab\", iov_len=2}, {iov_base=\"cde\", iov_len=3}], 2");
	memset(bytes, 0, sizeof(bytes));
	be(bytes, BASE + 40, 8);
	memcpy(bytes + 40, "a\0bc", 4);
	be(bytes + 8, BASE + 42, 8);
	check("execve", (uint64_t[6]){BASE + 40, BASE, 0}, -2, bytes, sizeof(bytes),
	      "\"a\", [\"a\", \"bc\"], NULL");
}

/* A read plan follows the pointers in a list. */
static void test_plan(void **state)
{
	const uint64_t args[SYSCALL_ARGS_MAX] = {BASE};
	struct plan plan = {.whole = true};
	struct plan_read reads[4];
	uint8_t bytes[64] = {0};
	struct arena arena = {0};
	struct fake f;
	unsigned n;

	(void)state;
	be(bytes, BASE + 40, 8);
	memcpy(bytes + 40, "ab", 3);
	fake_init(&f, BASE, bytes, sizeof(bytes));
	plan_add(&plan, (struct plan_op){.kind = PLAN_POINTERS,
					 .place = PLAN_ARGUMENT,
					 .limit = PLAN_ELEMENTS,
					 .pointer = 8,
					 .parent = -1});
	plan_add(&plan, (struct plan_op){.kind = PLAN_STRING,
					 .place = PLAN_POINTER,
					 .limit = PLAN_TEXT,
					 .pointer = 8});
	n = plan_run(&plan,
		     &(struct plan_call){.memory = f.tcb.memory,
					 .args = args,
					 .big_endian = abi.arch->big_endian},
		     &(struct plan_limits){.bytes = {[PLAN_ELEMENTS] = 16, [PLAN_TEXT] = 32},
					   .depth = 2},
		     &arena, reads, ARRAY_SIZE(reads));
	assert_int_equal(n, 2);
	assert_true(reads[1].addr == BASE + 40);
	assert_memory_equal(reads[1].bytes, "ab", 3);
	arena_reset(&arena);
	fake_deinit(&f);
}

static int make_machine(void **state)
{
	(void)state;
	abi = abis[ABI_X86_64];
	arch = *abi.arch;
	arch.big_endian = true;
	abi.arch = &arch;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load),   cmocka_unit_test(test_structs),
		cmocka_unit_test(test_arrays), cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_plan),
	};

	return cmocka_run_group_tests(tests, make_machine, NULL);
}
