/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/times.h"

#include <stdlib.h>

static struct stack_times *times_of(struct times *t, struct table *by_text, uint32_t text)
{
	const struct table_slot *slot = table_find(by_text, table_hash_number(text), NULL);

	if (slot)
		return &t->list.v[slot->value - 1];
	*vec_push(&t->list) = (struct stack_times){.stack = text};
	table_add(by_text, table_hash_number(text), t->list.n);
	return &t->list.v[t->list.n - 1];
}

static void add(struct times *t, struct table *by_text, const struct run *r, bool is_b)
{
	const struct stack_node *nodes;
	VEC(uint32_t) path = {0};
	struct strbuf text = {0};
	size_t count;

	nodes = stack_tree_nodes(r->times, &count);
	for (size_t i = 1; i < count; i++) {
		struct stack_times *at;

		if (!nodes[i].self[WEIGHT_CALLS])
			continue;
		path.n = 0;
		for (size_t k = i; k; k = nodes[k].parent)
			*vec_push(&path) = nodes[k].name;
		text.len = 0;
		while (path.n) {
			strbuf_puts(&text, stack_tree_name(r->times, path.v[--path.n]));
			if (path.n)
				strbuf_putc(&text, ';');
		}
		at = times_of(t, by_text, texts_add(r->texts, text.data, text.len));
		for (unsigned w = 0; w < WEIGHTS; w++)
			(is_b ? at->b : at->a)[w] += nodes[i].self[w];
	}
	vec_deinit(&path);
	strbuf_deinit(&text);
}

void times_find(struct times *t, const struct run *a, const struct run *b)
{
	struct table by_text = {0};

	add(t, &by_text, a, false);
	add(t, &by_text, b, true);
	table_deinit(&by_text);
}

static int compare(const void *one, const void *two, void *weight)
{
	const struct stack_times *a = one, *b = two;
	enum weight w = *(const enum weight *)weight;
	int64_t x = (int64_t)(a->b[w] - a->a[w]), y = (int64_t)(b->b[w] - b->a[w]);

	if (x != y)
		return x > y ? -1 : 1;
	return a->stack < b->stack ? -1 : a->stack > b->stack;
}

void times_sort(struct times *t, enum weight w)
{
	if (t->list.n)
		qsort_r(t->list.v, t->list.n, sizeof(*t->list.v), compare, &w);
}
