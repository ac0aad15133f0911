/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/paths.h"

#include <stdlib.h>
#include <string.h>

static void add(struct path_differences *p, enum path_difference_kind kind,
		const struct run_path *a, const struct run_path *b)
{
	static const struct run_path none;

	*vec_push(&p->list) = (struct path_difference){
		.kind = kind, .text = (a ? a : b)->text, .a = a ? *a : none, .b = b ? *b : none};
}

/*
 * Adds the paths of a run to a table, ignoring the numbers in the paths. The value for a path is 1
 * if any call with the path succeeded, otherwise 2.
 */
static void index_loosely(struct table *t, const struct run *r)
{
	vec_for_each (&r->paths, p) {
		struct table_slot *slot = table_find(t, p->loose, NULL);
		uint64_t value = p->worked ? 1 : 2;

		if (!slot)
			table_add(t, p->loose, value);
		else if (value < slot->value)
			slot->value = value;
	}
}

static void compare_both(struct path_differences *p, const struct run_path *a,
			 const struct run_path *b)
{
	if (a->worked && !b->worked && b->failed)
		add(p, PATH_FAILS_IN_B, a, b);
	else if (b->worked && !a->worked && a->failed)
		add(p, PATH_FAILS_IN_A, a, b);
	else if (!a->worked && !b->worked && a->error != b->error)
		add(p, PATH_FAILS_OTHERWISE, a, b);
}

/*
 * Returns true if `others`, the paths of the other run, contains neither `p` nor a path that
 * differs from `p` only in numbers. If a call with `p` succeeded, paths that only failed in the
 * other run do not count.
 */
static bool is_alone(const struct run_path *p, const struct table *others)
{
	const struct table_slot *slot = table_find(others, p->loose, NULL);

	return !slot || (p->worked && slot->value == 2);
}

void path_differences_find(struct path_differences *p, const struct run *a, const struct run *b)
{
	struct table loose_a = {0}, loose_b = {0};

	index_loosely(&loose_a, a);
	index_loosely(&loose_b, b);
	vec_for_each (&a->paths, path) {
		const struct run_path *other = run_path_find(b, path->text);

		if (other)
			compare_both(p, path, other);
		else if (is_alone(path, &loose_b))
			add(p, path->worked ? PATH_USED_IN_A : PATH_SOUGHT_IN_A, path, NULL);
	}
	vec_for_each (&b->paths, path)
		if (!run_path_find(a, path->text) && is_alone(path, &loose_a))
			add(p, path->worked ? PATH_USED_IN_B : PATH_SOUGHT_IN_B, NULL, path);
	table_deinit(&loose_a);
	table_deinit(&loose_b);
}

static int by_group(const void *one, const void *two)
{
	const struct path_difference *a = one, *b = two;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->folder != b->folder)
		return a->folder < b->folder ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

void path_differences_group(struct path_differences *p, const struct texts *texts)
{
	/*
	 * maps the hash of a folder's name and a kind to 1 + `order` of the first path in the
	 * folder
	 */
	struct table folders = {0};
	uint32_t n = 0;

	vec_for_each (&p->list, d) {
		const char *path = texts_get(texts, d->text), *slash = strrchr(path, '/');
		uint64_t hash = table_hash(path, slash ? (size_t)(slash - path) : 0) + d->kind;
		const struct table_slot *slot = table_find(&folders, hash, NULL);

		d->order = n++;
		d->folder = slot ? (uint32_t)slot->value - 1 : d->order;
		if (!slot)
			table_add(&folders, hash, (uint64_t)d->order + 1);
	}
	table_deinit(&folders);
	if (n)
		qsort(p->list.v, n, sizeof(*p->list.v), by_group);
}

/* -- environments ------------------------------------------------------------------ */

static size_t name_length(const char *variable)
{
	return strcspn(variable, "=");
}

/* Returns the index in run.texts of the variable with this name, or 0 if there is none. */
static uint32_t variable_find(const struct run *r, const char *name)
{
	size_t n = name_length(name);

	vec_for_each (&r->environment, v) {
		const char *other = texts_get(r->texts, *v);

		if (name_length(other) == n && !memcmp(name, other, n))
			return *v;
	}
	return 0;
}

void variable_differences_find(struct variable_differences *v, const struct run *a,
			       const struct run *b)
{
	if (!a->has_environment || !b->has_environment)
		return;
	vec_for_each (&a->environment, text) {
		uint32_t other = variable_find(b, texts_get(a->texts, *text));

		if (other != *text)
			*vec_push(&v->list) = (struct variable_difference){*text, other};
	}
	vec_for_each (&b->environment, text)
		if (!variable_find(a, texts_get(b->texts, *text)))
			*vec_push(&v->list) = (struct variable_difference){0, *text};
}
