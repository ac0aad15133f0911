/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/compare.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/diff/align.h"
#include "util/base_name.h"
#include "util/mem.h"

/* The tracks whose threads have the same parent. */
struct sibling_list {
	uint32_t *v;
	size_t n;
};

/* The children of each track in a run, in their original order. */
struct family {
	uint32_t *all; /* indexes of all tracks, sorted by the parents of the tracks */
	size_t *begin; /* begin[i + 1] is the index in `all` of the first child of track i;
			  begin[0] is the index of the first track without a parent */
	size_t count;
};

static size_t family_slot(uint32_t parent)
{
	return parent == RUN_NONE ? 0 : (size_t)parent + 1;
}

/* Returns true if a track contains nothing worth reporting. */
static bool is_empty(const struct run_track *t)
{
	return !t->calls.n && !t->command && t->outcome == RUN_UNKNOWN;
}

static void family_init(struct family *f, const struct run *r)
{
	size_t n = r->tracks.n;

	f->all = mem_alloc((n + 1) * sizeof(*f->all));
	f->begin = mem_zalloc((n + 3) * sizeof(*f->begin));
	for (size_t i = 0; i < n; i++)
		f->begin[family_slot(r->tracks.v[i]->parent) + 2]++;
	for (size_t i = 2; i < n + 3; i++)
		f->begin[i] += f->begin[i - 1];
	for (size_t i = 0; i < n; i++)
		f->all[f->begin[family_slot(r->tracks.v[i]->parent) + 1]++] = (uint32_t)i;
}

static struct sibling_list family_of(const struct family *f, uint32_t parent)
{
	size_t slot = family_slot(parent);

	return (struct sibling_list){f->all + f->begin[slot], f->begin[slot + 1] - f->begin[slot]};
}

static void family_deinit(struct family *f)
{
	free(f->all);
	free(f->begin);
}

/* -- matching threads --------------------------------------------------------------- */

enum likeness { BY_COMMAND, BY_PROGRAM, LIKENESSES };

static uint64_t track_key(const struct run *r, const struct run_track *t, enum likeness likeness)
{
	const char *name = t->comm;

	if (likeness == BY_COMMAND && t->command)
		name = texts_get(r->texts, t->command);
	else if (t->program)
		name = base_name(texts_get(r->texts, t->program));
	return key_mix(loose_hash(&r->fresh, name, strlen(name)), t->thread);
}

static uint64_t *track_keys(const struct run *r, struct sibling_list siblings,
			    enum likeness likeness)
{
	uint64_t *keys = mem_alloc((siblings.n + 1) * sizeof(*keys));

	for (size_t i = 0; i < siblings.n; i++)
		keys[i] = track_key(r, r->tracks.v[siblings.v[i]], likeness);
	return keys;
}

/*
 * Matches the remaining tracks that have the same command but were started in a different order, as
 * happens with make -j. For each track in `a`, match[] contains the index of its match in `b`, or
 * ALIGN_NONE.
 */
static void match_unordered(const struct comparison *c, struct sibling_list a,
			    struct sibling_list b, uint32_t *match)
{
	uint64_t *ka = track_keys(c->a, a, BY_COMMAND), *kb = track_keys(c->b, b, BY_COMMAND);
	bool *taken = mem_zalloc(b.n + 1);
	struct table free_b = {0};

	for (size_t i = 0; i < a.n; i++)
		if (match[i] != ALIGN_NONE)
			taken[match[i]] = true;
	for (size_t i = b.n; i--;)
		if (!taken[i])
			table_add(&free_b, kb[i], i + 1);
	for (size_t i = 0; i < a.n; i++) {
		struct table_slot *slot =
			match[i] == ALIGN_NONE ? table_find(&free_b, ka[i], NULL) : NULL;

		if (!slot)
			continue;
		match[i] = (uint32_t)(slot->value - 1);
		table_remove(&free_b, slot);
	}
	table_deinit(&free_b);
	free(taken);
	free(ka);
	free(kb);
}

static void add_pair(struct comparison *c, uint32_t a, uint32_t b, uint32_t parent)
{
	const struct run_track *ta = a == RUN_NONE ? NULL : c->a->tracks.v[a];
	const struct run_track *tb = b == RUN_NONE ? NULL : c->b->tracks.v[b];
	struct track_pair p = {.a = a, .b = b, .parent = parent};

	if ((!ta || is_empty(ta)) && (!tb || is_empty(tb)))
		return;
	if (ta && tb && ta->outcome != RUN_UNKNOWN && tb->outcome != RUN_UNKNOWN &&
	    !(ta->thread && tb->thread))
		p.ends_differ = ta->outcome != tb->outcome || ta->code != tb->code;
	*vec_push(&c->pairs) = p;
}

static void pair_siblings(struct comparison *c, struct sibling_list a, struct sibling_list b,
			  uint32_t parent)
{
	uint32_t *match = mem_alloc((a.n + 1) * sizeof(*match));
	bool *taken = mem_zalloc(b.n + 1);

	align_clear(match, a.n);
	for (enum likeness l = 0; l < LIKENESSES; l++) {
		uint64_t *ka = track_keys(c->a, a, l), *kb = track_keys(c->b, b, l);

		align(ka, a.n, kb, b.n, match);
		free(ka);
		free(kb);
	}
	match_unordered(c, a, b, match);
	/* If each run has exactly one child here, match them even if they differ. */
	if (a.n == 1 && b.n == 1)
		match[0] = 0;
	for (size_t i = 0; i < a.n; i++)
		if (match[i] != ALIGN_NONE)
			taken[match[i]] = true;
	for (size_t i = 0; i < a.n; i++)
		add_pair(c, a.v[i], match[i] == ALIGN_NONE ? RUN_NONE : b.v[match[i]], parent);
	for (size_t i = 0; i < b.n; i++)
		if (!taken[i])
			add_pair(c, RUN_NONE, b.v[i], parent);
	free(match);
	free(taken);
}

static void pair_tracks(struct comparison *c)
{
	static const struct sibling_list none;
	struct family fa, fb;

	family_init(&fa, c->a);
	family_init(&fb, c->b);
	pair_siblings(c, family_of(&fa, RUN_NONE), family_of(&fb, RUN_NONE), RUN_NONE);
	for (size_t i = 0; i < c->pairs.n; i++) {
		struct track_pair p = c->pairs.v[i];

		pair_siblings(c, p.a == RUN_NONE ? none : family_of(&fa, p.a),
			      p.b == RUN_NONE ? none : family_of(&fb, p.b), (uint32_t)i);
	}
	family_deinit(&fa);
	family_deinit(&fb);
}

/* -- matching calls ------------------------------------------------------------------ */

static void add(struct comparison *c, enum difference_kind kind, uint32_t pair, size_t a, size_t b)
{
	*vec_push(&c->differences) = (struct difference){kind, pair, (uint32_t)a, (uint32_t)b};
}

static uint64_t *call_keys_of(const struct run_track *t, unsigned level)
{
	uint64_t *keys = mem_alloc((t->calls.n + 1) * sizeof(*keys));

	for (size_t i = 0; i < t->calls.n; i++) {
		const struct run_call *call = &t->calls.v[i];

		keys[i] = level == 0 ? call->strong : level == 1 ? call->key : call->loose;
	}
	return keys;
}

static bool results_differ(const struct run_call *a, const struct run_call *b)
{
	if (!a->returned || !b->returned)
		return false;
	return a->error != b->error || (a->counts && b->counts && a->result != b->result);
}

static void compare_calls(struct comparison *c, uint32_t pair, const struct run_call *a, size_t i,
			  const struct run_call *b, size_t j)
{
	struct track_pair *p = &c->pairs.v[pair];
	enum difference_kind kind;

	p->both++;
	c->both++;
	if (results_differ(a, b) && (a->error != b->error || a->key == b->key)) {
		kind = DIFFERENCE_RESULT;
		p->results++;
	} else if (a->key != b->key) {
		kind = DIFFERENCE_NUMBERS;
		p->numbers++;
	} else if (a->data != b->data) {
		kind = DIFFERENCE_DATA;
		p->data++;
	} else {
		return;
	}
	add(c, kind, pair, i, j);
}

static void only(struct comparison *c, uint32_t pair, bool in_b, size_t i, size_t j)
{
	struct track_pair *p = &c->pairs.v[pair];

	*(in_b ? &p->only_b : &p->only_a) += 1;
	add(c, in_b ? DIFFERENCE_ONLY_B : DIFFERENCE_ONLY_A, pair, i, j);
}

static const struct run_track no_track;

static void compare_pair(struct comparison *c, uint32_t pair)
{
	const struct track_pair *p = &c->pairs.v[pair];
	const struct run_track *a = p->a == RUN_NONE ? &no_track : c->a->tracks.v[p->a];
	const struct run_track *b = p->b == RUN_NONE ? &no_track : c->b->tracks.v[p->b];
	uint32_t *match = mem_alloc((a->calls.n + 1) * sizeof(*match));
	size_t j = 0;

	align_clear(match, a->calls.n);
	for (unsigned level = 0; level < 3; level++) {
		uint64_t *ka, *kb;

		if (level == 0 && !(c->a->stacks && c->b->stacks))
			continue;
		ka = call_keys_of(a, level);
		kb = call_keys_of(b, level);
		align(ka, a->calls.n, kb, b->calls.n, match);
		free(ka);
		free(kb);
	}
	for (size_t i = 0; i < a->calls.n; i++) {
		if (match[i] == ALIGN_NONE) {
			only(c, pair, false, i, j);
			continue;
		}
		for (; j < match[i]; j++)
			only(c, pair, true, i, j);
		compare_calls(c, pair, &a->calls.v[i], i, &b->calls.v[j], j);
		j++;
	}
	for (; j < b->calls.n; j++)
		only(c, pair, true, a->calls.n, j);
	free(match);
}

void compare(struct comparison *c, const struct run *a, const struct run *b)
{
	c->a = a;
	c->b = b;
	pair_tracks(c);
	for (size_t i = 0; i < c->pairs.n; i++)
		compare_pair(c, (uint32_t)i);
}

void comparison_deinit(struct comparison *c)
{
	vec_deinit(&c->pairs);
	vec_deinit(&c->differences);
}

bool comparison_differs(const struct comparison *c)
{
	vec_for_each (&c->pairs, p)
		if (p->ends_differ || p->a == RUN_NONE || p->b == RUN_NONE)
			return true;
	vec_for_each (&c->differences, d) {
		const struct run_call *call = difference_call(c, d, d->kind == DIFFERENCE_ONLY_B);

		if (d->kind != DIFFERENCE_NUMBERS && !call->quiet)
			return true;
	}
	return false;
}

const struct run_call *difference_call(const struct comparison *c, const struct difference *d,
				       bool in_b)
{
	const struct track_pair *p = &c->pairs.v[d->pair];

	if (d->kind == (in_b ? DIFFERENCE_ONLY_A : DIFFERENCE_ONLY_B))
		return NULL;
	return in_b ? &c->b->tracks.v[p->b]->calls.v[d->b] : &c->a->tracks.v[p->a]->calls.v[d->a];
}

const struct run_track *pair_track(const struct comparison *c, const struct track_pair *p,
				   const struct run **run)
{
	*run = p->a != RUN_NONE ? c->a : c->b;
	return (*run)->tracks.v[p->a != RUN_NONE ? p->a : p->b];
}
