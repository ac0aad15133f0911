/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/json/once.h"

#include <string.h>

struct once_text {
	uint64_t number;
	size_t len;
	char text[];
};

static const struct once_text *find(const struct once_age *age, uint64_t hash, const char *text,
				    size_t n)
{
	const struct table_slot *slot = NULL;

	while ((slot = table_find(&age->by_hash, hash, slot))) {
		const struct once_text *t = (const struct once_text *)(uintptr_t)slot->value;

		if (t->len == n && !memcmp(t->text, text, n))
			return t;
	}
	return NULL;
}

static void forget(struct once_age *age)
{
	table_deinit(&age->by_hash);
	arena_reset(&age->texts);
	*age = (struct once_age){0};
}

static void add(struct once *o, uint64_t hash, const char *text, size_t n, uint64_t number)
{
	struct once_age *age = &o->ages[o->young];
	struct once_text *t;

	if (age->texts.total >= o->limit) {
		/* Drop the old generation. Its storage becomes the new young generation. */
		o->young = !o->young;
		age = &o->ages[o->young];
		forget(age);
	}
	t = arena_alloc(&age->texts, sizeof(*t) + n);
	t->number = number;
	t->len = n;
	memcpy(t->text, text, n);
	table_add(&age->by_hash, hash, (uintptr_t)t);
}

uint64_t once_number(struct once *o, const char *text, size_t n, bool *added)
{
	uint64_t hash = table_hash(text, n), number;
	const struct once_text *t = find(&o->ages[o->young], hash, text, n);

	*added = false;
	if (likely(t))
		return t->number;
	t = find(&o->ages[!o->young], hash, text, n);
	*added = !t;
	/* add() may free `t`, so read its number first. */
	number = t ? t->number : ++o->last;
	add(o, hash, text, n, number);
	return number;
}

void once_deinit(struct once *o)
{
	forget(&o->ages[0]);
	forget(&o->ages[1]);
}
