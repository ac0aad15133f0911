/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The stack memory of a stopped thread during a walk: one piece, which grows as the walk proceeds.
 * Memory elsewhere (alternate stacks, tables) is read page by page.
 */
#ifndef TRACER_STACK_WALK_SNAPSHOT_H
#define TRACER_STACK_WALK_SNAPSHOT_H

#include <string.h>

#include "defs.h"

struct memory;

#define SNAPSHOT_PAGES 16

/* {0} is empty. */
struct snapshot {
	struct memory *memory; /* borrowed, see snapshot_begin() */
	uint64_t base;	       /* address of buf[0] in the tracee */
	size_t len, cap;       /* bytes that were read; size of buf */
	bool ended;	       /* the byte after the last one cannot be read */
	uint8_t *buf;
	struct snapshot_page {
		uint64_t addr;
		bool used;
		uint8_t *data;
	} pages[SNAPSHOT_PAGES]; /* pages elsewhere; a new one replaces the oldest */
	unsigned next_page;	 /* index of the one to be replaced */
	unsigned reads;		 /* calls of memory_read…() since snapshot_begin() */
};

/* Forgets the old content and reads about expect bytes of the stack from sp on. */
void snapshot_begin(struct snapshot *s, struct memory *memory, uint64_t sp, size_t expect);
/* Frees the buffers. */
void snapshot_deinit(struct snapshot *s);
/* Does what snapshot_read() promises, for memory that was not read yet. Only that calls it. */
bool snapshot_read_slow(struct snapshot *s, uint64_t addr, void *buf, size_t n);

/* Reads exactly n bytes, at most a page. Returns false if they cannot be read. */
static inline bool snapshot_read(struct snapshot *s, uint64_t addr, void *buf, size_t n)
{
	uint64_t at = addr - s->base;

	if (likely(at < s->len && n <= s->len - at)) {
		memcpy(buf, s->buf + at, n);
		return true;
	}
	return snapshot_read_slow(s, addr, buf, n);
}

#endif
