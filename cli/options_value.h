/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the values of options are read; a value that is no good ends the program with a message. */
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

/* A number from min to max. c and name are those of option_bad(). */
long long option_number(int c, const char *name, const char *value, long long min, long long max);

/* Puts a number of bytes, with K, M or G behind it, into *size. Returns false if it is 0 or none.
 */
bool option_size(const char *text, size_t *size);

/* What follows the prefix in s, in which the case of letters does not matter; NULL: it is not
 * there. */
const char *option_skip(const char *s, const char *prefix);

typedef int option_compare(const char *a, const char *b, size_t n);
/* Returns the index of value in names, or -1. A name may consist of synonyms, separated by '|'. */
int option_choice(const char *value, const char *const *names, option_compare *compare);

/* The case of letters matters for EXACT_CHOICE only. */
#define CHOICE(value, ...)                                                                         \
	option_choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncasecmp)
#define EXACT_CHOICE(value, ...)                                                                   \
	option_choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncmp)

#endif
