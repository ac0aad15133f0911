/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/tree.h"

#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

enum { KIND, PID, PARENT, FIRST, LAST, CALLS, ERRORS, COMM, END, COMMAND, FIELDS };

void tree_clear(struct tree *t)
{
	vec_for_each (&t->nodes, n)
		free(n->line);
	t->nodes.n = t->visible.n = 0;
}

bool tree_add(struct tree *t, const char *line, size_t n)
{
	char *copy = mem_strndup(line, n), *fields[FIELDS], *save = copy;

	for (char *p = copy; *p; p++)
		if (*p != '\t' && !utf8_printable(p, strlen(p)) && (unsigned char)*p < 0x80)
			*p = '?';
	for (size_t i = 0; i < FIELDS; i++)
		fields[i] = save ? strsep(&save, "\t") : NULL;
	if (!fields[COMMAND]) {
		free(copy);
		return false;
	}
	*vec_push(&t->nodes) = (struct node){
		.pid = (pid_t)strtol(fields[PID], NULL, 10),
		.parent = (pid_t)strtol(fields[PARENT], NULL, 10),
		.first = strtoll(fields[FIRST], NULL, 10),
		.last = strtoll(fields[LAST], NULL, 10),
		.calls = strtoull(fields[CALLS], NULL, 10),
		.errors = strtoull(fields[ERRORS], NULL, 10),
		.comm = fields[COMM],
		.end = fields[END],
		.command = fields[COMMAND],
		.line = copy,

	};
	return true;
}

/* A process for sorting by pid, and by start among processes with the same pid. */
struct by_pid {
	pid_t pid;
	int64_t first;
	size_t index;
};

static int compare_pids(const void *a, const void *b)
{
	const struct by_pid *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns the index of the last process with this pid that began before `time`, or SIZE_MAX. */
static size_t find(const struct by_pid *sorted, size_t n, pid_t pid, int64_t time)
{
	const struct by_pid key = {pid, time, 0};
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_pids(&sorted[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low && sorted[low - 1].pid == pid ? sorted[low - 1].index : SIZE_MAX;
}

static void show_visible(struct tree *t)
{
	unsigned hidden_below = UINT32_MAX;

	t->visible.n = 0;
	for (size_t i = 0; i < t->nodes.n; i++) {
		const struct node *n = &t->nodes.v[i];

		if (n->depth > hidden_below)
			continue;
		hidden_below = n->folded ? n->depth : UINT32_MAX;
		*vec_push(&t->visible) = i;
	}
}

void tree_keep_folds(struct tree *t, const struct tree *old)
{
	vec_for_each (&old->nodes, o) {
		if (!o->folded)
			continue;
		vec_for_each (&t->nodes, n)
			if (n->pid == o->pid && n->first == o->first)
				n->folded = true;
	}
}

void tree_arrange(struct tree *t)
{
	const size_t n = t->nodes.n;
	struct by_pid *sorted = mem_zalloc((n + 1) * sizeof(*sorted));
	/* Lists of children: the first and the last child of each node, and its next sibling. */
	size_t *first = mem_alloc((n + 1) * sizeof(*first)),
	       *last = mem_alloc((n + 1) * sizeof(*last)),
	       *next = mem_alloc((n + 1) * sizeof(*next)),
	       *stack = mem_alloc((n + 1) * sizeof(*stack));
	struct node *out = mem_zalloc((n + 1) * sizeof(*out));
	size_t placed = 0, depth = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct by_pid){t->nodes.v[i].pid, t->nodes.v[i].first, i};
	qsort(sorted, n, sizeof(*sorted), compare_pids);
	for (size_t i = 0; i <= n; i++)
		first[i] = last[i] = next[i] = SIZE_MAX;
	/*
	 * The index n stands for the root, which is the parent of all processes without a known
	 * parent.
	 */
	for (size_t i = 0; i < n; i++) {
		struct node *node = &t->nodes.v[i];
		size_t up = node->parent ? find(sorted, n, node->parent, node->first) : SIZE_MAX;

		/*
		 * A parent must be listed before its children. Ignore other parents, so that there
		 * are no cycles.
		 */
		up = up < i ? up : n;
		if (first[up] == SIZE_MAX)
			first[up] = i;
		else
			next[last[up]] = i;
		last[up] = i;
		node->has_children = false;
	}
	for (size_t i = first[n]; i != SIZE_MAX || depth;) {
		if (i == SIZE_MAX) {
			i = next[stack[--depth]];
			continue;
		}
		out[placed] = t->nodes.v[i];
		out[placed].depth = (unsigned)depth;
		out[placed].has_children = first[i] != SIZE_MAX;
		placed++;
		if (first[i] != SIZE_MAX) {
			stack[depth++] = i;
			i = first[i];
		} else {
			i = next[i];
		}
	}
	if (n)
		memcpy(t->nodes.v, out, n * sizeof(*out));
	free(sorted);
	free(first);
	free(last);
	free(next);
	free(stack);
	free(out);
	show_visible(t);
}

void tree_fold(struct tree *t, size_t visible)
{
	struct node *n;

	if (visible >= t->visible.n)
		return;
	n = &t->nodes.v[t->visible.v[visible]];
	if (!n->has_children)
		return;
	n->folded = !n->folded;
	show_visible(t);
}

void tree_deinit(struct tree *t)
{
	tree_clear(t);
	vec_deinit(&t->nodes);
	vec_deinit(&t->visible);
}
