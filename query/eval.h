/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Evaluates the tree of a query for an event. */
#ifndef TRACER_QUERY_EVAL_H
#define TRACER_QUERY_EVAL_H

#include "query/node.h"
#include "query/subject.h"

/* The properties of a call that follow from its syscall number. */
struct eval_row {
	uint32_t classes;
	unsigned forms; /* possible forms of the call's arguments: bits of enum value_form */
	bool any; /* true if the row stands for all syscalls with unknown numbers; number and name
		     are then unknown */
};

/*
 * Returns the result of a tree for an event. If `row` is not NULL, only the name, the number, the
 * ABI and the row of subject->call are known. In this case, a comparison that depends on other data
 * has the result TRUTH_OPEN, or TRUTH_NO if such a call cannot have the field.
 */
enum truth eval_node(const struct node *n, const struct query_subject *subject,
		     const struct eval_row *row);

/* The value of a field that is a single number or string. */
struct operand {
	enum found found;
	bool is_number, is_text;
	value_number number;
	unsigned bits; /* 0 if the number is signed, otherwise the value's width in bits */
	const char *text;
	size_t len;
	/* The value of the field in the event, or NULL if the field is not a value of the event. */
	const struct value *value;
	char buf[VALUE_ADDRESS_TEXT]; /* storage for `text` */
};
/*
 * Evaluates a field and stores the result in *o. FIELD_CLASS, FIELD_PATH and FIELD_STACK are not
 * supported, because they can have several values.
 */
void eval_field(const struct field_ref *f, const struct query_subject *s, struct operand *o);

#endif
