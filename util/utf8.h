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
 * The same, but 0 also for control characters: those of ASCII, DEL, and U+0080 to U+009F. They
 * would break lines, or command the terminal that they are shown on.
 */
unsigned utf8_printable(const char *s, size_t n);

#endif
