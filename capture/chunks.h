/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of which only pieces are known, each either bytes or the error that reading
 * it gave: what was recorded of a tracee, or what a test makes up. The rest was never
 * captured.
 */
#ifndef TRACER_CAPTURE_CHUNKS_H
#define TRACER_CAPTURE_CHUNKS_H

#include "capture/memory.h"
#include "util/vec.h"

struct chunk {
	uint64_t addr, size;  /* size is not zero; the range ends at 2^64 at most */
	const uint8_t *bytes; /* NULL: reading it gave error */
	int error;	      /* -errno */
};

/* {0} knows nothing, once chunks_init() was called on it. */
struct chunks {
	struct memory memory; /* what decoding is given */
	int absent;	      /* -errno of what is in no chunk: -ENODATA unless set otherwise */
	/* chunks.c's own. */
	VEC(struct chunk) known; /* in order, without overlaps */
};

void chunks_init(struct chunks *c);
void chunks_deinit(struct chunks *c);
/* Forgets all chunks and keeps the room for others. */
void chunks_clear(struct chunks *c);

/*
 * Says what size bytes from addr on are. The bytes are not copied: they stay where
 * they are until the chunk is forgotten. What was said of the range before is void.
 */
void chunks_add(struct chunks *c, uint64_t addr, const void *bytes, uint64_t size);
/* Says that reading there gave error (-errno). */
void chunks_add_error(struct chunks *c, uint64_t addr, uint64_t size, int error);

#endif
