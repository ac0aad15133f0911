/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader's side of a BPF ring buffer, see Documentation/bpf/ringbuf.rst of Linux. The kernel
 * neither waits for the reader nor wakes it, and drops records that do not fit. Records are read in
 * place. If a ring fills up faster than its records are processed, its contents are moved to a
 * larger store in our own memory. The store is allocated when it is first needed.
 */
#ifndef TRACER_CAPTURE_BPF_RING_H
#define TRACER_CAPTURE_BPF_RING_H

#include "defs.h"

/* Maximum size of a record including its header, in bytes. */
#define RING_RECORD_MAX ((size_t)256 << 10)

/* Positions in a ring are counted in bytes from the first byte ever written to it. */
struct ring {
	/* position up to which space has been released; the kernel reads it */
	volatile unsigned long *consumed;
	const volatile unsigned long *produced; /* position up to which the kernel has written */
	/*
	 * The ring's memory, mapped twice in a row, so that records that wrap around are
	 * contiguous.
	 */
	const uint8_t *data;
	size_t size;	    /* in bytes, a power of two */
	unsigned long next; /* position of the next record to read */
	unsigned long released;
	/*
	 * Records before the position `moved` are in the store, except those that have been
	 * released.
	 */
	unsigned long moved;
	unsigned long base; /* the position of the byte at the start of the store */
	uint8_t *store;	    /* memory for records moved out of the ring; NULL until it is needed */
	size_t store_size;  /* maximum size of the store in bytes, a power of two; 0 for no store */
	/*
	 * True if the writer finishes each record before it begins the next one, as when only one
	 * CPU writes and its programs do not interrupt each other. May be set after the ring was
	 * opened.
	 */
	bool serial;
	unsigned long seen; /* with `serial`: the kernel's position at the last ring_drain() */
};

/*
 * Maps a ring of `size` bytes. `map` is the descriptor of a map of type BPF_MAP_TYPE_RINGBUF.
 * `store` is the maximum size of the store in bytes: a power of two that is at least `size`, or 0
 * for no store. Returns 0 or -errno.
 */
int ring_open(struct ring *r, int map, size_t size, size_t store);
/*
 * For tests: like ring_open(), but the ring is in the memory at `pages`. This memory consists of a
 * page (`page` bytes) with the position `consumed`, a page with the position `produced`, and the
 * `size` bytes of data twice.
 */
void ring_over_memory(struct ring *r, void *pages, size_t page, size_t size, size_t store);
void ring_close(struct ring *r);

/*
 * Finds the next record that the kernel has finished. Sets *start to the record's position, *bytes
 * to the position of its data, and *n to the size of the data in bytes. Returns false if there is
 * no such record.
 */
bool ring_next(struct ring *r, unsigned long *start, unsigned long *bytes, size_t *n);
/*
 * Returns a pointer to the data at a position that has not been released. The pointer is valid
 * until that position is released or ring_drain() is called.
 */
const void *ring_at(const struct ring *r, unsigned long position);
/* Releases the space before a position, so that the kernel can use it again. */
void ring_release(struct ring *r, unsigned long position);
/*
 * Returns the number of bytes in the ring that the kernel cannot use for new records yet.
 */
size_t ring_used(const struct ring *r);
/* If the ring is more than a quarter full, moves finished records to the store, as many as fit. */
void ring_drain(struct ring *r);
/* Frees the memory of the store (see above) if the store contains no records. */
void ring_trim(struct ring *r);

#endif
