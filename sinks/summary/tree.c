/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/tree.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/vec.h"

/* Indentation per level, in spaces. */
#define INDENT 2

/* A function in the context of its callers. The callers are its ancestors in the tree. */
struct node {
	char *name;
	size_t child, sibling;	/* indexes of the last child and the previous sibling, or 0 */
	size_t own;		/* index plus one of the row whose stack ends at this node, or 0 */
	struct summary_row sum; /* total of the rows in the subtree, without the histogram */
	uint64_t value;		/* sort key */
};

struct tree {
	struct sheet *sheet;
	const struct summary_row *rows;
	VEC(struct node) nodes; /* the first node is the root of all stacks */
	bool percentiles;	/* true if a column or the sort order requires histograms */
};

static size_t child_of(struct tree *t, size_t parent, const char *name, size_t len)
{
	size_t i = t->nodes.v[parent].child;
	struct node *n;

	while (i && (strncmp(t->nodes.v[i].name, name, len) || t->nodes.v[i].name[len]))
		i = t->nodes.v[i].sibling;
	if (i)
		return i;
	i = t->nodes.n;
	n = vec_push(&t->nodes);
	*n = (struct node){.name = mem_strndup(name, len), .sibling = t->nodes.v[parent].child};
	n->sum.nr = UINT64_MAX;
	t->nodes.v[parent].child = i;
	return i;
}

static void add_to(struct node *n, const struct summary_row *row)
{
	summary_row_add(&n->sum, row);
	if (row->nr < n->sum.nr)
		n->sum.nr = row->nr;
}

/* Adds the stack of row `index` to the tree, outermost frame first. */
static void add(struct tree *t, size_t index)
{
	const struct summary_row *row = &t->rows[index];
	const char *begin = row->name, *end = begin + strlen(begin);
	size_t at = 0;

	for (;;) {
		const char *semicolon = memrchr(begin, ';', (size_t)(end - begin));
		const char *name = semicolon ? semicolon + 1 : begin;

		at = child_of(t, at, name, (size_t)(end - name));
		add_to(&t->nodes.v[at], row);
		if (!semicolon)
			break;
		end = semicolon;
	}
	t->nodes.v[at].own = index + 1;
}

/* Adds the histograms of all rows in a subtree to `h`. */
static void collect(const struct tree *t, size_t at, struct histogram *h)
{
	const struct node *n = &t->nodes.v[at];

	if (n->own && t->rows[n->own - 1].histogram)
		histogram_add(h, t->rows[n->own - 1].histogram);
	for (size_t i = n->child; i; i = t->nodes.v[i].sibling)
		collect(t, i, h);
}

/*
 * Returns the total of a subtree, with a histogram if one is needed. The caller frees the
 * histogram.
 */
static struct summary_row sum_of(const struct tree *t, size_t at)
{
	struct summary_row sum = t->nodes.v[at].sum;

	if (t->percentiles) {
		sum.histogram = mem_zalloc(sizeof(*sum.histogram));
		collect(t, at, sum.histogram);
	}
	return sum;
}

static int compare(const void *a, const void *b, void *tree)
{
	const struct tree *t = tree;
	const struct node *x = &t->nodes.v[*(const size_t *)a],
			  *y = &t->nodes.v[*(const size_t *)b];
	int c = t->sheet->config->sort_by == SUMMARY_NAME ? strcmp(x->name, y->name) : 0;

	if (c)
		return c;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->sum.nr < y->sum.nr ? -1 : x->sum.nr > y->sum.nr;
}

static void put_below(struct tree *t, size_t at, unsigned depth);

/*
 * Writes the row of a node, and then its descendants. A node that makes no calls and has a single
 * child shares a row with this child.
 */
static void put(struct tree *t, size_t at, unsigned depth)
{
	attr_cleanup(strbuf_deinit) struct strbuf name = {0};
	const struct node *n = &t->nodes.v[at];
	struct summary_row row;

	for (unsigned i = 0; i < depth * INDENT; i++)
		strbuf_putc(&name, ' ');
	strbuf_puts(&name, n->name);
	while (!n->own && n->child && !t->nodes.v[n->child].sibling) {
		at = n->child;
		n = &t->nodes.v[at];
		strbuf_puts(&name, TREE_CHAIN);
		strbuf_puts(&name, n->name);
	}
	row = sum_of(t, at);
	row.name = (char *)strbuf_str(&name);
	sheet_row(t->sheet, &row);
	free(row.histogram);
	put_below(t, at, depth + 1);
}

static void put_below(struct tree *t, size_t at, unsigned depth)
{
	const enum summary_column by = t->sheet->config->sort_by;
	VEC(size_t) children = {0};

	for (size_t i = t->nodes.v[at].child; i; i = t->nodes.v[i].sibling) {
		struct summary_row sum = sum_of(t, i);

		*vec_push(&children) = i;
		t->nodes.v[i].value = by < SUMMARY_NAME ? summary_value(&sum, by) : 0;
		free(sum.histogram);
	}
	if (children.n)
		qsort_r(children.v, children.n, sizeof(*children.v), compare, t);
	vec_for_each (&children, i)
		put(t, *i, depth);
	vec_deinit(&children);
}

void tree_put(struct sheet *sheet, const struct summary_row *rows, size_t n)
{
	struct tree t = {.sheet = sheet, .rows = rows, .percentiles = n && rows->histogram};
	size_t top;

	*vec_push(&t.nodes) = (struct node){0};
	for (size_t i = 0; i < n; i++)
		add(&t, i);
	/* A single program does not need its own row, so begin with the functions below it. */
	top = t.nodes.v[0].child;
	put_below(&t, top && !t.nodes.v[top].sibling ? top : 0, 0);
	vec_for_each (&t.nodes, node)
		free(node->name);
	vec_deinit(&t.nodes);
}
