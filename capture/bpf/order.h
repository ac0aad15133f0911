/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One stream out of many rings. Each CPU writes its own rings, and a thread moves between CPUs: the
 * records are put in order by their times.
 *
 * A record has its time before its place in the ring. So whatever was written before a moment is
 * found by looking at all rings after it, and if nothing younger than that moment is taken, what
 * happened first comes first.
 */
#ifndef TRACER_CAPTURE_BPF_ORDER_H
#define TRACER_CAPTURE_BPF_ORDER_H

#include "capture/bpf/ring.h"

struct record;

struct order;

/* rings are borrowed; ring_next() and ring_release() are called by nobody else. Never NULL. */
struct order *order_create(struct ring *rings, unsigned n);
void order_destroy(struct order *o); /* NULL is fine */

/*
 * Looks at the rings, and takes of what was written before the time now (CLOCK_MONOTONIC, in
 * nanoseconds; taken before the call) so much that it is still in the processor's caches when it is
 * given out. All that could be given out before must have been. Returns false if there is nothing
 * to give out. Records shorter than `least` bytes are dropped.
 */
bool order_refill(struct order *o, uint64_t now, size_t least);
/* Nothing will come for a while. */
void order_rest(struct order *o);
/*
 * The next record, of *n bytes, from ring *ring; NULL if there is none. It is valid until the next
 * call of order_refill() or order_next(), which give its space back to the kernel. The entry and
 * the return of a call that are one record in the ring are two records here.
 */
const struct record *order_next(struct order *o, size_t *n, unsigned *ring);
/*
 * The first record that was written and not given out yet for which matches() says yes, or NULL.
 * Not more than some thousands are looked at. It is valid as long as the one that was given out
 * last. ctx is for matches().
 */
const struct record *order_find(const struct order *o,
				bool (*matches)(const struct record *r, const void *ctx),
				const void *ctx, size_t *n);

#endif
