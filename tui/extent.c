/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/extent.h"

#include "trace/format/block.h"

void extent_open(struct extent *e, int fd)
{
	*e = (struct extent){.reader = block_reader_create(fd)};
	extent_update(e);
}

/* Finds the next block. Skips damaged data before it. Returns false at the end of the file. */
static bool next_block(struct extent *e, struct block_header *h)
{
	uint64_t offset, next;

	if (!block_header_at(e->reader, e->offset, h, &next) &&
	    !block_find(e->reader, e->offset, block_reader_size(e->reader), h, &offset, &next))
		return false;
	e->offset = next;
	return true;
}

void extent_update(struct extent *e)
{
	struct block_header h;
	int64_t first, last;

	while (next_block(e, &h)) {
		if (h.kind != BLOCK_EVENTS ||
		    __builtin_add_overflow((int64_t)h.first, h.real, &first) ||
		    __builtin_add_overflow((int64_t)h.last, h.real, &last))
			continue;
		if (!e->first || first < e->first)
			e->first = first;
		if (last > e->last)
			e->last = last;
	}
}

void extent_close(struct extent *e)
{
	if (e->reader)
		block_reader_destroy(e->reader);
	*e = (struct extent){0};
}
