/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/narrow.h"

#include <string.h>

#include "query/calls.h"
#include "query/names.h"
#include "query/types.h"

#define ROWS_BYTES ((ROW_COUNT + 7) / 8)

/*
 * Returns true if the node compares an argument with named constants. Whether such a constant is
 * possible depends on the call.
 */
static bool depends_on_call(const struct node *n)
{
	bool any = false;

	for (size_t i = 0; i < n->nliterals; i++)
		any |= n->literals[i].constants != NULL;
	return any && n->field.kind == FIELD_ARGUMENT && !n->field.nsteps;
}

static bool has_any(const struct node *n)
{
	switch (n->kind) {
	case NODE_OR:
	case NODE_AND:
		return has_any(n->a) || has_any(n->b);
	case NODE_NOT:
		return has_any(n->a);
	default:
		return depends_on_call(n);
	}
}

static bool is_name_of(struct query *q, const struct types *t, const char *name)
{
	struct constant found;

	vec_for_each (&t->names, known)
		if (!strcmp(*known, name))
			return true;
	return names_constant(&q->arena, name, t->tables.v, t->tables.n, &found);
}

static bool check_literal(struct query *q, const struct node *n, const struct literal *l,
			  const struct types *t)
{
	for (size_t i = 0; l->constants && i < l->nnames; i++) {
		struct suggestion s = {.word = l->names[i]};

		if (is_name_of(q, t, l->names[i]))
			continue;
		names_suggest_constant(&s, t->tables.v, t->tables.n);
		return query_fail_meant(q, l->place, s.name,
					"'%s' is not a value of '%s' in the calls that can match",
					l->names[i], n->field.argument);
	}
	return true;
}

static bool check_comparison(struct query *q, const struct node *n, const uint8_t *rows)
{
	struct types t = {0};
	bool good = true;

	/*
	 * Any constant is possible if the argument has no table, or if a function decodes the
	 * argument.
	 */
	if (depends_on_call(n) && types_of_argument_in(&t, n->field.argument, rows) && t.tables.n &&
	    !t.decoded)
		for (size_t i = 0; i < n->nliterals && good; i++)
			good = check_literal(q, n, &n->literals[i], &t);
	types_deinit(&t);
	return good;
}

static bool check(struct query *q, const struct node *n, const uint8_t *rows)
{
	switch (n->kind) {
	case NODE_OR:
	case NODE_AND:
		return check(q, n->a, rows) && check(q, n->b, rows);
	case NODE_NOT:
		return check(q, n->a, rows);
	default:
		return check_comparison(q, n, rows);
	}
}

bool query_narrow(struct query *q)
{
	uint8_t rows[ROWS_BYTES] = {0};

	if (!has_any(q->root))
		return true;
	query_rows(q, rows);
	return check(q, q->root, rows);
}
