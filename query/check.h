/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Type checker for queries. Looks up names, and rejects comparisons between incompatible types. */
#ifndef TRACER_QUERY_CHECK_H
#define TRACER_QUERY_CHECK_H

#include "query/node.h"

/*
 * Checks the tree of an expression, and adds the data that its fields need to q->needs. On a
 * mistake, calls query_fail() and returns false.
 */
bool query_check(struct query *q, struct node *n);

/* Properties that all values of a field have. */
struct field_traits {
	bool is_number; /* true if all values are integers without names */
};

/*
 * Looks up a field that is not part of a comparison. The field must have a single value. Fills in
 * *traits and adds the data that the field needs to q->needs. On a mistake, calls query_fail() and
 * returns false.
 */
bool query_check_field(struct query *q, struct field_ref *f, struct field_traits *traits);

#endif
