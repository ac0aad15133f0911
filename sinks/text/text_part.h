/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An argument in two parts: what its entry knows, and at the exit what follows. The entry's
 * value is open (VALUE_F_OPEN): a struct or array whose exit has more children, or a change
 * whose second side is not known yet; its last child may be open in turn.
 */
#ifndef TRACER_SINKS_TEXT_PART_H
#define TRACER_SINKS_TEXT_PART_H

#include "sinks/text/text_value.h"

#define TEXT_PART_DEPTH 4 /* of open values within each other */

/* How much of an argument its entry has shown. */
struct text_part {
	unsigned depth;			 /* of open values; 0: nothing was begun */
	unsigned shown[TEXT_PART_DEPTH]; /* children of each, the one that is open left out */
	bool pending;			 /* what stands before the next child is shown already */
};

/* Writes what is known of the open value in, and says in part how much that was. */
void text_open(struct strbuf *b, const struct text_style *s, const struct value *in,
	       struct text_part *part);
/*
 * Writes what follows in out, the same argument at its exit (or in itself, where nothing
 * does). Where out does not begin as in did, both are facts: " => " and all of out.
 */
void text_go_on(struct strbuf *b, const struct text_style *s, const struct value *in,
		const struct value *out, const struct text_part *part);

#endif
