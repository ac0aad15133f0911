/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds a name that is similar to a mistyped word, to suggest it in messages. */
#ifndef TRACER_UTIL_SUGGESTION_H
#define TRACER_UTIL_SUGGESTION_H

#include "defs.h"

/* The state of the search. Must be initialized with {.word = WORD}. All strings are borrowed. */
struct suggestion {
	const char *word; /* the word as the user typed it */
	/* the name that is most similar to the word so far, or NULL if no name is similar */
	const char *name;
	unsigned distance; /* number of changes that turn `word` into `name` */
};

/*
 * Considers `name` as a suggestion. A name is similar to the word if both begin with the same
 * letter and differ by at most one change, or by at most two changes if the word has at least six
 * letters. A change is a wrong, missing or extra letter, or two swapped letters. Differences in
 * case are not changes. A name that equals the word is ignored. Words with fewer than three letters
 * have no similar names.
 */
void suggestion_consider(struct suggestion *s, const char *name);

/*
 * If a similar name was found, adds the hint "did you mean 'NAME'?" to the next fatal message
 * (msg_set_hint()). The message itself stays the same as in strace.
 */
void suggestion_hint(const struct suggestion *s);

#endif
