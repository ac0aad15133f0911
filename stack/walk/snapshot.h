/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a stopped thread during a walk, as copies of small parts. The parts that the last
 * walk of the same thread needed are read at once; others are read when the walk gets there. So
 * large frames, of which a walk needs only a few words, are skipped.
 */
#ifndef TRACER_STACK_WALK_SNAPSHOT_H
#define TRACER_STACK_WALK_SNAPSHOT_H

#include <string.h>

#include "defs.h"

struct memory;

#define SNAPSHOT_PARTS	  16
#define SNAPSHOT_PART_MAX 4096 /* bytes of one part */
#define SNAPSHOT_RUNS	  8
#define SNAPSHOT_GRANULE  64 /* bytes for each bit of `used` */

/* The parts of its stack that the last walks of a thread needed. {0}: none are known. */
struct snapshot_hint {
	unsigned n;
	unsigned age; /* number of walks since the runs were last reduced to those in use */
	struct snapshot_run {
		uint64_t addr;
		uint32_t n;    /* bytes, at most SNAPSHOT_PART_MAX */
	} runs[SNAPSHOT_RUNS]; /* by address, without overlaps */
};

/* {0} is empty. */
struct snapshot {
	struct memory *memory; /* borrowed, see snapshot_begin() */
	struct snapshot_part {
		uint64_t addr;
		size_t len;    /* 0: free */
		uint64_t used; /* a bit for each granule that was read */
		size_t cap;
		uint8_t *data;
	} parts[SNAPSHOT_PARTS];    /* a new one replaces the oldest */
	struct snapshot_part *part; /* the one that was read last */
	unsigned next;		    /* index of the one to be replaced */
	size_t ahead;		    /* bytes to read where the walk goes on */
	/* Since snapshot_begin(): calls of memory_read…() and bytes read by them. */
	unsigned reads;
	uint64_t bytes;
};

/*
 * Forgets the old content, and reads what is at sp and, above it, what hint names. hint may be
 * NULL.
 */
void snapshot_begin(struct snapshot *s, struct memory *memory, uint64_t sp,
		    const struct snapshot_hint *hint);
/* Updates hint at the end of a walk that began at sp. */
void snapshot_end(const struct snapshot *s, uint64_t sp, struct snapshot_hint *hint);
/* Frees the buffers. */
void snapshot_deinit(struct snapshot *s);
/* Does what snapshot_read() promises, for memory that was not read yet. Only that calls it. */
bool snapshot_read_slow(struct snapshot *s, uint64_t addr, void *buf, size_t n);

/* Reads exactly n bytes, at most a page. Returns false if they cannot be read. */
static inline bool snapshot_read(struct snapshot *s, uint64_t addr, void *buf, size_t n)
{
	struct snapshot_part *p = s->part;
	uint64_t at = addr - p->addr;

	if (likely(at < p->len && n <= p->len - at)) {
		p->used |= 1ull << (at / SNAPSHOT_GRANULE % 64);
		memcpy(buf, p->data + at, n);
		return true;
	}
	return snapshot_read_slow(s, addr, buf, n);
}

#endif
