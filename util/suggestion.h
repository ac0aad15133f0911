/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suggests the name that a mistyped word probably means, for messages. */
#ifndef TRACER_UTIL_SUGGESTION_H
#define TRACER_UTIL_SUGGESTION_H

#include "defs.h"

/* Initialise as {.word = WORD}. All strings are borrowed. */
struct suggestion {
	const char *word;  /* the word as typed */
	const char *name;  /* the nearest name so far, or NULL if none is near */
	unsigned distance; /* number of changes between word and name */
};

/*
 * Considers a name. It is near if it begins like word and differs by one change, or by two if word
 * has at least six letters. A change is a wrong, missing or extra letter, or two letters swapped.
 * The word itself is not near.
 */
void suggestion_consider(struct suggestion *s, const char *name);

/*
 * Adds a line "did you mean 'NAME'?" to the message that ends the program, if a name is near
 * (msg_set_hint()). The message itself does not change, so it is the same as that of strace.
 */
void suggestion_hint(const struct suggestion *s);

#endif
