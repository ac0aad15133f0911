/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/names/lines.h"

#include <stdlib.h>

#define TABLE_MIN 64

static struct line *slot(const struct line_table *t, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15ull >> 32) & (t->size - 1);

	while (t->v[i].text && t->v[i].key != key)
		i = (i + 1) & (t->size - 1);
	return &t->v[i];
}

const struct line *line_find(const struct line_table *t, uint64_t key)
{
	struct line *l;

	if (!t->size)
		return NULL;
	l = slot(t, key);
	return l->text ? l : NULL;
}

const struct line *line_add(struct line_table *t, struct line l)
{
	struct line *s;

	if (2 * (t->n + 1) > t->size) {
		struct line_table old = *t;

		t->size = old.size ? old.size * 2 : TABLE_MIN;
		t->v = mem_zalloc(t->size * sizeof(*t->v));
		for (size_t i = 0; i < old.size; i++)
			if (old.v[i].text)
				*slot(t, old.v[i].key) = old.v[i];
		free(old.v);
	}
	s = slot(t, l.key);
	t->n += !s->text;
	*s = l;
	return s;
}

void line_table_deinit(struct line_table *t)
{
	free(t->v);
	arena_reset(&t->strings);
	strbuf_deinit(&t->spare_text);
	*t = (struct line_table){0};
}
