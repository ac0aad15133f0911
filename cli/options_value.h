/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses option values. An invalid value ends the program with a message. */
#ifndef TRACER_CLI_OPTIONS_VALUE_H
#define TRACER_CLI_OPTIONS_VALUE_H

#include <string.h>
#include <strings.h>

#include "defs.h"

/*
 * Ends the program because the value of an option is invalid. The message contains the option as it
 * was typed: `name` or, if `name` is NULL, the letter `c`.
 */
void attr_noreturn option_bad(int c, const char *name, const char *value);

/*
 * Sets a hint for the next fatal message: the columns of -U, or the values of -S if `sorts` is
 * true.
 */
void option_hint_columns(bool sorts);

/* Returns a number from `min` to `max`. `c` and `name` are the same as for option_bad(). */
long long option_number(int c, const char *name, const char *value, long long min, long long max);

/*
 * Parses a size in bytes with an optional suffix K, M or G. Returns false if the size is 0 or
 * invalid.
 */
bool option_size(const char *text, size_t *size);

/*
 * Returns the part of `s` that follows `prefix`, or NULL if `s` does not begin with `prefix`.
 * Ignores case.
 */
const char *option_skip(const char *s, const char *prefix);

typedef int option_compare(const char *a, const char *b, size_t n);
/*
 * Returns the index of `value` in `names`, or -1 if `value` is not a name. A name can be a list of
 * synonyms, separated by '|'.
 */
int option_choice(const char *value, const char *const *names, option_compare *compare);

/* CHOICE() ignores case; EXACT_CHOICE() does not. */
#define CHOICE(value, ...)                                                                         \
	option_choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncasecmp)
#define EXACT_CHOICE(value, ...)                                                                   \
	option_choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncmp)

#endif
