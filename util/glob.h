/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Path patterns. *, ? and [SET] do not match a slash. ** matches any text. */
#ifndef TRACER_UTIL_GLOB_H
#define TRACER_UTIL_GLOB_H

#include <regex.h>

#include "defs.h"

/* Returns true if a string contains characters that are special in patterns. */
bool glob_is_pattern(const char *text);
/*
 * Converts a pattern to a regular expression that matches only whole paths. Returns 0 on success.
 * Otherwise returns an error code of regcomp(3), and *regex must not be freed.
 */
int glob_compile(regex_t *regex, const char *pattern);

/*
 * A pattern in a form that is matched much faster than a regular expression: as an automaton with
 * up to 64 states. A set of states has one bit for each state. State i is the position before the
 * pattern's element i.
 */
struct glob {
	uint64_t on[256]; /* for each character, the states whose element matches it */
	/* states that a character other than '/' does not leave, and states that no character
	 * leaves */
	uint64_t stars, double_stars;
	uint64_t skips;	       /* states from which the next state is reached without a character */
	uint64_t double_skips; /* states from which the state after the next one is reached without
				  a character */
	uint64_t end, end_of_any; /* the last state; the last state if the pattern ends with **,
				     otherwise 0 */
};

/*
 * Compiles a valid pattern. Returns false if the pattern is too long, or if it contains a set or an
 * escape that only regular expressions support.
 */
bool glob_build(struct glob *g, const char *pattern);
bool glob_matches(const struct glob *g, const char *text, size_t len);

#endif
