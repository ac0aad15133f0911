/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stack/walk/snapshot.h"
#include "util/mem.h"

#define COPIES_MAX 4096u /* maximum number of copies that are kept */
#define SLOTS	   (4 * LANG_BLOCKS)

/*
 * If two ranges of words are in the same page, or if the gap between them is smaller than this
 * number of bytes, both are read with one read. The cost of a read depends more on the number of
 * ranges than on their sizes.
 */
#define GAP_MAX 2048u
/* Pages have at least this size in bytes on all machines. */
#define PAGE 4096u

/*
 * Returns the hash table slot of the block at addr. If the block is not in the table, returns the
 * free slot in which it belongs.
 */
static uint8_t *slot(struct lang_memory *m, uint64_t addr)
{
	size_t i = (addr / LANG_BLOCK * 0x9e3779b97f4a7c15ull >> 40) % SLOTS;

	while (m->slots[i] && m->blocks[m->slots[i] - 1].marks.addr != addr)
		i = (i + 1) % SLOTS;
	return &m->slots[i];
}

/* Adds a block at the index i, of which the bytes at the offsets [from, to) have been read. */
static void add(struct lang_memory *m, unsigned i, uint64_t addr, uint16_t from, uint16_t to)
{
	m->blocks[i].marks = (struct lang_marks){.addr = addr};
	m->blocks[i].from = from;
	m->blocks[i].to = to;
	*slot(m, addr) = i + 1;
}

/* Returns the offset of the first marked byte. At least one word must be marked. */
static unsigned first_marked(const struct lang_marks *k)
{
	return 8 * (unsigned)(k->bits[0] ? __builtin_ctzll(k->bits[0])
					 : 64 + __builtin_ctzll(k->bits[1]));
}

/* Returns the offset after the last marked byte. At least one word must be marked. */
static unsigned end_marked(const struct lang_marks *k)
{
	return 8 * (unsigned)(k->bits[1] ? 128 - __builtin_clzll(k->bits[1])
					 : 64 - __builtin_clzll(k->bits[0]));
}

static bool is_near(uint64_t end, uint64_t start)
{
	return start - end < GAP_MAX || (end - 1) / PAGE == start / PAGE;
}

void lang_memory_plan(struct lang_memory *m, const struct lang_hint *hint)
{
	/* The number of blocks that can be used for gaps, and the number of used blocks. */
	size_t gaps = LANG_BLOCKS - hint->blocks.n, n = 0;
	struct memory_op *last = NULL;
	uint64_t previous = 0;

	if (!m->data)
		m->data = mem_alloc((size_t)LANG_BLOCKS * LANG_BLOCK);
	vec_for_each (&hint->blocks, k) {
		const uint64_t start = k->addr + first_marked(k), end = k->addr + end_marked(k);
		/* The number of blocks between this block and the previous one. */
		const size_t gap = (k->addr - previous) / LANG_BLOCK - 1;

		if (last && is_near(last->addr + last->n, start) && gap <= gaps) {
			last->n = end - last->addr;
			gaps -= gap;
			n += gap;
		} else {
			last = vec_push(&m->plan.ops);
			*last = (struct memory_op){start,
						   m->data + n * LANG_BLOCK + start % LANG_BLOCK,
						   end - start, 0};
		}
		previous = k->addr;
		n++;
	}
}

/* Adds the blocks of which a planned read has read a part. */
static void take_blocks(struct lang_memory *m, const struct memory_op *op)
{
	const uint64_t end = op->addr + (op->got > 0 ? (uint64_t)op->got : 0);
	unsigned i = ((uint8_t *)op->buf - m->data) / LANG_BLOCK;

	m->n = i + (op->addr + op->n - 1) / LANG_BLOCK - op->addr / LANG_BLOCK + 1;
	for (uint64_t at = op->addr; i < m->n; i++) {
		const uint64_t block = at & ~(uint64_t)(LANG_BLOCK - 1);
		const uint64_t next = block + LANG_BLOCK < end ? block + LANG_BLOCK : end;

		m->blocks[i].marks = (struct lang_marks){0};
		if (at < end)
			add(m, i, block, at - block, next - block);
		at = block + LANG_BLOCK;
	}
	if (end > op->addr)
		m->bytes += end - op->addr;
	m->reads = 1;
}

void lang_memory_begin(struct lang_memory *m, struct memory *memory, const struct lang_hint *hint)
{
	m->memory = memory;
	m->missing = false;
	m->unmarked = false;
	m->marked = false;
	m->unchanged = false;
	m->copies.n = 0;
	m->reads = 0;
	m->bytes = 0;
	m->n = 0;
	memset(m->slots, 0, sizeof(m->slots));
	if (!m->plan.ops.n) {
		lang_memory_plan(m, hint);
		memory_read_batch(memory, m->plan.ops.v, m->plan.ops.n);
	}
	vec_for_each (&m->plan.ops, op)
		take_blocks(m, op);
	m->plan.ops.n = 0;
}

/* Copies the marked words of a block, whose contents are `data`, to `words`. Returns their number.
 */
static size_t copy_marked(const struct lang_marks *k, const uint8_t *data, uint64_t *words)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(k->bits); i++)
		for (uint64_t bits = k->bits[i]; bits; bits &= bits - 1)
			memcpy(&words[n++], data + (i * 64 + (size_t)__builtin_ctzll(bits)) * 8, 8);
	return n;
}

bool lang_memory_unchanged(struct lang_memory *m, const struct lang_hint *hint)
{
	const uint64_t *old = hint->words.v;

	if (!hint->whole)
		return false;
	vec_for_each (&hint->copies, c) {
		uint64_t value = 0;

		if (!m->snap || !snapshot_copy(m->snap, c->addr, &value, c->n) || value != c->value)
			return false;
	}
	vec_for_each (&hint->blocks, k) {
		const uint8_t i = *slot(m, k->addr);
		uint64_t words[LANG_BLOCK / 8];
		size_t n;

		if (!i || m->blocks[i - 1].from > first_marked(k) ||
		    m->blocks[i - 1].to < end_marked(k))
			return false;
		n = copy_marked(k, m->data + (size_t)(i - 1) * LANG_BLOCK, words);
		if (memcmp(words, old, n * sizeof(*words)) != 0)
			return false;
		old += n;
	}
	vec_for_each (&hint->blocks, k)
		m->blocks[*slot(m, k->addr) - 1].marks = *k;
	m->unchanged = true;
	return true;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct lang_marks *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void lang_memory_end(struct lang_memory *m, struct lang_hint *hint)
{
	bool sorted = true;

	hint->whole = !m->unmarked;
	if (!m->unchanged)
		hint->copies.n = 0;
	vec_for_each (&m->copies, c)
		*vec_push(&hint->copies) = *c;
	hint->blocks.n = 0;
	for (unsigned i = 0; i < m->n; i++) {
		const struct lang_marks *k = &m->blocks[i].marks;

		if (!k->bits[0] && !k->bits[1])
			continue;
		sorted &= !hint->blocks.n || hint->blocks.v[hint->blocks.n - 1].addr < k->addr;
		*vec_push(&hint->blocks) = *k;
	}
	if (!sorted)
		qsort(hint->blocks.v, hint->blocks.n, sizeof(*hint->blocks.v), compare_addresses);
	hint->words.n = 0;
	vec_for_each (&hint->blocks, k) {
		const uint8_t *data = m->data + (size_t)(*slot(m, k->addr) - 1) * LANG_BLOCK;
		uint64_t words[LANG_BLOCK / 8];
		const size_t n = copy_marked(k, data, words);

		for (size_t i = 0; i < n; i++)
			*vec_push(&hint->words) = words[i];
	}
}

void lang_hint_deinit(struct lang_hint *hint)
{
	vec_deinit(&hint->blocks);
	vec_deinit(&hint->words);
	vec_deinit(&hint->copies);
}

void lang_memory_deinit(struct lang_memory *m)
{
	free(m->data);
	m->data = NULL;
	vec_deinit(&m->plan.ops);
	vec_deinit(&m->copies);
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

/*
 * Returns the n bytes at the offset `at` in the block at addr, and marks them as needed. Returns
 * NULL if the block cannot be read as a whole, if all blocks are in use, or if a limit is reached.
 */
static const uint8_t *marked(struct lang_memory *m, uint64_t addr, size_t at, size_t n)
{
	unsigned i = *slot(m, addr);
	const bool known = i;
	uint8_t *data;

	i = known ? i - 1 : m->n;
	data = m->data + (size_t)i * LANG_BLOCK;
	if (!known || at < m->blocks[i].from || at + n > m->blocks[i].to) {
		if (i == LANG_BLOCKS || !may_read(m, LANG_BLOCK) ||
		    memory_read(m->memory, addr, data, LANG_BLOCK))
			return NULL;
		if (!known)
			add(m, m->n++, addr, 0, LANG_BLOCK);
		m->blocks[i].from = 0;
		m->blocks[i].to = LANG_BLOCK;
	}
	for (size_t k = at / 8; k <= (at + n - 1) / 8; k++)
		m->blocks[i].marks.bits[k / 64] |= 1ull << k % 64;
	return data + at;
}

bool lang_read_once(struct lang_memory *m, uint64_t addr, void *buf, size_t n)
{
	int err;

	if (!n)
		return true;
	m->unmarked = true;
	if (!may_read(m, n))
		return false;
	err = memory_read(m->memory, addr, buf, n);
	m->missing |= err == -ENODATA;
	return !err;
}

/* Returns true if the n bytes at addr have been copied from the snapshot. */
static bool read_copy(struct lang_memory *m, uint64_t addr, uint8_t *buf, size_t n)
{
	if (!m->snap || addr - m->snap->sp > SNAPSHOT_DISTANCE ||
	    !snapshot_copy(m->snap, addr, buf, n) || !may_read(m, 0))
		return false;
	m->unmarked |= m->copies.n >= COPIES_MAX;
	for (size_t at = 0; at < n && !m->unmarked; at += sizeof(uint64_t)) {
		struct lang_copy *c = vec_push(&m->copies);

		*c = (struct lang_copy){.addr = addr + at, .n = size_min(n - at, sizeof(c->value))};
		memcpy(&c->value, buf + at, c->n);
	}
	return true;
}

bool lang_read(struct lang_memory *m, uint64_t addr, void *buf, size_t n)
{
	uint8_t *to = buf;

	m->marked = true;
	if (read_copy(m, addr, to, n))
		return true;
	while (n) {
		const uint64_t base = addr & ~(uint64_t)(LANG_BLOCK - 1);
		const size_t at = addr - base, part = size_min(n, LANG_BLOCK - at);
		const uint8_t *data = marked(m, base, at, part);

		/* Perhaps only a part of the block is readable, as in a recording. */
		if (!data)
			return lang_read_once(m, addr, to, n);
		memcpy(to, data, part);
		to += part;
		addr += part;
		n -= part;
	}
	return true;
}
