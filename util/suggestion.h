/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that a mistyped word was probably meant to be, for messages. */
#ifndef TRACER_UTIL_SUGGESTION_H
#define TRACER_UTIL_SUGGESTION_H

#include "defs.h"

/* Begins as {.word = WORD}. All strings are borrowed. */
struct suggestion {
	const char *word;  /* what was typed */
	const char *name;  /* the nearest name so far, or NULL if none is near */
	unsigned distance; /* number of typing mistakes between them */
};

/*
 * Considers a name. It is near if it begins as word does and word becomes it by one change of a
 * letter, or by two if word has six letters or more: a letter is wrong, missing or too much, or two
 * letters are swapped. The word itself is not near.
 */
void suggestion_consider(struct suggestion *s, const char *name);

/*
 * Has the message that ends the program be followed by a line "did you mean 'NAME'?", if a name is
 * near (msg_set_hint()). The message itself stays what strace prints.
 */
void suggestion_hint(const struct suggestion *s);

#endif
