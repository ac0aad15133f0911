/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/order.h"

#include <stdlib.h>

#include "capture/bpf/records.h"
#include "util/vec.h"

struct entry {
	uint64_t time;
	const struct record *record;
	size_t n;
	unsigned long end; /* of the record in its ring */
	/* Once this entry was given out, the ring is free up to here. */
	unsigned long released;
};

/* What was taken of a ring. */
struct queue {
	VEC(struct entry) entries;
	size_t at; /* the next one */
};

struct order {
	struct ring *rings;
	struct queue *queues; /* of each ring */
	unsigned n;
	unsigned *heap, heaped; /* queues that are not empty, the one with the oldest entry first */
	/* The ring of the entry given out last, and what is to be released of it. */
	struct ring *held;
	unsigned long held_end;
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

/* Puts the last entry where its time says: records of one CPU are nearly in order. */
static void sort_last(struct queue *q)
{
	struct entry last = q->entries.v[q->entries.n - 1];
	size_t i = q->entries.n - 1;

	for (; i && q->entries.v[i - 1].time > last.time; i--)
		q->entries.v[i] = q->entries.v[i - 1];
	q->entries.v[i] = last;
}

/* Space can be given back only in the order of the ring. */
static void find_released(struct queue *q, unsigned long end)
{
	for (size_t i = q->entries.n; i-- > 0;) {
		struct entry *e = &q->entries.v[i];
		unsigned long start = e->end - align_up(8 + e->n, 8);

		e->released = end;
		if (start < end)
			end = start;
	}
}

static void take(struct queue *q, struct ring *r, uint64_t now, size_t least)
{
	unsigned long before = r->next, end;
	const struct record *record;
	size_t n;

	q->entries.n = q->at = 0;
	while ((record = ring_next(r, &n, &end))) {
		if (n < size_max(least, sizeof(*record))) {
			before = r->next;
			continue;
		}
		if (record->time >= now) {
			r->next = before;
			break;
		}
		*vec_push(&q->entries) =
			(struct entry){.time = record->time, .record = record, .n = n, .end = end};
		sort_last(q);
		before = r->next;
	}
	find_released(q, r->next);
}

static uint64_t time_of(const struct order *o, unsigned at)
{
	const struct queue *q = &o->queues[o->heap[at]];

	return q->entries.v[q->at].time;
}

/* Restores the heap below a place whose queue has changed. */
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

size_t order_refill(struct order *o, uint64_t now, size_t least)
{
	size_t taken = 0;

	release_held(o);
	o->heaped = 0;
	for (unsigned i = 0; i < o->n; i++) {
		take(&o->queues[i], &o->rings[i], now, least);
		taken += o->queues[i].entries.n;
		if (o->queues[i].entries.n)
			o->heap[o->heaped++] = i;
	}
	for (unsigned i = o->heaped / 2; i-- > 0;)
		sift(o, i);
	return taken;
}

const struct record *order_next(struct order *o, size_t *n, unsigned *ring)
{
	const struct entry *e;
	struct queue *q;

	release_held(o);
	if (!o->heaped)
		return NULL;
	*ring = o->heap[0];
	q = &o->queues[*ring];
	e = &q->entries.v[q->at++];
	o->held = &o->rings[*ring];
	o->held_end = e->released;
	if (q->at == q->entries.n)
		o->heap[0] = o->heap[--o->heaped];
	sift(o, 0);
	*n = e->n;
	return e->record;
}

const struct record *order_find(const struct order *o,
				bool (*matches)(const struct record *r, const void *ctx),
				const void *ctx, size_t *n)
{
	const struct entry *found = NULL;

	for (unsigned i = 0; i < o->heaped; i++) {
		const struct queue *q = &o->queues[o->heap[i]];

		for (size_t k = q->at; k < q->entries.n; k++) {
			const struct entry *e = &q->entries.v[k];

			if (found && e->time >= found->time)
				break;
			if (matches(e->record, ctx)) {
				found = e;
				break;
			}
		}
	}
	if (found)
		*n = found->n;
	return found ? found->record : NULL;
}
