/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An argument that is shown in two parts: the first at the entry of a call, the second at its exit.
 * Its value at the entry is open (VALUE_F_OPEN): a struct or array that will have more children at
 * the exit, or a change whose second side is unknown yet. Its last child may be open as well.
 */
#ifndef TRACER_SINKS_TEXT_TEXT_PART_H
#define TRACER_SINKS_TEXT_TEXT_PART_H

#include "sinks/text/text_value.h"

#define TEXT_PART_DEPTH 4 /* maximum nesting of open values */

/* How much of an argument has been shown at the entry. */
struct text_part {
	unsigned depth; /* number of nested open values; 0 if nothing has been shown */
	unsigned shown[TEXT_PART_DEPTH]; /* number of complete children of each open value */
	bool pending; /* the separator and name before the next child have been written */
};

/* Appends the known part of the open value `in`, and stores in *part how much that was. */
void text_open(struct strbuf *b, const struct text_style *s, const struct value *in,
	       struct text_part *part);
/*
 * Appends the rest of the argument. `out` is its value at the exit, or equals `in` if the exit has
 * none. If `out` does not begin with the shown part of `in`, the argument has changed; then " => "
 * and all of `out` are appended.
 */
void text_go_on(struct strbuf *b, const struct text_style *s, const struct value *in,
		const struct value *out, const struct text_part *part);

#endif
