/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stopped thread's stack memory, read in one piece and grown where a walk
 * goes on; other places (alternate stacks, tables) page by page.
 */
#ifndef TRACER_STACK_SNAPSHOT_H
#define TRACER_STACK_SNAPSHOT_H

#include <string.h>

#include "defs.h"

struct memory;

#define SNAPSHOT_PAGES 16

struct snapshot {
	struct memory *memory;
	uint64_t base;
	size_t len, cap;
	bool ended; /* nothing readable follows */
	uint8_t *buf;
	struct snapshot_page {
		uint64_t addr;
		bool used;
		uint8_t *data;
	} pages[SNAPSHOT_PAGES];
	unsigned next_page;
	unsigned reads;
};

/* Forgets what it held, reads from sp on; expect: bytes that are likely to be needed. */
void snapshot_begin(struct snapshot *s, struct memory *memory, uint64_t sp, size_t expect);
void snapshot_deinit(struct snapshot *s);
bool snapshot_read_slow(struct snapshot *s, uint64_t addr, void *buf, size_t n);

/* Exactly n bytes, at most a page's; false where they cannot be read. */
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
