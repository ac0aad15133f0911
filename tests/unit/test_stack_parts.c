/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stack records that contain only the blocks that have changed since the previous record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "capture/bpf/stack_parts.h"
#include "capture/chunks.h"

#define ADDR 0x7ffc00001480u /* not at a multiple of STACK_PIECE */

/*
 * A stack part as in a BPF record: its headers, followed by space for the maximum number of blocks.
 */
struct made {
	struct chunk_head head;
	struct stack_part part;
	uint8_t blocks[STACK_PIECE];
};

/*
 * Returns a stack part of `size` bytes at addr. `changed` is the bit mask of its new blocks, which
 * are filled with `byte`.
 */
static struct made part(uint64_t addr, uint32_t size, uint32_t changed, uint8_t byte)
{
	const int n = __builtin_popcount(changed);
	struct made m = {.head = {addr, (int32_t)sizeof(struct stack_part) + n * STACK_BLOCK,
				  CHUNK_STACK_PART},
			 .part = {size, changed}};

	memset(m.blocks, byte, (size_t)n * STACK_BLOCK);
	return m;
}

static size_t size_of(const struct made *m)
{
	return sizeof(m->head) + (size_t)m->head.size;
}

/* Returns the byte at addr in the stack part m, or -1 if the byte is not available. */
static int byte_of(const struct stack_parts *p, unsigned cpu, const struct made *m, uint64_t addr)
{
	struct chunks known;
	uint8_t byte;
	int err;

	chunks_init(&known);
	stack_parts_add(p, cpu, &m->head, &known);
	err = memory_read(&known.memory, addr, &byte, 1);
	chunks_deinit(&known);
	return err ? -1 : byte;
}

static void test_parts(void **state attr_unused)
{
	struct stack_parts *p = stack_parts_create(2);
	struct made first = part(ADDR, 384, 7, 1), second = part(ADDR, 384, 2, 2);
	struct made same = part(ADDR, 384, 0, 0), none = part(ADDR, 0, 0, 0);
	struct made left = part(ADDR + STACK_KEPT, 384, 7, 3);

	stack_parts_update(p, 0, &first, size_of(&first));
	for (unsigned i = 0; i < 384; i++)
		assert_int_equal(byte_of(p, 0, &first, ADDR + i), 1);
	assert_int_equal(byte_of(p, 0, &first, ADDR - 1), -1);
	assert_int_equal(byte_of(p, 0, &first, ADDR + 384), -1);
	/* Blocks that are not sent again are unchanged. */
	stack_parts_update(p, 0, &second, size_of(&second));
	stack_parts_update(p, 0, &same, size_of(&same));
	for (unsigned i = 0; i < 384; i++)
		assert_int_equal(byte_of(p, 0, &same, ADDR + i), i / STACK_BLOCK == 1 ? 2 : 1);
	/* No record of CPU 1 contained these blocks, so they are still zero. */
	assert_int_equal(byte_of(p, 1, &same, ADDR), 0);
	/* Parts of the other kind (CHUNK_LEFT_PART) at the same address are stored separately. */
	left.head.what = CHUNK_LEFT_PART;
	stack_parts_update(p, 0, &left, size_of(&left));
	assert_int_equal(byte_of(p, 0, &left, ADDR + STACK_KEPT), 3);
	assert_int_equal(byte_of(p, 0, &same, ADDR), 1);
	/* `none` has no blocks, because its page could not be read. */
	assert_int_equal(byte_of(p, 0, &none, ADDR), -1);
	stack_parts_destroy(p);
}

/* Inconsistent parts are ignored. */
static void test_bad_parts(void **state attr_unused)
{
	struct stack_parts *p = stack_parts_create(1);
	struct made good = part(ADDR, 384, 7, 1),
		    bad[] = {
			    part(ADDR + 8, 384, 1, 2), /* not at the start of a block */
			    part(ADDR, 1024, 1, 2),    /* crosses a multiple of STACK_PIECE */
			    part(ADDR, 384, 1, 2),     /* the mask has more blocks than the data */
			    part(ADDR, 384, 1, 2),     /* shorter than struct stack_part */
			    part(ADDR, 384, 8, 2),     /* the mask has a block beyond `size` */
		    };

	bad[2].part.changed = 3;
	bad[3].head.size = 4;
	stack_parts_update(p, 0, &good, size_of(&good));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		stack_parts_update(p, 0, &bad[i], size_of(&bad[i]));
		assert_int_equal(byte_of(p, 0, &bad[i], ADDR), -1);
		assert_int_equal(byte_of(p, 0, &good, ADDR), 1);
	}
	stack_parts_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_bad_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
