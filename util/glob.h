/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Patterns of paths: *, ? and [SET] match no slash, ** matches anything. */
#ifndef TRACER_UTIL_GLOB_H
#define TRACER_UTIL_GLOB_H

#include <regex.h>

#include "defs.h"

/* Whether text contains a character with a special meaning in patterns. */
bool glob_is_pattern(const char *text);
/*
 * Compiles a pattern that whole paths must match. Returns 0, or an error of regcomp(3); then *regex
 * needs no regfree().
 */
int glob_compile(regex_t *regex, const char *pattern);

#endif
