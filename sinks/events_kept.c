/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/events_kept.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/vec.h"

/*
 * Dropped events are freed when their total size in bytes exceeds both this limit and the total
 * size of the stored events.
 */
#define DEAD_MAX (64 * 1024)

struct events_kept {
	size_t max;
	struct strbuf text;
	VEC(size_t) starts; /* offset in `text` of each event */
	size_t first;	    /* index in `starts` of the oldest stored event */
	uint64_t seen;
};

bool event_continues(const char *p, size_t n)
{
	return n > 2 && p[0] == ' ' && p[2] == ' ' && (p[1] == '>' || p[1] == '|' || p[1] == '*');
}

size_t events_that_fit(const char *p, size_t n, size_t max)
{
	size_t fit = 0;

	for (size_t at = 0; at < n;) {
		const char *end = memchr(p + at, '\n', n - at);

		if (!end)
			break;
		at = (size_t)(end - p) + 1;
		if (at > max)
			break;
		if (!event_continues(p + at, n - at))
			fit = at;
	}
	return fit;
}

struct events_kept *events_kept_create(size_t max)
{
	struct events_kept *k = mem_zalloc(sizeof(*k));

	k->max = max;
	return k;
}

void events_kept_destroy(struct events_kept *k)
{
	if (!k)
		return;
	strbuf_deinit(&k->text);
	vec_deinit(&k->starts);
	free(k);
}

/* Frees the memory of dropped events. */
static void forget(struct events_kept *k)
{
	size_t dead = k->first < k->starts.n ? k->starts.v[k->first] : k->text.len;

	if (dead < DEAD_MAX || dead < k->text.len / 2)
		return;
	memmove(k->text.data, k->text.data + dead, k->text.len - dead);
	k->text.len -= dead;
	k->starts.n -= k->first;
	memmove(k->starts.v, k->starts.v + k->first, k->starts.n * sizeof(*k->starts.v));
	k->first = 0;
	vec_for_each (&k->starts, start)
		*start -= dead;
}

void events_kept_add(struct events_kept *k, const char *p, size_t n)
{
	while (n) {
		const char *end = memchr(p, '\n', n);
		size_t line = end ? (size_t)(end - p) + 1 : n;

		if (k->first == k->starts.n || !event_continues(p, line)) {
			*vec_push(&k->starts) = k->text.len;
			k->seen++;
			if (k->starts.n - k->first > k->max)
				k->first++;
		}
		strbuf_add(&k->text, p, line);
		p += line;
		n -= line;
	}
	forget(k);
}

void events_kept_take(struct events_kept *k, struct strbuf *to)
{
	if (k->first < k->starts.n)
		strbuf_add(to, k->text.data + k->starts.v[k->first],
			   k->text.len - k->starts.v[k->first]);
	k->text.len = k->starts.n = k->first = 0;
}

uint64_t events_kept_seen(const struct events_kept *k)
{
	return k->seen;
}

size_t events_kept_count(const struct events_kept *k)
{
	return k->starts.n - k->first;
}
