/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses option values. An invalid value ends the program with a message. */
#ifndef TRACER_CLI_OPTIONS_VALUE_H
#define TRACER_CLI_OPTIONS_VALUE_H

#include <string.h>
#include <strings.h>

#include "defs.h"

/*
 * Ends the program because an option's value is invalid. The message names the option as it was
 * typed: by name if that is not NULL, otherwise by the letter c.
 */
void attr_noreturn option_bad(int c, const char *name, const char *value);

/* Returns a number between min and max. c and name are as for option_bad(). */
long long option_number(int c, const char *name, const char *value, long long min, long long max);

/*
 * Parses a number of bytes with an optional suffix K, M or G into *size. Returns false if it is 0
 * or invalid.
 */
bool option_size(const char *text, size_t *size);

/* Returns the part of s after prefix, or NULL if s does not begin with prefix. Case is ignored. */
const char *option_skip(const char *s, const char *prefix);

typedef int option_compare(const char *a, const char *b, size_t n);
/* Returns the index of value in names, or -1. A name may consist of synonyms, separated by '|'. */
int option_choice(const char *value, const char *const *names, option_compare *compare);

/* Only EXACT_CHOICE is case-sensitive. */
#define CHOICE(value, ...)                                                                         \
	option_choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncasecmp)
#define EXACT_CHOICE(value, ...)                                                                   \
	option_choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncmp)

#endif
