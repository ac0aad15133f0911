/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/critical.h"

#include <stdlib.h>
#include <string.h>

#include "event/wakeup.h"
#include "sinks/path/walk.h"
#include "util/mem.h"

static uint32_t track_of(const uint32_t *tracks, size_t ntracks, uint32_t thread)
{
	return thread && thread <= ntracks ? tracks[thread - 1] : RUN_NONE;
}

static uint64_t hash_of(uint32_t who, const char *call, const char *cause)
{
	return key_mix(key_mix(key_mix(1, who), (uintptr_t)call), (uintptr_t)cause);
}

static void add_step(struct run *r, struct table *by_key, const struct critical_time *step)
{
	const uint64_t hash = hash_of(step->track, step->call, step->cause);
	const struct table_slot *slot = table_find(by_key, hash, NULL);
	struct critical_time *t;

	r->critical.total += step->time;
	if (step->cause && step->cause != wake_cause_name(WAKE_TIMER))
		r->critical.unexplained += step->time;
	if (!slot) {
		*vec_push(&r->critical.times) = *step;
		table_add(by_key, hash, r->critical.times.n);
		return;
	}
	t = &r->critical.times.v[slot->value - 1];
	t->time += step->time;
	if (step->longest <= t->longest)
		return;
	t->longest = step->longest;
	t->waiter = step->waiter;
	t->waiter_call = step->waiter_call;
	t->inferred = step->inferred;
}

void critical_collect(struct run *r, const struct history *h, const uint32_t *tracks,
		      size_t ntracks)
{
	struct table by_key = {0};
	struct path path = {0};

	path_walk(h, &path);
	vec_for_each (&path.steps, s) {
		const struct critical_time step = {
			.track = track_of(tracks, ntracks, s->thread),
			.call = s->name,
			.cause = s->waited ? wake_cause_name(s->cause) : NULL,
			.time = s->end - s->begin,
			.longest = s->end - s->begin,
			.waiter = track_of(tracks, ntracks, s->waiter),
			.waiter_call = s->waiter_call,
			.inferred = s->inferred,
		};

		add_step(r, &by_key, &step);
	}
	r->critical.reported = h->reported;
	r->critical.inferred = h->inferred;
	vec_deinit(&path.steps);
	table_deinit(&by_key);
}

/* -- comparison ----------------------------------------------------------------------- */

/*
 * Returns an array that maps the index of each track in a run to the index of its pair, or to
 * RUN_NONE. The caller frees the array.
 */
static uint32_t *pairs_of(const struct comparison *c, const struct run *r, bool is_b)
{
	uint32_t *pairs = mem_alloc((r->tracks.n + 1) * sizeof(*pairs));

	for (size_t i = 0; i < r->tracks.n; i++)
		pairs[i] = RUN_NONE;
	for (size_t i = 0; i < c->pairs.n; i++) {
		const uint32_t track = is_b ? c->pairs.v[i].b : c->pairs.v[i].a;

		if (track != RUN_NONE)
			pairs[track] = (uint32_t)i;
	}
	return pairs;
}

static void add_times(struct critical_changes *c, struct table *by_key, const struct run *r,
		      const uint32_t *pairs, bool is_b)
{
	vec_for_each (&r->critical.times, t) {
		const uint32_t pair = t->track == RUN_NONE ? RUN_NONE : pairs[t->track];
		const uint64_t hash = hash_of(pair, t->call, t->cause);
		const struct table_slot *slot = table_find(by_key, hash, NULL);
		struct critical_change *change;

		if (!slot) {
			*vec_push(&c->list) = (struct critical_change){.pair = pair,
								       .call = t->call,
								       .cause = t->cause,
								       .waiter = RUN_NONE};
			table_add(by_key, hash, c->list.n);
			change = &c->list.v[c->list.n - 1];
		} else {
			change = &c->list.v[slot->value - 1];
		}
		*(is_b ? &change->b : &change->a) += t->time;
		if (t->longest <= change->longest)
			continue;
		change->longest = t->longest;
		change->waiter = t->waiter == RUN_NONE ? RUN_NONE : pairs[t->waiter];
		change->waiter_call = t->waiter_call;
		change->inferred = t->inferred;
	}
	*(is_b ? &c->b : &c->a) = r->critical.total;
}

/*
 * Comparison function that sorts by the change of the time: the largest increase first or, if B is
 * shorter, last.
 */
static int by_change(const void *x, const void *y, void *ctx)
{
	const struct critical_change *one = x, *two = y;
	const struct critical_changes *c = ctx;
	const int64_t sign = c->b < c->a ? -1 : 1;
	const int64_t p = sign * (one->b - one->a), q = sign * (two->b - two->a);

	if (p != q)
		return p > q ? -1 : 1;
	if (one->pair != two->pair)
		return one->pair < two->pair ? -1 : 1;
	return strcmp(one->call ? one->call : "", two->call ? two->call : "");
}

void critical_compare(struct critical_changes *c, const struct comparison *comparison)
{
	uint32_t *a = pairs_of(comparison, comparison->a, false);
	uint32_t *b = pairs_of(comparison, comparison->b, true);
	struct table by_key = {0};

	add_times(c, &by_key, comparison->a, a, false);
	add_times(c, &by_key, comparison->b, b, true);
	if (c->list.n)
		qsort_r(c->list.v, c->list.n, sizeof(*c->list.v), by_change, c);
	table_deinit(&by_key);
	free(a);
	free(b);
}
