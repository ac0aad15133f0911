/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The type checker of queries: names are looked up, and comparisons that make no sense refused. */
#ifndef TRACER_QUERY_CHECK_H
#define TRACER_QUERY_CHECK_H

#include "query/node.h"

/* Checks the tree of an expression, and adds to q->needs. */
bool query_check(struct query *q, struct node *n);

/* The known properties of a field's values. */
struct field_traits {
	bool is_number; /* all are integers without names */
};

/* Looks up a field that stands alone and has one value, fills in *traits, and adds to q->needs. */
bool query_check_field(struct query *q, struct field_ref *f, struct field_traits *traits);

#endif
