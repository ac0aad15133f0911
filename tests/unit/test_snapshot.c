/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Snapshots of stacks: which parts are read, with how many reads, and whether the bytes are
 * correct.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "capture/memory.h"
#include "stack/walk/snapshot.h"

#define BASE 0x7ffc00000000ull
#define SIZE (1u << 20)

/* Memory in which each word contains its own address. Some of the memory cannot be read. */
struct pattern {
	struct memory memory;
	uint64_t hole; /* address of an unreadable page, or 0 if there is none */
	unsigned calls;
	uint64_t bytes;
};

static struct memory_batch none;

static bool readable(const struct pattern *p, uint64_t addr)
{
	return addr >= BASE && addr < BASE + SIZE &&
	       !(p->hole && addr >= p->hole && addr < p->hole + 4096);
}

static ssize_t read_pattern(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct pattern *p = container_of(m, struct pattern, memory);
	uint8_t *out = buf;
	size_t got = 0;

	p->calls++;
	for (; got < n && readable(p, addr + got); got++)
		out[got] = (addr + got) >> 8 * ((addr + got) % 8);
	p->bytes += got;
	return got ? (ssize_t)got : -EFAULT;
}

static void read_batch(struct memory *m, struct memory_op *ops, size_t count)
{
	struct pattern *p = container_of(m, struct pattern, memory);
	unsigned calls = p->calls;

	for (size_t i = 0; i < count; i++)
		ops[i].got = read_pattern(m, ops[i].addr, ops[i].buf, ops[i].n);
	p->calls = calls + 1;
}

static const struct memory_ops ops = {.read_some = read_pattern, .read_batch = read_batch};

static void word(struct snapshot *s, uint64_t addr)
{
	uint64_t v, want = 0;

	assert_true(snapshot_read(s, addr, &v, sizeof(v)));
	for (unsigned i = 0; i < 8; i++)
		want |= (uint64_t)(uint8_t)((addr + i) >> 8 * ((addr + i) % 8)) << 8 * i;
	assert_int_equal(v, want);
}

/*
 * Reads the return address and the saved frame pointer of n frames of `size` bytes each, starting
 * at sp.
 */
static void frames(struct snapshot *s, uint64_t sp, uint64_t size, unsigned n)
{
	for (unsigned i = 1; i <= n; i++) {
		word(s, sp + i * size - 8);
		word(s, sp + i * size - 16);
	}
}

/* Frames of 100 KiB, with small frames before and after them, are read in a few small parts. */
static void test_large_frames(void **state)
{
	struct pattern p = {.memory.ops = &ops};
	struct snapshot s = {0};
	struct snapshot_hint hint = {0};
	const uint64_t sp = BASE + 24;

	(void)state;
	for (int round = 0; round < 100; round++) {
		p.calls = p.bytes = 0;
		snapshot_begin(&s, &p.memory, sp, &hint, &none);
		frames(&s, sp, 64, 10);
		frames(&s, sp + 640, 100 * 1024, 3);
		frames(&s, sp + 640 + 3 * 100 * 1024, 128, 5);
		assert_int_equal(s.reads, p.calls);
		assert_int_equal(s.bytes, p.bytes);
		snapshot_end(&s, sp, &hint);
		assert_true(p.bytes <= 8192);
		assert_true(p.calls <= (round ? 1 : 8));
	}
	snapshot_deinit(&s);
}

/* If syscalls alternate between two stack depths, most syscalls need only one read. */
static void test_two_depths(void **state)
{
	struct pattern p = {.memory.ops = &ops};
	struct snapshot s = {0};
	struct snapshot_hint hint = {0};
	unsigned more = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		const uint64_t sp = BASE + (round % 2 ? 40000 : 90000);

		p.calls = 0;
		snapshot_begin(&s, &p.memory, sp, &hint, &none);
		frames(&s, sp, 256, 4);
		if (round % 2)
			frames(&s, BASE + 90000, 256, 4);
		snapshot_end(&s, sp, &hint);
		more += round > 2 && p.calls > 1;
	}
	assert_true(more <= 20);
	snapshot_deinit(&s);
}

/* With deep recursion, the stack is larger than a snapshot and is read in large parts. */
static void test_deep(void **state)
{
	struct pattern p = {.memory.ops = &ops};
	struct snapshot s = {0};
	struct snapshot_hint hint = {0};

	(void)state;
	snapshot_begin(&s, &p.memory, BASE, &hint, &none);
	frames(&s, BASE, 48, SIZE / 48);
	assert_true(p.calls < SIZE / 2048);
	/* Parts that the snapshot has discarded are read again. */
	frames(&s, BASE, 48, 10);
	snapshot_end(&s, BASE, &hint);
	snapshot_deinit(&s);
}

static void test_unreadable(void **state)
{
	struct pattern p = {.memory.ops = &ops, .hole = BASE + 8192};
	struct snapshot s = {0};
	struct snapshot_hint hint = {0};
	uint64_t v;

	(void)state;
	for (int round = 0; round < 3; round++) {
		snapshot_begin(&s, &p.memory, BASE + 4096, &hint, &none);
		word(&s, BASE + 8192 - 8);
		assert_false(snapshot_read(&s, BASE + 8192 - 4, &v, 8));
		assert_false(snapshot_read(&s, BASE + 8192, &v, 8));
		word(&s, BASE + 8192 + 4096);
		word(&s, BASE);
		assert_false(snapshot_read(&s, BASE - 8, &v, 8));
		assert_false(snapshot_read(&s, UINT64_MAX - 3, &v, 8));
		assert_false(snapshot_read(&s, 0, &v, 8));
		word(&s, BASE + SIZE - 8);
		assert_false(snapshot_read(&s, BASE + SIZE - 4, &v, 8));
		snapshot_end(&s, BASE + 4096, &hint);
	}
	/* The whole stack is unreadable. */
	snapshot_begin(&s, &p.memory, 4096, &hint, &none);
	assert_false(snapshot_read(&s, 4096, &v, 8));
	snapshot_end(&s, 4096, &hint);
	snapshot_begin(&s, &p.memory, UINT64_MAX - 7, &hint, &none);
	assert_false(snapshot_read(&s, UINT64_MAX - 7, &v, 8));
	snapshot_end(&s, UINT64_MAX - 7, &hint);
	snapshot_deinit(&s);
}

/* A hint lists all granules of a read, not only the first one. */
static void test_granules(void **state)
{
	struct pattern p = {.memory.ops = &ops};
	struct snapshot s = {0};
	struct snapshot_hint hint = {0};
	uint8_t bytes[200];

	(void)state;
	snapshot_begin(&s, &p.memory, BASE, &hint, &none);
	word(&s, BASE + SNAPSHOT_GRANULE - 4);
	snapshot_end(&s, BASE, &hint);
	assert_int_equal(hint.n, 1);
	assert_true(hint.runs[0].addr == BASE);
	assert_int_equal(hint.runs[0].n, 2 * SNAPSHOT_GRANULE);

	hint.n = 0;
	snapshot_begin(&s, &p.memory, BASE, &hint, &none);
	assert_true(snapshot_read(&s, BASE + SIZE / 2, bytes, sizeof(bytes)));
	snapshot_end(&s, BASE, &hint);
	assert_int_equal(hint.n, 1);
	assert_true(hint.runs[0].addr == BASE + SIZE / 2);
	assert_int_equal(hint.runs[0].n, 4 * SNAPSHOT_GRANULE);
	snapshot_deinit(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large_frames), cmocka_unit_test(test_two_depths),
		cmocka_unit_test(test_deep),	     cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_granules),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	vec_deinit(&none.ops);
	return failed;
}
