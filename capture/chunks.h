/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An implementation of struct memory (memory.h) in which the memory consists of chunks. A chunk is
 * a range of addresses that was recorded from a tracee or is provided by a test. It contains either
 * the bytes of the range, or the error that occurred when tracer tried to read the range.
 */
#ifndef TRACER_CAPTURE_CHUNKS_H
#define TRACER_CAPTURE_CHUNKS_H

#include "capture/memory.h"
#include "util/vec.h"

struct chunk {
	uint64_t addr, size;  /* address and size in bytes; size is not 0, and addr + size is at
				 most 2^64 */
	const uint8_t *bytes; /* borrowed; if NULL, reads of this chunk fail with `error` */
	int error;	      /* the error (-errno) of reads, if bytes is NULL */
};

struct chunks {
	struct memory memory; /* the interface that decoders use */
	int absent; /* error (-errno) of reads outside all chunks; chunks_init() sets -ENODATA */
	VEC(struct chunk) known; /* private: the chunks, sorted by address, without overlaps */
};

/* Initializes c as an empty list. chunks_deinit() frees the list. */
void chunks_init(struct chunks *c);
void chunks_deinit(struct chunks *c);
/* Removes all chunks, but keeps the allocated list for reuse. */
void chunks_clear(struct chunks *c);

/*
 * Adds a chunk of size bytes at addr, which replaces the overlapping parts of older chunks. The
 * bytes are not copied: `bytes` must stay valid until the chunk is replaced or removed.
 */
void chunks_add(struct chunks *c, uint64_t addr, const void *bytes, uint64_t size);
/* Adds a chunk of size bytes at addr. Every read from it fails with `error` (-errno). */
void chunks_add_error(struct chunks *c, uint64_t addr, uint64_t size, int error);

#endif
