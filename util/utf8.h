/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_UTF8_H
#define TRACER_UTIL_UTF8_H

#include "defs.h"

/*
 * The length of the UTF-8 sequence that the n > 0 bytes at s begin with, or 0 if they do not begin
 * with a valid one (RFC 3629).
 */
unsigned utf8_length(const char *s, size_t n);

/*
 * As utf8_length(), but returns 0 for characters that break lines, command the terminal that they
 * are shown on, or change the order of the text around them: the control characters of ASCII, DEL,
 * U+0080 to U+009F, and the separators and directional marks U+061C, U+200E, U+200F, U+2028 to
 * U+202E and U+2066 to U+2069.
 */
unsigned utf8_printable(const char *s, size_t n);

#endif
