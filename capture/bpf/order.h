/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merges many rings into one stream. Each CPU writes to its own rings and threads move between
 * CPUs, so records must be sorted by time.
 *
 * Each record contains a time that was taken before the record was added to its ring. A pass over
 * all rings therefore finds all records that are older than the start of the pass. To keep the
 * order correct, only these records are returned before the next pass.
 */
#ifndef TRACER_CAPTURE_BPF_ORDER_H
#define TRACER_CAPTURE_BPF_ORDER_H

#include "capture/bpf/ring.h"

struct record;

struct order;

/*
 * Creates the stream of the n rings in `rings`. `rings` is borrowed. Only this code may call
 * ring_next() and ring_release() for these rings. Never returns NULL.
 */
struct order *order_create(struct ring *rings, unsigned n);
void order_destroy(struct order *o); /* o may be NULL */

/*
 * Reads records that were written before `now` (CLOCK_MONOTONIC in nanoseconds). `now` must not be
 * in the future unless no more records are written. Reads a limited number of records from each
 * ring. Drops records shorter than `least` bytes. May be called only after order_next() has
 * returned NULL. Returns false if order_next() still has no record to return.
 */
bool order_refill(struct order *o, uint64_t now, size_t least);
/* Frees unused memory. Should be called when no records are expected for a while. */
void order_trim(struct order *o);
/*
 * Returns the next record, or NULL if there is none. Sets *n to the record's size in bytes, and
 * *ring to the number of the ring that contains the record. The record is valid until the next call
 * of order_refill() or order_next(), because these functions return the record's space to the
 * kernel. A record that contains both an entry and its return is returned as two records.
 */
const struct record *order_next(struct order *o, size_t *n, unsigned *ring);
/*
 * Returns the oldest record that has not been returned yet and for which matches(record, ctx) is
 * true, and sets *n to its size in bytes. Returns NULL if there is none among the first few
 * thousand records of each ring. The result is valid until the next call of order_refill() or
 * order_next().
 */
const struct record *order_find(const struct order *o,
				bool (*matches)(const struct record *r, const void *ctx),
				const void *ctx, size_t *n);

#endif
