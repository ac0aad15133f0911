/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/order.h"

#include <stdlib.h>
#include <string.h>

#include "capture/bpf/records.h"
#include "util/vec.h"

/* Maximum number of records to read from a ring at a time. */
#define TAKEN_MAX 256
/*
 * Assumed size of a cache line in bytes. Used only for prefetching, so a wrong value does no harm.
 */
#define CACHE_LINE 64
/* Maximum number of records per ring that order_find() examines. */
#define FOUND_MAX 8192
/* Number of records after which the rings' fill level is checked; a power of two. */
#define DRAINED_EVERY 64

struct entry {
	uint64_t time;
	unsigned long start; /* position of the record in the ring */
	unsigned long bytes; /* position of the record's data in the ring */
	/* When this entry is returned, the ring can be released up to this position. */
	unsigned long released;
	size_t n;
};

/* The entries that have been read from a ring. */
struct queue {
	VEC(struct entry) entries;
	size_t at; /* index of the next entry to return */
};

struct order {
	struct ring *rings;
	struct queue *queues; /* one queue for each ring */
	unsigned n;
	unsigned *heap, heaped; /* the queues that are not empty, as a heap; the queue with the
				   oldest entry is on top */
	uint64_t limit;		/* only entries that are older than this time may be returned */
	/*
	 * The ring of the last entry that was returned, and the position up to which this ring can
	 * be released at the next call.
	 */
	struct ring *held;
	unsigned long held_end;
	unsigned nreturned;
};

struct order *order_create(struct ring *rings, unsigned n)
{
	struct order *o = mem_zalloc(sizeof(*o));

	o->rings = rings;
	o->n = n;
	o->queues = mem_zalloc(n * sizeof(*o->queues));
	o->heap = mem_zalloc(n * sizeof(*o->heap));
	return o;
}

void order_destroy(struct order *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < o->n; i++)
		vec_deinit(&o->queues[i].entries);
	free(o->queues);
	free(o->heap);
	free(o);
}

static void release_held(struct order *o)
{
	if (o->held)
		ring_release(o->held, o->held_end);
	o->held = NULL;
}

/*
 * Moves the last entry to its place in chronological order. The records of one CPU are nearly in
 * order, so the entry moves past few others.
 */
static void sort_last(struct queue *q)
{
	struct entry last = q->entries.v[q->entries.n - 1];
	size_t i = q->entries.n - 1;

	for (; i > q->at && q->entries.v[i - 1].time > last.time; i--)
		q->entries.v[i] = q->entries.v[i - 1];
	q->entries.v[i] = last;
}

/*
 * Sets `released` in all entries. The space of a ring can be released only in the order of
 * positions. The space of an entry is therefore released when the entry and all entries at lower
 * positions have been returned.
 */
static void find_released(struct queue *q, unsigned long end)
{
	for (size_t i = q->entries.n; i-- > q->at;) {
		struct entry *e = &q->entries.v[i];

		e->released = end;
		if (e->start < end)
			end = e->start;
	}
}

/*
 * Returns the offset of the return within a record of n bytes, or 0 if the record does not contain
 * both an entry and its return.
 */
static size_t leave_in(const struct record *r, size_t n)
{
	const struct enter_record *enter = (const struct enter_record *)r;

	if (r->kind != RECORD_ENTER || n < ENTER_NO_ARGS || enter->leave < ENTER_NO_ARGS ||
	    enter->leave % 8 || enter->leave + sizeof(*r) > n)
		return 0;
	return enter->leave;
}

static void push(struct queue *q, const struct ring *r, unsigned long start, unsigned long bytes,
		 size_t n)
{
	const struct record *record = ring_at(r, bytes);
	uint64_t time = record->time;

	/*
	 * The record is probably still in the cache of the CPU that wrote it. Prefetch the rest of
	 * the record, because it will be reported soon.
	 */
	__builtin_prefetch((const char *)record + CACHE_LINE);

	/*
	 * Records of a serial ring are in order, but the clock may go back slightly when it is
	 * adjusted.
	 */
	if (r->serial && q->entries.n > q->at)
		time = size_max(time, q->entries.v[q->entries.n - 1].time);
	*vec_push(&q->entries) =
		(struct entry){.time = time, .start = start, .bytes = bytes, .n = n};
	sort_last(q);
}

/* Moves the entries that were not returned yet to the start of the queue. */
static void compact(struct queue *q)
{
	size_t left = q->entries.n - q->at;

	if (left && q->at)
		memmove(q->entries.v, q->entries.v + q->at, left * sizeof(*q->entries.v));
	q->entries.n = left;
	q->at = 0;
}

/*
 * Reads at most TAKEN_MAX records that are older than `now`, and drops records that are shorter
 * than `least` bytes. Returns a time before which all records have been read.
 */
static uint64_t read_ring(struct queue *q, struct ring *r, uint64_t now, size_t least)
{
	unsigned long before = r->next, start, bytes;
	uint64_t limit = now;
	size_t n;

	compact(q);
	while (ring_next(r, &start, &bytes, &n)) {
		const struct record *record = ring_at(r, bytes);
		size_t leave;

		if (n < size_max(least, sizeof(*record))) {
			before = r->next;
			continue;
		}
		if (record->time >= now) {
			r->next = before;
			break;
		}
		if (q->entries.n >= TAKEN_MAX) {
			r->next = before;
			limit = record->time;
			break;
		}
		leave = leave_in(record, n);
		push(q, r, start, bytes, leave ? leave : n);
		if (leave)
			push(q, r, start, bytes + leave, n - leave);
		before = r->next;
	}
	find_released(q, r->next);
	return limit;
}

static uint64_t time_of(const struct order *o, unsigned at)
{
	const struct queue *q = &o->queues[o->heap[at]];

	return q->entries.v[q->at].time;
}

/* Restores the heap order below position `at` after the queue at that position has changed. */
static void sift(struct order *o, unsigned at)
{
	for (;;) {
		unsigned child = 2 * at + 1, moved = o->heap[at];

		if (child >= o->heaped)
			return;
		if (child + 1 < o->heaped && time_of(o, child + 1) < time_of(o, child))
			child++;
		if (time_of(o, at) <= time_of(o, child))
			return;
		o->heap[at] = o->heap[child];
		o->heap[child] = moved;
		at = child;
	}
}

static void drain(struct order *o)
{
	for (unsigned i = 0; i < o->n; i++)
		ring_drain(&o->rings[i]);
}

/* Returns true if there is an entry that may be returned now. */
static bool is_ready(const struct order *o)
{
	return o->heaped && time_of(o, 0) < o->limit;
}

bool order_refill(struct order *o, uint64_t now, size_t least)
{
	release_held(o);
	drain(o);
	o->heaped = 0;
	o->limit = now;
	for (unsigned i = 0; i < o->n; i++) {
		uint64_t limit = read_ring(&o->queues[i], &o->rings[i], now, least);

		if (limit < o->limit)
			o->limit = limit;
		if (o->queues[i].entries.n)
			o->heap[o->heaped++] = i;
	}
	for (unsigned i = o->heaped / 2; i-- > 0;)
		sift(o, i);
	return is_ready(o);
}

void order_trim(struct order *o)
{
	for (unsigned i = 0; i < o->n; i++)
		ring_trim(&o->rings[i]);
}

const struct record *order_next(struct order *o, size_t *n, unsigned *ring)
{
	const struct entry *e;
	struct queue *q;

	release_held(o);
	if (!is_ready(o))
		return NULL;
	if (!(++o->nreturned & (DRAINED_EVERY - 1)))
		drain(o);
	*ring = o->heap[0];
	q = &o->queues[*ring];
	e = &q->entries.v[q->at++];
	o->held = &o->rings[*ring];
	o->held_end = e->released;
	if (q->at == q->entries.n)
		o->heap[0] = o->heap[--o->heaped];
	if (o->heaped > 1)
		sift(o, 0);
	*n = e->n;
	return ring_at(o->held, e->bytes);
}

/* The state of one order_find(). */
struct search {
	bool (*matches)(const struct record *r, const void *ctx);
	const void *ctx;
	const struct record *found;
	size_t n;
};

static void check_candidate(struct search *s, const struct record *r, size_t n)
{
	if ((!s->found || r->time < s->found->time) && s->matches(r, s->ctx)) {
		s->found = r;
		s->n = n;
	}
}

static void search_ring(const struct queue *q, const struct ring *r, struct search *s)
{
	struct ring ahead = *r;
	unsigned long start, bytes;
	size_t n;

	for (size_t i = q->at; i < q->entries.n; i++)
		check_candidate(s, ring_at(r, q->entries.v[i].bytes), q->entries.v[i].n);
	for (int i = 0; i < FOUND_MAX && ring_next(&ahead, &start, &bytes, &n); i++) {
		const struct record *record = ring_at(r, bytes);
		size_t leave = n < sizeof(*record) ? 0 : leave_in(record, n);

		if (n < sizeof(*record))
			continue;
		check_candidate(s, record, leave ? leave : n);
		if (leave)
			check_candidate(s, (const struct record *)((const char *)record + leave),
					n - leave);
	}
}

const struct record *order_find(const struct order *o,
				bool (*matches)(const struct record *r, const void *ctx),
				const void *ctx, size_t *n)
{
	struct search s = {.matches = matches, .ctx = ctx};

	for (unsigned i = 0; i < o->n; i++)
		search_ring(&o->queues[i], &o->rings[i], &s);
	*n = s.n;
	return s.found;
}
