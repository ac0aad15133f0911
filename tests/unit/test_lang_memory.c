/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of readers of language frames: which words are read for the next stack, with how many
 * reads, and whether each change of these words is noticed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "capture/memory.h"
#include "stack/lang/memory.h"
#include "stack/walk/snapshot.h"
#include "tests/unit/range.h"

#define BASE 0x7ffc00000000ull
#define SIZE 65536u

struct fake {
	struct memory memory;
	uint8_t bytes[SIZE];
	uint64_t hole; /* address of an unreadable page, or 0 if there is none */
	unsigned calls, ops;
	uint64_t read; /* number of bytes read */
};

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct fake *f = container_of(m, struct fake, memory);

	f->calls++;
	if (addr < BASE || addr - BASE >= SIZE || addr / 4096 == f->hole / 4096)
		return -EFAULT;
	n = size_min(n, SIZE - (addr - BASE));
	memcpy(buf, f->bytes + (addr - BASE), n);
	f->read += n;
	return (ssize_t)n;
}

static void read_batch(struct memory *m, struct memory_op *ops, size_t count)
{
	struct fake *f = container_of(m, struct fake, memory);
	const unsigned calls = f->calls;

	for (size_t i = 0; i < count; i++)
		ops[i].got = read_some(m, ops[i].addr, ops[i].buf, ops[i].n);
	f->calls = calls + (count > 0);
	f->ops += count;
}

static const struct memory_ops ops = {.read_some = read_some, .read_batch = read_batch};

static struct fake fake;
static struct lang_memory m;
static struct lang_hint hint;

static int setup(void **state)
{
	(void)state;
	fake = (struct fake){.memory = {&ops}};
	for (size_t i = 0; i < SIZE; i++)
		fake.bytes[i] = i * 2654435761u >> 11;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	lang_hint_deinit(&hint);
	lang_memory_deinit(&m);
	memset(&m, 0, sizeof(m));
	memset(&hint, 0, sizeof(hint));
	return 0;
}

/* Reads n bytes at an offset and checks them. */
static void need(uint64_t at, size_t n)
{
	uint8_t buf[4096];

	assert_true(lang_read(&m, BASE + at, buf, n));
	assert_memory_equal(buf, fake.bytes + at, n);
}

/* The words that a stack needs: in one page, in adjacent pages, and far away. */
static void stack(void)
{
	need(16, 8);
	need(3000, 1);
	need(4090, 16);
	need(20004, 100);
	need(40000, 1500);
}

/* Starts a stack. Returns true if the memory of the last stack is unchanged. */
static bool begin(void)
{
	fake.calls = fake.ops = 0;
	fake.read = 0;
	lang_memory_begin(&m, &fake.memory, &hint);
	return lang_memory_unchanged(&m, &hint);
}

static void test_unchanged(void **state)
{
	(void)state;
	assert_false(begin());
	stack();
	lang_memory_end(&m, &hint);
	for (int i = 0; i < 3; i++) {
		assert_true(begin());
		assert_int_equal(fake.calls, 1);
		assert_int_equal(fake.ops, 3);
		assert_uint_in_range(fake.read, 1700, 6200);
		/* The same data, without more reads. */
		stack();
		assert_int_equal(fake.calls, 1);
		lang_memory_end(&m, &hint);
	}
	/* Words that were not needed may change. */
	fake.bytes[24] ^= 1;
	fake.bytes[3008] ^= 1;
	fake.bytes[19999] ^= 1;
	assert_true(begin());
	/* The words that the last stack needed stay needed, and others are added. */
	need(24, 8);
	lang_memory_end(&m, &hint);
	fake.bytes[24] ^= 1;
	assert_false(begin());
	stack();
	lang_memory_end(&m, &hint);
	fake.bytes[41499] ^= 1;
	assert_false(begin());
	stack();
	lang_memory_end(&m, &hint);
	assert_true(begin());
}

static void test_each_byte(void **state)
{
	static const struct {
		unsigned at, n;
	} needed[] = {{16, 8}, {3000, 1}, {4090, 16}, {20004, 100}, {40000, 1500}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		for (unsigned k = 0; k < needed[i].n; k++) {
			begin();
			stack();
			lang_memory_end(&m, &hint);
			fake.bytes[needed[i].at + k] ^= 128;
			assert_false(begin());
			stack();
			lang_memory_end(&m, &hint);
		}
}

static void test_not_whole(void **state)
{
	uint8_t buf[8];

	(void)state;
	begin();
	stack();
	assert_true(lang_read_once(&m, BASE, buf, sizeof(buf)));
	lang_memory_end(&m, &hint);
	assert_false(begin());
	stack();
	lang_memory_end(&m, &hint);
	assert_true(begin());
	lang_memory_end(&m, &hint);
	/* Memory that has become unreadable is not unchanged. */
	fake.hole = BASE + 20004;
	assert_false(begin());
	assert_false(lang_read(&m, BASE + 20004, buf, sizeof(buf)));
	need(40000, 1500);
	lang_memory_end(&m, &hint);
	assert_false(begin());
}

static void test_snapshot(void **state)
{
	struct memory_batch none = {0};
	struct snapshot snap = {0};

	(void)state;
	m.snap = &snap;
	for (int i = 0; i < 3; i++) {
		snapshot_begin(&snap, &fake.memory, BASE + 20000, NULL, &none);
		assert_int_equal(begin(), i == 1);
		stack();
		/* The snapshot contains the words at 20004, so they are not read again. */
		if (i)
			assert_int_equal(fake.ops, 2);
		lang_memory_end(&m, &hint);
		fake.bytes[20103] ^= i;
	}
	snapshot_deinit(&snap);
	vec_deinit(&none.ops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_unchanged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_byte, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(test_snapshot, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
