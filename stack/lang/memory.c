/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

#define SLOTS (4 * LANG_BLOCKS)
/* Pages have at least this size in bytes on all machines. */
#define PAGE 4096u

/*
 * Returns the hash table slot of the block at addr. If the block is not in the table, returns the
 * free slot in which it belongs.
 */
static uint8_t *slot(struct lang_memory *m, uint64_t addr)
{
	size_t i = (addr / LANG_BLOCK * 0x9e3779b97f4a7c15ull >> 40) % SLOTS;

	while (m->slots[i] && m->addr[m->slots[i] - 1] != addr)
		i = (i + 1) % SLOTS;
	return &m->slots[i];
}

static void add(struct lang_memory *m, uint64_t addr)
{
	m->addr[m->n] = addr;
	m->used[m->n] = false;
	*slot(m, addr) = ++m->n;
}

/*
 * Adjacent blocks are read with one read. If several blocks are in one page, the blocks between
 * them are read, too. The cost of a read depends mainly on the number of its pages.
 */
void lang_memory_plan(struct lang_memory *m, const struct lang_hint *hint)
{
	size_t gaps = LANG_BLOCKS - hint->n;
	struct memory_op *last = NULL;
	uint8_t *buf;

	if (!m->data)
		m->data = mem_alloc((size_t)LANG_BLOCKS * LANG_BLOCK);
	buf = m->data;
	for (unsigned i = 0; i < hint->n; i++) {
		const uint64_t addr = hint->blocks[i], end = last ? last->addr + last->n : 0;
		const size_t gap = (addr - end) / LANG_BLOCK;

		if (last && (!gap || (end / PAGE == addr / PAGE && gap <= gaps))) {
			last->n += (gap + 1) * LANG_BLOCK;
			buf += gap * LANG_BLOCK;
			gaps -= gap;
		} else {
			last = vec_push(&m->plan.ops);
			*last = (struct memory_op){addr, buf, LANG_BLOCK, 0};
		}
		buf += LANG_BLOCK;
	}
}

/* Adds the blocks that the planned reads have read to the hash table. */
static void take_blocks(struct lang_memory *m)
{
	vec_for_each (&m->plan.ops, op) {
		const size_t got = op->got < 0 ? 0 : op->got / LANG_BLOCK;
		uint8_t *to = m->data + (size_t)m->n * LANG_BLOCK;

		/* Close the gap left by unreadable blocks. */
		if (to != op->buf)
			memmove(to, op->buf, got * LANG_BLOCK);
		for (size_t i = 0; i < got; i++)
			add(m, op->addr + i * LANG_BLOCK);
		m->bytes += got * LANG_BLOCK;
		m->reads = 1;
	}
	m->plan.ops.n = 0;
}

void lang_memory_begin(struct lang_memory *m, struct memory *memory, const struct lang_hint *hint)
{
	m->memory = memory;
	m->missing = false;
	m->reads = 0;
	m->bytes = 0;
	m->n = 0;
	memset(m->slots, 0, sizeof(m->slots));
	if (!m->plan.ops.n) {
		lang_memory_plan(m, hint);
		memory_read_batch(memory, m->plan.ops.v, m->plan.ops.n);
	}
	take_blocks(m);
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void lang_memory_end(struct lang_memory *m, struct lang_hint *hint)
{
	bool sorted = true;

	hint->n = 0;
	for (unsigned i = 0; i < m->n; i++) {
		if (!m->used[i])
			continue;
		hint->blocks[hint->n] = m->addr[i];
		sorted &= !hint->n || hint->blocks[hint->n - 1] < m->addr[i];
		hint->n++;
	}
	if (!sorted)
		qsort(hint->blocks, hint->n, sizeof(*hint->blocks), compare_addresses);
}

void lang_memory_deinit(struct lang_memory *m)
{
	free(m->data);
	m->data = NULL;
	vec_deinit(&m->plan.ops);
}

/* Counts a read of n bytes. Returns false if the limits for a stack do not allow the read. */
static bool may_read(struct lang_memory *m, uint64_t n)
{
	if (m->reads >= LANG_READS_MAX || m->bytes + n > LANG_BYTES_MAX)
		return false;
	m->reads++;
	m->bytes += n;
	return true;
}

static const uint8_t *block(struct lang_memory *m, uint64_t addr)
{
	uint8_t i = *slot(m, addr), *data;

	if (!i) {
		if (m->n == LANG_BLOCKS || !may_read(m, LANG_BLOCK))
			return NULL;
		data = m->data + (size_t)m->n * LANG_BLOCK;
		if (memory_read(m->memory, addr, data, LANG_BLOCK))
			return NULL;
		add(m, addr);
		i = m->n;
	}
	m->used[i - 1] = true;
	return m->data + (size_t)(i - 1) * LANG_BLOCK;
}

bool lang_read_once(struct lang_memory *m, uint64_t addr, void *buf, size_t n)
{
	int err;

	if (!n)
		return true;
	if (!may_read(m, n))
		return false;
	err = memory_read(m->memory, addr, buf, n);
	m->missing |= err == -ENODATA;
	return !err;
}

bool lang_read(struct lang_memory *m, uint64_t addr, void *buf, size_t n)
{
	uint8_t *to = buf;

	while (n) {
		uint64_t base = addr & ~(uint64_t)(LANG_BLOCK - 1);
		size_t at = addr - base, part = size_min(n, LANG_BLOCK - at);
		const uint8_t *data = block(m, base);

		/*
		 * The block cannot be read as a whole: all blocks are in use, a limit is reached,
		 * or only a part of the block is readable (as in a recording).
		 */
		if (!data)
			return lang_read_once(m, addr, to, n);
		memcpy(to, data + at, part);
		to += part;
		addr += part;
		n -= part;
	}
	return true;
}
