/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a tracee while it is recorded: reads go to another memory, but what is read at a
 * stop is read once, and remembered until the stop is over.
 */
#ifndef TRACER_TRACE_RECORD_RECORDED_MEMORY_H
#define TRACER_TRACE_RECORD_RECORDED_MEMORY_H

#include "capture/memory.h"
#include "util/strbuf.h"
#include "util/vec.h"

/* Bytes that were read at a stop, or the error that the byte at addr gave. */
struct memory_piece {
	uint64_t addr;
	size_t n;
	const uint8_t *bytes; /* in the arena; NULL: error */
	int error;
};

/* What was read at the current stop; one for all threads, as they stop one after the other. */
struct recorded_reads {
	struct arena arena;
	VEC(struct memory_piece) known; /* what need not be read again */
	VEC(struct memory_piece) used;	/* what somebody has asked for */
	size_t used_bytes;
	bool off;     /* nothing is remembered: walks of stacks read too much */
	bool dirents; /* what is asked for may be entries of directories */
};

/* The memory of one thread. */
struct recorded_memory {
	struct memory memory; /* pass this one to decoders */
	struct memory *live;  /* borrowed */
	struct recorded_reads *reads;
};

void recorded_memory_init(struct recorded_memory *m, struct memory *live,
			  struct recorded_reads *reads);
/* Forgets all reads: another stop begins. */
void recorded_reads_clear(struct recorded_reads *r);
void recorded_reads_deinit(struct recorded_reads *r);
/* Bytes of the stopped tracee that are known already; they are in r->arena. */
void recorded_reads_know(struct recorded_reads *r, uint64_t addr, const uint8_t *bytes, size_t n);
/* Appends the records (records.h) of all that was asked for, of at most max bytes in all. */
void recorded_reads_put(struct recorded_reads *r, struct strbuf *out, size_t max);

#endif
