/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/align.h"

#include <stdlib.h>
#include <string.h>

#include "util/bisect.h"
#include "util/mem.h"
#include "util/vec.h"

/*
 * Maximum number of differences in one pass of the greedy algorithm. The next pass starts at the
 * furthest point that this pass has reached.
 */
#define DIFFERENCES_MAX 256
/*
 * Maximum recursion depth. Each level searches for unique elements between the unique elements of
 * the level above.
 */
#define DEPTH_MAX 24

/* An element and its index in the sequence. */
struct item {
	uint64_t key;
	uint32_t at;
};

struct items {
	struct item *v;
	size_t n;
};

struct aligner {
	uint32_t *match;
	int *trace; /* for the greedy algorithm: furthest point on each diagonal, for each number
		       of differences */
};

/* -- the greedy algorithm -------------------------------------------------------- */

/*
 * Returns the array for d differences. It contains the furthest index in `a` on each diagonal, or
 * -1. The diagonals are numbered from -d to d in steps of two.
 */
static int *diagonals(const struct aligner *w, int d)
{
	return w->trace + (size_t)d * (size_t)(d + 1) / 2;
}

/*
 * Returns the furthest index in `a` on diagonal k with d differences. `before` is the result of
 * diagonals() for one difference less. The last difference skips either an element of `a` (from
 * diagonal k - 1) or an element of `b` (from diagonal k + 1). Sets *from to the diagonal before the
 * last difference. Returns -1 if neither skip is possible.
 */
static int one_more(const int *before, int d, int k, int n, int m, int *from)
{
	int i = (k + d) / 2, x = -1;

	if (k > -d && before[i - 1] >= 0 && before[i - 1] < n) {
		x = before[i - 1] + 1;
		*from = k - 1;
	}
	if (k < d && before[i] >= 0 && before[i] >= x && before[i] - k <= m) {
		x = before[i];
		*from = k + 1;
	}
	return x;
}

/* Goes back from the furthest point on diagonal k with d differences, and records the matches. */
static void walk_back(struct aligner *w, const struct items *a, const struct items *b, int d, int k)
{
	for (int x = diagonals(w, d)[(k + d) / 2];; d--) {
		int from = k, start = 0;

		if (d)
			start = one_more(diagonals(w, d - 1), d, k, (int)a->n, (int)b->n, &from);
		for (; x > start; x--)
			w->match[a->v[x - 1].at] = b->v[x - 1 - k].at;
		if (!d)
			return;
		k = from;
		x = diagonals(w, d - 1)[(k + d - 1) / 2];
	}
}

/*
 * Extends each diagonal over equal elements. If a diagonal reaches the ends of both sequences,
 * stores its number in *k and returns true.
 */
static bool extend(struct aligner *w, const struct items *a, const struct items *b, int d, int *k)
{
	const int n = (int)a->n, m = (int)b->n;
	int *at = diagonals(w, d), from;

	for (*k = -d; *k <= d; *k += 2) {
		int x = d ? one_more(diagonals(w, d - 1), d, *k, n, m, &from) : 0;

		while (x >= 0 && x < n && x - *k < m && a->v[x].key == b->v[x - *k].key)
			x++;
		at[(*k + d) / 2] = x;
		if (x == n && x - *k == m)
			return true;
	}
	return false;
}

/*
 * Aligns a prefix of `a` with a prefix of `b`, with at most DIFFERENCES_MAX differences. Removes
 * both prefixes.
 */
static void greedy_part(struct aligner *w, struct items *a, struct items *b)
{
	int d = 0, k, best = 0, x;

	while (!extend(w, a, b, d, &k) && d < DIFFERENCES_MAX)
		d++;
	/* No diagonal has reached both ends, so continue from the furthest point. */
	if (k > d) {
		const int *at = diagonals(w, d);

		for (int i = -d; i <= d; i += 2)
			if (at[(i + d) / 2] >= 0 && 2 * at[(i + d) / 2] - i > best) {
				best = 2 * at[(i + d) / 2] - i;
				k = i;
			}
	}
	x = diagonals(w, d)[(k + d) / 2];
	walk_back(w, a, b, d, k);
	a->v += x;
	a->n -= (size_t)x;
	b->v += x - k;
	b->n -= (size_t)(x - k);
}

static void greedy(struct aligner *w, struct items a, struct items b)
{
	const size_t all = (size_t)(DIFFERENCES_MAX + 1) * (DIFFERENCES_MAX + 2) / 2;

	if (!w->trace)
		w->trace = mem_alloc(all * sizeof(*w->trace));
	while (a.n && b.n)
		greedy_part(w, &a, &b);
}

/* -- unique elements --------------------------------------------------------------- */

/* An element that occurs exactly once in each sequence. */
struct anchor {
	uint32_t a, b;	/* indexes in the items of `a` and `b` */
	uint32_t below; /* index of the previous anchor in the longest ordered sequence, or
			   ALIGN_NONE */
};

struct anchors {
	struct anchor *v;
	size_t n, cap; /* number of anchors in v, and room for anchors, as in VEC() */
};

static int by_key(const void *one, const void *two)
{
	const struct item *a = one, *b = two;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int by_key_alone(const void *one, const void *two)
{
	const uint64_t *key = one;
	const struct item *item = two;

	return *key < item->key ? -1 : *key > item->key;
}

static int by_a(const void *one, const void *two)
{
	const struct anchor *a = one, *b = two;

	return a->a < b->a ? -1 : a->a > b->a;
}

/* Returns a copy sorted by key. The `at` members are indexes in `s`. */
static struct items sorted(const struct items *s)
{
	struct items copy = {mem_alloc(s->n * sizeof(*s->v)), s->n};

	for (size_t i = 0; i < s->n; i++)
		copy.v[i] = (struct item){s->v[i].key, (uint32_t)i};
	qsort(copy.v, copy.n, sizeof(*copy.v), by_key);
	return copy;
}

/* Returns the number of equal keys, starting at index i. */
static size_t run(const struct items *s, size_t i)
{
	size_t end = i;

	while (end < s->n && s->v[end].key == s->v[i].key)
		end++;
	return end - i;
}

/* Finds the elements that occur exactly once in each sequence, sorted by their index in `a`. */
static void find_unique(const struct items *a, const struct items *b, struct anchors *found)
{
	struct items sa = sorted(a), sb = sorted(b);
	size_t i = 0, j = 0;

	while (i < sa.n && j < sb.n) {
		uint64_t ka = sa.v[i].key, kb = sb.v[j].key;
		size_t na = run(&sa, i), nb = run(&sb, j);

		if (ka == kb && na == 1 && nb == 1)
			*vec_push(found) = (struct anchor){sa.v[i].at, sb.v[j].at, ALIGN_NONE};
		i += ka <= kb ? na : 0;
		j += kb <= ka ? nb : 0;
	}
	free(sa.v);
	free(sb.v);
	if (found->n)
		qsort(found->v, found->n, sizeof(*found->v), by_a);
}

/* Keeps the longest subsequence whose indexes in `b` are ascending (patience sorting). */
static void keep_ordered(struct anchors *all)
{
	uint32_t *piles = mem_alloc((all->n + 1) * sizeof(*piles)), at;
	size_t n = 0, kept;

	for (size_t i = 0; i < all->n; i++) {
		const size_t pile = bisect(n, k, all->v[piles[k]].b < all->v[i].b);

		all->v[i].below = pile ? piles[pile - 1] : ALIGN_NONE;
		piles[pile] = (uint32_t)i;
		n = size_max(n, pile + 1);
	}
	/* Store the indexes of the result in `piles`, from the last one to the first. */
	kept = n;
	for (at = n ? piles[n - 1] : ALIGN_NONE; at != ALIGN_NONE; at = all->v[at].below)
		piles[--kept] = at;
	for (size_t i = 0; i < n; i++)
		all->v[i] = all->v[piles[i]];
	all->n = n;
	free(piles);
}

/* -- combined algorithm -------------------------------------------------------------- */

/* Matches equal elements at both ends of the sequences. */
static void strip(struct aligner *w, struct items *a, struct items *b)
{
	while (a->n && b->n && a->v->key == b->v->key) {
		w->match[a->v->at] = b->v->at;
		a->v++, a->n--;
		b->v++, b->n--;
	}
	while (a->n && b->n && a->v[a->n - 1].key == b->v[b->n - 1].key) {
		w->match[a->v[a->n - 1].at] = b->v[b->n - 1].at;
		a->n--;
		b->n--;
	}
}

static struct items part(const struct items *s, size_t from, size_t to)
{
	return (struct items){s->v + from, to - from};
}

static void align_items(struct aligner *w, struct items a, struct items b, int depth)
{
	struct anchors found = {0};
	size_t i = 0, j = 0;

	strip(w, &a, &b);
	if (!a.n || !b.n)
		return;
	if (depth < DEPTH_MAX) {
		find_unique(&a, &b, &found);
		keep_ordered(&found);
	}
	if (!found.n)
		greedy(w, a, b);
	for (size_t k = 0; found.n && k <= found.n; k++) {
		size_t to = k < found.n ? found.v[k].a : a.n;
		size_t into = k < found.n ? found.v[k].b : b.n;

		align_items(w, part(&a, i, to), part(&b, j, into), depth + 1);
		if (k == found.n)
			break;
		w->match[a.v[to].at] = b.v[into].at;
		i = to + 1;
		j = into + 1;
	}
	vec_deinit(&found);
}

/*
 * Removes all elements from `a` that are missing in `b`. `sb` is `b` sorted by key. Returns the
 * number of remaining elements.
 */
static size_t drop_foreign(struct item *a, size_t n, const struct items *sb)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (bsearch(&a[i].key, sb->v, sb->n, sizeof(*sb->v), by_key_alone))
			a[kept++] = a[i];
	return kept;
}

static void align_gap(struct aligner *w, const uint64_t *a, size_t from, size_t to,
		      const uint64_t *b, size_t start, size_t end)
{
	struct items x = {0}, y = {0}, sx, sy;

	if (from == to || start == end)
		return;
	x.v = mem_alloc((to - from) * sizeof(*x.v));
	y.v = mem_alloc((end - start) * sizeof(*y.v));
	for (size_t i = from; i < to; i++)
		x.v[x.n++] = (struct item){a[i], (uint32_t)i};
	for (size_t i = start; i < end; i++)
		y.v[y.n++] = (struct item){b[i], (uint32_t)i};
	sx = sorted(&x);
	sy = sorted(&y);
	x.n = drop_foreign(x.v, x.n, &sy);
	y.n = drop_foreign(y.v, y.n, &sx);
	align_items(w, x, y, 0);
	free(sx.v);
	free(sy.v);
	free(x.v);
	free(y.v);
}

void align_clear(uint32_t *match, size_t n)
{
	for (size_t i = 0; i < n; i++)
		match[i] = ALIGN_NONE;
}

void align(const uint64_t *a, size_t n, const uint64_t *b, size_t m, uint32_t *match)
{
	struct aligner w = {.match = match};
	size_t from = 0, start = 0;

	for (size_t i = 0; i <= n; i++) {
		size_t end = m;

		if (i < n && match[i] == ALIGN_NONE)
			continue;
		if (i < n)
			end = match[i];
		align_gap(&w, a, from, i, b, start, end);
		from = i + 1;
		start = end + 1;
	}
	free(w.trace);
}
