/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Evaluation of the tree of a query. */
#ifndef TRACER_QUERY_EVAL_H
#define TRACER_QUERY_EVAL_H

#include "query/node.h"
#include "query/subject.h"

/* The facts about a call that follow from its number alone. */
struct eval_row {
	uint32_t classes;
	unsigned forms; /* forms that its arguments may have: bits of enum value_form
			   (query/types.h) */
	bool any; /* the row stands for all unknown syscalls, so neither number nor name is known */
};

/*
 * Evaluates a tree for an event. If row is not NULL, only the name, the ABI and the row of
 * subject->call are known; comparisons that depend on anything else are TRUTH_OPEN.
 */
enum truth eval_node(const struct node *n, const struct query_subject *subject,
		     const struct eval_row *row);

/* The value of a field, if it is a single number or text. */
struct operand {
	enum found found;
	bool is_number, is_text;
	value_number number;
	unsigned bits; /* see value_as_number() */
	const char *text;
	size_t len;
	const struct value *value; /* the value that was read, or NULL if the field is not part of
				      the value tree */
	char buf[VALUE_ADDRESS_TEXT]; /* storage for text */
};
/*
 * Evaluates a field into *o. FIELD_CLASS, FIELD_PATH and FIELD_STACK are not supported, because
 * they can have several values.
 */
void eval_field(const struct field_ref *f, const struct query_subject *s, struct operand *o);

#endif
