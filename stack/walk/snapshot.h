/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies small parts of a stopped thread's memory during a walk. The parts that earlier walks of
 * the thread needed are read together at the start. Other parts are read when they are needed. If a
 * walk needs only a few words of a large frame, the rest of the frame is skipped.
 */
#ifndef TRACER_STACK_WALK_SNAPSHOT_H
#define TRACER_STACK_WALK_SNAPSHOT_H

#include <string.h>

#include "defs.h"

struct memory;
struct memory_batch;

#define SNAPSHOT_PARTS	  16
#define SNAPSHOT_PART_MAX 4096 /* maximum size of a part in bytes */
#define SNAPSHOT_RUNS	  8
#define SNAPSHOT_GRANULE  64 /* number of bytes per bit of `used` */
/* runs that begin more than this number of bytes above sp are not read in advance */
#define SNAPSHOT_DISTANCE (1u << 20)

/* The parts of a thread's stack that its recent walks needed. Initially {0}. */
struct snapshot_hint {
	unsigned n;
	unsigned age; /* number of walks since unused runs were last dropped */
	struct snapshot_run {
		uint64_t addr;
		uint32_t n;    /* length in bytes, at most SNAPSHOT_PART_MAX */
	} runs[SNAPSHOT_RUNS]; /* sorted by address, without overlaps */
};

/* The snapshot of one stopped thread. Initially {0}. */
struct snapshot {
	struct memory *memory; /* borrowed, see snapshot_begin() */
	uint64_t sp;	       /* see snapshot_begin() */
	struct snapshot_part {
		uint64_t addr;
		size_t len;    /* number of bytes in data; 0 if the part is free */
		uint64_t used; /* one bit per granule, set if bytes of the granule were used */
		size_t cap;
		uint8_t *data;
	} parts[SNAPSHOT_PARTS];    /* ring buffer: a new part replaces the oldest one */
	struct snapshot_part *part; /* the most recently used part */
	unsigned next;		    /* index of the next part to replace */
	size_t ahead;		    /* number of bytes to read at the next miss */
	/* Number of reads and of bytes read since snapshot_begin(). */
	unsigned reads;
	uint64_t bytes;
};

/*
 * Discards the old contents. Reads the memory at sp, and the ranges above sp that `hint` lists.
 * `hint` may be NULL. In the same system call, also makes the reads in `more`, whose data is not
 * part of the snapshot.
 */
void snapshot_begin(struct snapshot *s, struct memory *memory, uint64_t sp,
		    const struct snapshot_hint *hint, struct memory_batch *more);
/*
 * Must be called after the last use of the snapshot. Updates *hint with the memory that was used.
 * `sp` is the stack pointer of the first frame.
 */
void snapshot_end(const struct snapshot *s, uint64_t sp, struct snapshot_hint *hint);
/* Frees all memory. The snapshot can then be used again. */
void snapshot_deinit(struct snapshot *s);
/*
 * Implements snapshot_read() for memory outside the most recently used part. Only snapshot_read()
 * calls this function.
 */
bool snapshot_read_slow(struct snapshot *s, uint64_t addr, void *buf, size_t n);

/* Marks the granules of n bytes at an offset in the part as used. */
static inline void snapshot_use(struct snapshot_part *p, uint64_t at, size_t n)
{
	/* The end of a part that is longer than SNAPSHOT_PART_MAX belongs to the last granule. */
	const uint64_t first = at / SNAPSHOT_GRANULE, last = (at + n - 1) / SNAPSHOT_GRANULE;

	p->used |= (2ull << (last < 63 ? last : 63)) - (1ull << (first < 63 ? first : 63));
}

/*
 * Copies n bytes that have already been read. Returns false, without reading anything, if the
 * snapshot does not contain all of them.
 */
bool snapshot_copy(struct snapshot *s, uint64_t addr, void *buf, size_t n);

/* Reads exactly n bytes; n must be at least 1 and not exceed the size of a page. Returns false on
 * failure. */
static inline bool snapshot_read(struct snapshot *s, uint64_t addr, void *buf, size_t n)
{
	struct snapshot_part *p = s->part;
	uint64_t at = addr - p->addr;

	if (likely(at < p->len && n <= p->len - at)) {
		snapshot_use(p, at, n);
		memcpy(buf, p->data + at, n);
		return true;
	}
	return snapshot_read_slow(s, addr, buf, n);
}

#endif
