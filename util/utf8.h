/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_UTF8_H
#define TRACER_UTIL_UTF8_H

#include "defs.h"

/*
 * Returns the length of the UTF-8 sequence at the start of the n > 0 bytes at s, or 0 if it is not
 * valid (RFC 3629).
 */
unsigned utf8_length(const char *s, size_t n);

/*
 * Like utf8_length(), but returns 0 for characters that break lines, control the terminal, or
 * change the direction of the text around them: the control characters of ASCII, DEL, U+0080 to
 * U+009F, and the separators and directional marks U+061C, U+200E, U+200F, U+2028 to U+202E and
 * U+2066 to U+2069.
 */
unsigned utf8_printable(const char *s, size_t n);

#endif
