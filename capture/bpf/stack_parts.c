/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/stack_parts.h"

#include <stdlib.h>
#include <string.h>

#include "capture/chunks.h"
#include "util/mem.h"

struct stack_parts {
	uint8_t (*kept)[2 * STACK_KEPT]; /* the kept blocks of each buffer, see struct stack_kept */
};

struct stack_parts *stack_parts_create(unsigned buffers)
{
	struct stack_parts *p = mem_zalloc(sizeof(*p));

	p->kept = mem_zalloc(buffers * sizeof(*p->kept));
	return p;
}

void stack_parts_destroy(struct stack_parts *p)
{
	if (!p)
		return;
	free(p->kept);
	free(p);
}

/* Returns the stack part in a chunk, or NULL if the chunk contains no valid part. */
static const struct stack_part *part_of(const struct chunk_head *h)
{
	const struct stack_part *part = (const struct stack_part *)(h + 1);
	size_t changed;

	if (!chunk_is_stack_part(h) || h->size < (int32_t)sizeof(*part))
		return NULL;
	changed = (size_t)__builtin_popcount(part->changed);
	if ((size_t)h->size != sizeof(*part) + changed * STACK_BLOCK ||
	    h->addr % STACK_PIECE + part->size > STACK_PIECE || h->addr % STACK_BLOCK ||
	    part->changed >> part->size / STACK_BLOCK)
		return NULL;
	return part;
}

/*
 * Returns the location at which the first byte of a part is kept. Parts whose stack addresses
 * differ by less than STACK_KEPT have different locations.
 */
static uint8_t *kept_at(const struct stack_parts *p, unsigned buffer, const struct chunk_head *h)
{
	return p->kept[buffer] + (h->what & CHUNK_LEFT_BIT) * STACK_KEPT + h->addr % STACK_KEPT;
}

static void update_part(uint8_t *at, const struct stack_part *part)
{
	const uint8_t *block = (const uint8_t *)(part + 1);

	for (uint32_t left = part->changed; left; left &= left - 1) {
		memcpy(at + __builtin_ctz(left) * STACK_BLOCK, block, STACK_BLOCK);
		block += STACK_BLOCK;
	}
}

void stack_parts_update(struct stack_parts *p, unsigned buffer, const void *chunks, size_t n)
{
	const struct chunk_head *h;
	size_t at = 0;

	while ((h = chunk_next(chunks, n, &at))) {
		const struct stack_part *part = part_of(h);

		if (part && part->changed)
			update_part(kept_at(p, buffer, h), part);
	}
}

void stack_parts_add(const struct stack_parts *p, unsigned buffer, const struct chunk_head *h,
		     struct chunks *m)
{
	const struct stack_part *part = part_of(h);

	if (part)
		chunks_add(m, h->addr, kept_at(p, buffer, h), part->size);
}
