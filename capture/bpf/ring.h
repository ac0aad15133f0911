/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader's side of a BPF ring buffer: Documentation/bpf/ringbuf.rst of Linux. The kernel writes
 * without waiting for us and without waking us; what does not fit, it refuses. Records are read in
 * place.
 */
#ifndef TRACER_CAPTURE_BPF_RING_H
#define TRACER_CAPTURE_BPF_RING_H

#include "defs.h"

struct ring {
	volatile unsigned long *consumed;	/* how far we have let go: the kernel reads it */
	const volatile unsigned long *produced; /* how far the kernel has written */
	const uint8_t *data; /* mapped twice in a row, so that no record is cut */
	size_t size;	     /* in bytes, a power of two */
	unsigned long next;  /* where the next record begins */
};

/* Maps the ring that a map of the type BPF_MAP_TYPE_RINGBUF and of size bytes is. 0 or -errno. */
int ring_open(struct ring *r, int map, size_t size);
/* The same over memory of a test: pages are one page, one page, and size bytes twice. */
void ring_over(struct ring *r, void *pages, size_t page, size_t size);
void ring_close(struct ring *r);

/*
 * The next record that the kernel has finished, of *n bytes, and in *end the position behind it;
 * NULL if there is none. It stays valid until ring_release() of *end or of a position behind it.
 */
const void *ring_next(struct ring *r, size_t *n, unsigned long *end);
/* Gives the space in front of a position back to the kernel. */
void ring_release(struct ring *r, unsigned long position);
/* Bytes between what was released and what the kernel has written. */
size_t ring_used(const struct ring *r);

#endif
