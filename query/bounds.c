/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/bounds.h"

#include "query/node.h"

/* An interval of integers. */
struct interval {
	value_number min, max;
};

#define NUMBER_MAX ((value_number)UINT64_MAX)
#define NUMBER_MIN ((value_number)INT64_MIN)

/* Returns the values for which a comparison with numbers can be true. */
static struct interval values_of(const struct node *n)
{
	struct interval i = {NUMBER_MAX, NUMBER_MIN};

	for (size_t k = 0; k < n->nliterals; k++) {
		i.min = value_number_min(i.min, n->literals[k].number);
		i.max = value_number_max(i.max, n->literals[k].number);
	}
	switch (n->kind) {
	case NODE_EQUAL:
		return i;
	case NODE_LESS:
		return (struct interval){NUMBER_MIN, i.max - 1};
	case NODE_AT_MOST:
		return (struct interval){NUMBER_MIN, i.max};
	case NODE_MORE:
		return (struct interval){i.min + 1, NUMBER_MAX};
	case NODE_AT_LEAST:
		return (struct interval){i.min, NUMBER_MAX};
	default:
		return (struct interval){NUMBER_MIN, NUMBER_MAX};
	}
}

/*
 * Returns true if all literals are numbers. Names do not count as numbers, because the number of a
 * name depends on the table of the compared value.
 */
static bool are_numbers(const struct node *n)
{
	for (size_t k = 0; k < n->nliterals; k++)
		if (n->literals[k].kind == LITERAL_STRING || n->literals[k].kind == LITERAL_NAMES)
			return false;
	return n->nliterals;
}

static bool is_zero(const struct literal *l)
{
	/* A named error is not zero, because no errno is 0. */
	return l->kind != LITERAL_NAMES && !l->number;
}

/* Returns the number of literals that are 0. */
static size_t count_zeros(const struct node *n)
{
	size_t zeros = 0;

	for (size_t k = 0; k < n->nliterals; k++)
		zeros += is_zero(&n->literals[k]);
	return zeros;
}

/*
 * Returns bounds that contain all successful calls if `succeeds` is set, otherwise all failing
 * calls.
 */
static struct query_bounds of_success(bool succeeds)
{
	struct query_bounds b = QUERY_BOUNDS_NONE;

	b.succeeds = succeeds;
	b.fails = !succeeds;
	return b;
}

static struct query_bounds of_error(const struct node *n, bool inverted)
{
	struct query_bounds b = QUERY_BOUNDS_NONE;
	const size_t zeros = count_zeros(n);

	if (n->kind == NODE_IS)
		return of_success(inverted);
	if (n->kind != NODE_EQUAL && n->kind != NODE_DIFFERS)
		return b;
	/* error == 0, or error != 0 */
	if (zeros && zeros == n->nliterals)
		return of_success((n->kind == NODE_EQUAL) != inverted);
	if (n->kind == NODE_EQUAL && !inverted)
		b.succeeds = zeros;
	return b;
}

static struct query_bounds of_ret(const struct node *n)
{
	struct query_bounds b = QUERY_BOUNDS_NONE;
	struct interval i;

	if (n->kind == NODE_IS || !are_numbers(n))
		return b;
	i = values_of(n);
	/* The field `ret` of a call that failed is -1. */
	b.fails = i.min <= -1 && i.max >= -1;
	b.ret_min = (int64_t)value_number_max(i.min, INT64_MIN);
	b.ret_max = (int64_t)value_number_min(i.max, INT64_MAX);
	b.succeeds = i.min <= INT64_MAX;
	return b;
}

/*
 * Returns bounds for a comparison of the field `bytes`. This field is the result of the call, or 0
 * if the result is negative or an error.
 */
static struct query_bounds of_bytes(const struct node *n)
{
	struct query_bounds b = QUERY_BOUNDS_NONE;
	struct interval i = {1, NUMBER_MAX};

	if (n->kind != NODE_IS) {
		if (!are_numbers(n))
			return b;
		i = values_of(n);
	}
	if (i.min > 0) {
		b.fails = false;
		b.ret_min = (int64_t)value_number_min(i.min, INT64_MAX);
	}
	b.ret_max = (int64_t)value_number_max(value_number_min(i.max, INT64_MAX), 0);
	return b;
}

static struct query_bounds of_duration(const struct node *n)
{
	struct query_bounds b = QUERY_BOUNDS_NONE;
	struct interval i;

	if (n->kind == NODE_IS || !are_numbers(n))
		return b;
	i = values_of(n);
	b.ns_min = (uint64_t)value_number_max(i.min, 0);
	b.ns_max = (uint64_t)value_number_max(i.max, 0);
	return b;
}

bool query_bounds_contain_all(const struct query_bounds *b)
{
	return b->fails && b->succeeds && b->ret_min == INT64_MIN && b->ret_max == INT64_MAX &&
	       !b->ns_min && b->ns_max == UINT64_MAX;
}

void query_bounds_and(struct query_bounds *a, const struct query_bounds *b)
{
	a->fails &= b->fails;
	a->succeeds &= b->succeeds;
	a->ret_min = a->ret_min > b->ret_min ? a->ret_min : b->ret_min;
	a->ret_max = a->ret_max < b->ret_max ? a->ret_max : b->ret_max;
	a->ns_min = a->ns_min > b->ns_min ? a->ns_min : b->ns_min;
	a->ns_max = a->ns_max < b->ns_max ? a->ns_max : b->ns_max;
}

/* Extends *a to contain the calls in *b. */
static void unite(struct query_bounds *a, const struct query_bounds *b)
{
	a->fails |= b->fails;
	a->succeeds |= b->succeeds;
	a->ret_min = a->ret_min < b->ret_min ? a->ret_min : b->ret_min;
	a->ret_max = a->ret_max > b->ret_max ? a->ret_max : b->ret_max;
	a->ns_min = a->ns_min < b->ns_min ? a->ns_min : b->ns_min;
	a->ns_max = a->ns_max > b->ns_max ? a->ns_max : b->ns_max;
}

static struct query_bounds of(const struct node *n)
{
	struct query_bounds a = QUERY_BOUNDS_NONE, b;

	switch (n->kind) {
	case NODE_AND:
		a = of(n->a);
		b = of(n->b);
		query_bounds_and(&a, &b);
		return a;
	case NODE_OR:
		a = of(n->a);
		b = of(n->b);
		unite(&a, &b);
		return a;
	case NODE_NOT:
		/* For other fields, the bounds are not calculated. */
		return n->a->kind >= NODE_IS && n->a->field.kind == FIELD_ERROR
			       ? of_error(n->a, true)
			       : a;
	default:
		return n->field.kind == FIELD_ERROR	 ? of_error(n, false)
		       : n->field.kind == FIELD_RET	 ? of_ret(n)
		       : n->field.kind == FIELD_BYTES	 ? of_bytes(n)
		       : n->field.kind == FIELD_DURATION ? of_duration(n)
							 : a;
	}
}

struct query_bounds query_bounds(const struct query *q)
{
	return of(q->root);
}
