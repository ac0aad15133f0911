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
 * The end of a message: a second line "PROGRAM: did you mean 'NAME'?" with its line feed before it,
 * so that the line before is strace's; "" if no name is near. The caller frees it.
 */
char *suggestion_text(const struct suggestion *s);

#endif
