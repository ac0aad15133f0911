/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An argument that is shown in two parts, at syscall entry and at exit. At entry, its value is open
 * (VALUE_F_OPEN): it is a struct or array that will have more children at exit, or a change whose
 * new value is not known yet. The last child may be open as well.
 */
#ifndef TRACER_SINKS_TEXT_TEXT_PART_H
#define TRACER_SINKS_TEXT_TEXT_PART_H

#include "sinks/text/text_value.h"

#define TEXT_PART_DEPTH 4 /* maximum nesting depth of open values */

/* The part of an argument that was shown at syscall entry. */
struct text_part {
	unsigned depth; /* number of nested open values, or 0 if nothing has been shown */
	unsigned shown[TEXT_PART_DEPTH]; /* number of complete children in each open value */
	bool pending; /* true if the separator and the name of the next child have been written */
};

/* Appends the known part of the open value `in`, and records the appended part in *part. */
void text_open(struct strbuf *b, const struct text_style *s, const struct value *in,
	       struct text_part *part);
/*
 * Appends the rest of the argument. `out` is the value at syscall exit, or `in` if the argument has
 * no value at exit. If `out` does not begin with the shown part of `in`, the argument has changed.
 * In this case, appends " => " and all of `out`.
 */
void text_go_on(struct strbuf *b, const struct text_style *s, const struct value *in,
		const struct value *out, const struct text_part *part);

#endif
