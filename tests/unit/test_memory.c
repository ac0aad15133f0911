/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory in chunks. Bytes within chunks can be read, and reads outside all chunks fail with the
 * chosen error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/chunks.h"

static struct chunks c;

static int setup(void **state)
{
	(void)state;
	chunks_init(&c);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	chunks_deinit(&c);
	return 0;
}

static void test_reads(void **state)
{
	char buf[32] = "";

	(void)state;
	chunks_add(&c, 0x1000, "abcdef", 6);
	chunks_add(&c, 0x1006, "ghi", 4);
	assert_int_equal(memory_read(&c.memory, 0x1002, buf, 6), 0);
	assert_memory_equal(buf, "cdefgh", 6);
	assert_int_equal(memory_read_some(&c.memory, 0x1008, buf, 30), 2);
	assert_int_equal(memory_read(&c.memory, 0x1008, buf, 3), -ENODATA);
	assert_int_equal(memory_read(&c.memory, 0xfff, buf, 2), -ENODATA);
	assert_int_equal(memory_read(&c.memory, 0, buf, 0), 0);
	assert_int_equal(memory_read_some(&c.memory, 0, buf, 0), 0);
	assert_int_equal(memory_read_string(&c.memory, 0x1000, buf, 32), 9);
	assert_string_equal(buf, "abcdefghi");
	assert_int_equal(memory_read_string(&c.memory, 0x1000, buf, 4), 4);
}

/*
 * Memory that the tracee itself cannot read and memory that was not recorded have different errors.
 */
static void test_errors(void **state)
{
	char buf[8];

	(void)state;
	chunks_add(&c, 0x1ffe, "ab", 2);
	chunks_add_error(&c, 0x2000, 0x1000, -EFAULT);
	assert_int_equal(memory_read(&c.memory, 0x1ffe, buf, 3), -EFAULT);
	assert_int_equal(memory_read_some(&c.memory, 0x1ffe, buf, 3), 2);
	assert_int_equal(memory_read_string(&c.memory, 0x1ffe, buf, 8), -EFAULT);
	assert_int_equal(memory_read_some(&c.memory, 0x2fff, buf, 1), -EFAULT);
	assert_int_equal(memory_read_some(&c.memory, 0x3000, buf, 1), -ENODATA);
	c.absent = -EFAULT;
	assert_int_equal(memory_read_some(&c.memory, 0x3000, buf, 1), -EFAULT);
}

/* Chunks may be added in any order. Where chunks overlap, the chunk that was added last is used. */
static void test_overlaps(void **state)
{
	char buf[16];

	(void)state;
	chunks_add(&c, 0x1008, "89abcdef", 8);
	chunks_add(&c, 0x1000, "01234567", 8);
	chunks_add(&c, 0x1004, "----", 4);
	chunks_add(&c, 0x1007, "++", 2);
	chunks_add(&c, 0x100c, "*", 1);
	assert_int_equal(memory_read(&c.memory, 0x1000, buf, 16), 0);
	assert_memory_equal(buf, "0123---++9ab*def", 16);
	chunks_add(&c, 0xffe, "################", 16);
	assert_int_equal(memory_read(&c.memory, 0x1000, buf, 16), 0);
	assert_memory_equal(buf, "##############ef", 16);
	chunks_add_error(&c, 0x1001, 2, -EIO);
	assert_int_equal(memory_read(&c.memory, 0x1000, buf, 2), -EIO);
	assert_int_equal(memory_read(&c.memory, 0x1003, buf, 13), 0);
	chunks_clear(&c);
	assert_int_equal(memory_read(&c.memory, 0x1000, buf, 1), -ENODATA);
}

static void test_ends(void **state)
{
	char buf[16];

	(void)state;
	chunks_add(&c, UINT64_MAX - 3, "last", 4);
	chunks_add(&c, 0, "zero", 4);
	assert_int_equal(memory_read_some(&c.memory, UINT64_MAX - 1, buf, 16), 2);
	assert_memory_equal(buf, "st", 2);
	chunks_add(&c, UINT64_MAX, "T", 1);
	assert_int_equal(memory_read(&c.memory, UINT64_MAX - 1, buf, 2), 0);
	assert_memory_equal(buf, "sT", 2);
	assert_int_equal(memory_read(&c.memory, 2, buf, 2), 0);
	assert_memory_equal(buf, "ro", 2);
	chunks_add(&c, 8, "", 0);
	assert_int_equal(memory_read_some(&c.memory, 8, buf, 1), -ENODATA);
}

/* Compares a thousand overlapping chunks within 64 bytes with an ordinary array. */
static void test_random(void **state)
{
	static char bytes[1000][16];
	char model[64], buf[64];
	bool known[64] = {false};
	unsigned seed = 7;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		unsigned at, n;

		seed = seed * 1103515245 + 12345;
		at = seed >> 16 & 63;
		n = size_min((seed >> 8 & 15) + 1, 64 - at);
		memset(bytes[i], (int)i, sizeof(bytes[i]));
		chunks_add(&c, 0x100 + at, bytes[i], n);
		memset(model + at, (int)i, n);
		memset(known + at, true, n);
		for (at = 0; at < 64; at++) {
			for (n = 0; at + n < 64 && known[at + n];)
				n++;
			assert_int_equal(memory_read_some(&c.memory, 0x100 + at, buf, 64),
					 n ? (int)n : -ENODATA);
			assert_memory_equal(buf, model + at, n);
		}
	}
}

static void test_batch(void **state)
{
	char a[4], b[4];
	struct memory_op ops[] = {{0x1000, a, 4, 0}, {0x1002, b, 4, 0}, {0x3000, b, 1, 0}};

	(void)state;
	chunks_add(&c, 0x1000, "abcd", 4);
	memory_read_batch(&c.memory, ops, ARRAY_SIZE(ops));
	assert_int_equal(ops[0].got, 4);
	assert_int_equal(ops[1].got, 2);
	assert_int_equal(ops[2].got, -ENODATA);
	assert_memory_equal(b, "cd", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_reads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overlaps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_batch, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
