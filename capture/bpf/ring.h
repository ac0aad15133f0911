/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader's side of a BPF ring buffer: Documentation/bpf/ringbuf.rst of Linux. The kernel writes
 * without waiting for us and without waking us; what does not fit, it refuses. Records are read in
 * place. A ring that fills up faster than its records can be looked at is emptied into memory of
 * ours, which is larger, and costs nothing until then.
 */
#ifndef TRACER_CAPTURE_BPF_RING_H
#define TRACER_CAPTURE_BPF_RING_H

#include "defs.h"

/* No record has more bytes, with its head. */
#define RING_RECORD_MAX ((size_t)256 << 10)

/* Positions count the bytes that were ever written to the ring. */
struct ring {
	/* position up to which space was returned; read by the kernel */
	volatile unsigned long *consumed;
	const volatile unsigned long *produced; /* how far the kernel has written */
	const uint8_t *data; /* mapped twice in a row, so that no record is cut */
	size_t size;	     /* in bytes, a power of two */
	unsigned long next;  /* where the next record begins */
	unsigned long released;
	/* What was written before the position moved, and not released, is in our memory. */
	unsigned long moved;
	unsigned long base; /* the position that is at the beginning of our memory */
	uint8_t *store;	    /* NULL: not yet */
	size_t store_size;  /* bytes of it, a power of two; 0: there is to be none */
	/*
	 * Whoever writes finishes a record before the next one is begun, as one CPU does whose
	 * programs do not interrupt each other. May be set after the ring was opened.
	 */
	bool serial;
	unsigned long seen; /* with serial: how far it was written when it was last looked at */
};

/*
 * Maps the ring that a map of the type BPF_MAP_TYPE_RINGBUF and of size bytes is. store is how many
 * bytes of our memory it may have besides, a power of two, at least size; 0: none. 0 or -errno.
 */
int ring_open(struct ring *r, int map, size_t size, size_t store);
/* The same over memory of a test: pages are one page, one page, and size bytes twice. */
void ring_over(struct ring *r, void *pages, size_t page, size_t size, size_t store);
void ring_close(struct ring *r);

/*
 * Finds the next record that the kernel has finished, of *n bytes: where its bytes are, and in
 * *start where what the ring has of it begins. Returns false if there is none.
 */
bool ring_next(struct ring *r, unsigned long *start, unsigned long *bytes, size_t *n);
/*
 * The bytes at a position that is not released. They stay there until it is, or until
 * ring_relieve().
 */
const void *ring_at(const struct ring *r, unsigned long position);
/* Returns the space before a position to the kernel. */
void ring_release(struct ring *r, unsigned long position);
/* Bytes between what the kernel may write over and what it has written. */
size_t ring_used(const struct ring *r);
/* If the ring is rather full, moves what is in it to our memory, as far as there is room. */
void ring_relieve(struct ring *r);
/* Gives memory back to the system, if nothing is in it. */
void ring_trim(struct ring *r);

#endif
