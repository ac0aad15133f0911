/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The type checker of queries. It looks up names and refuses comparisons that make no sense. */
#ifndef TRACER_QUERY_CHECK_H
#define TRACER_QUERY_CHECK_H

#include "query/node.h"

/*
 * Checks the tree of an expression, and adds the needs of its fields to q->needs. Returns false
 * after query_fail().
 */
bool query_check(struct query *q, struct node *n);

/* The known properties of a field's values. */
struct field_traits {
	bool is_number; /* all values are integers without names */
};

/*
 * Looks up a field that is not part of a comparison and must have a single value. Fills in *traits
 * and adds to q->needs. Returns false after query_fail().
 */
bool query_check_field(struct query *q, struct field_ref *f, struct field_traits *traits);

#endif
