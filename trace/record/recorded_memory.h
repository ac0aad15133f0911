/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a tracee's memory through another struct memory and records the data. Each byte is read
 * from the tracee only once per stop.
 */
#ifndef TRACER_TRACE_RECORD_RECORDED_MEMORY_H
#define TRACER_TRACE_RECORD_RECORDED_MEMORY_H

#include "capture/memory.h"
#include "util/strbuf.h"
#include "util/vec.h"

/* The bytes that were read at addr, or the error if the read failed. */
struct memory_piece {
	uint64_t addr;
	size_t n;
	const uint8_t *bytes; /* in the arena; NULL if the read failed */
	int error;
};

/*
 * The memory that was read at the current stop. All threads share this struct, because only one
 * thread is handled at a time.
 */
struct recorded_reads {
	struct arena arena;
	/* memory whose contents are known, so it need not be read */
	VEC(struct memory_piece) known;
	VEC(struct memory_piece) used; /* memory that was requested, so it will be recorded */
	size_t used_bytes;
	struct strbuf gathered; /* for recorded_reads_put(), which leaves it empty */
	/* true while a stack is walked: then nothing is recorded, because walks read too much
	 * memory */
	bool off;
	bool dirents; /* true if the requested memory may be directory entries */
};

/* The memory of one thread. */
struct recorded_memory {
	struct memory memory; /* pass this to decoders */
	struct memory *live;  /* the tracee's memory; borrowed */
	struct recorded_reads *reads;
};

void recorded_memory_init(struct recorded_memory *m, struct memory *live,
			  struct recorded_reads *reads);
/* Forgets all memory. Must be called at the start of each stop. */
void recorded_reads_clear(struct recorded_reads *r);
void recorded_reads_deinit(struct recorded_reads *r);
/*
 * Adds bytes of the stopped tracee's memory that the caller has already read. They must be in
 * r->arena.
 */
void recorded_reads_know(struct recorded_reads *r, uint64_t addr, const uint8_t *bytes, size_t n);
/*
 * Appends the records (records.h) for the memory that was requested. The records have at most max
 * bytes in total; memory that does not fit is omitted.
 */
void recorded_reads_put(struct recorded_reads *r, struct strbuf *out, size_t max);

#endif
