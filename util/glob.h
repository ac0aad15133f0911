/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Path patterns. *, ? and [SET] do not match a slash. ** matches any text. */
#ifndef TRACER_UTIL_GLOB_H
#define TRACER_UTIL_GLOB_H

#include <regex.h>

#include "defs.h"

/* Returns true if a string contains characters that are special in patterns. */
bool glob_is_pattern(const char *text);
/*
 * Compiles a pattern, which must match whole paths. Returns 0 on success. Otherwise returns an
 * error code of regcomp(3), and *regex must not be freed.
 */
int glob_compile(regex_t *regex, const char *pattern);

/*
 * Compares a text without NULs with the ordinary characters at the start of a pattern. If they
 * decide whether the pattern matches, sets *matches and returns true. This is much faster than a
 * regular expression.
 */
bool glob_is_decided(const char *pattern, const char *text, size_t len, bool *matches);

#endif
