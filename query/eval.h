/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The evaluation of a query's tree. */
#ifndef TRACER_QUERY_EVAL_H
#define TRACER_QUERY_EVAL_H

#include "query/node.h"
#include "query/subject.h"

/* What is known of a call before it is made: its number, and so its name and the row of it. */
struct eval_row {
	uint32_t classes;
	unsigned forms; /* of its arguments: bits of enum value_form (query/types.h) */
	bool any;	/* the number, and so the name, is one of many */
};

/*
 * Evaluates a tree for an event. If row is not NULL, only the name, the ABI and the row of
 * subject->call are known, and all that depends on more is TRUTH_OPEN.
 */
enum truth eval_node(const struct node *n, const struct query_subject *subject,
		     const struct eval_row *row);

/* The value of a field, as far as it is one number or one text. */
struct operand {
	enum found found;
	bool is_number, is_text;
	value_number number;
	unsigned bits; /* as with value_as_number() */
	const char *text;
	size_t len;
	const struct value *value;    /* or NULL */
	char buf[VALUE_ADDRESS_TEXT]; /* where text may be */
};
/*
 * Fills in *o, but for FIELD_CLASS, FIELD_PATH and FIELD_STACK, which are no single value.
 */
void eval_field(const struct field_ref *f, const struct query_subject *s, struct operand *o);

#endif
