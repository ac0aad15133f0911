/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_UTF8_H
#define TRACER_UTIL_UTF8_H

#include "defs.h"

/*
 * The length of the UTF-8 sequence that the n > 0 bytes at s begin with, or 0 if they do not begin
 * with a valid one (RFC 3629).
 */
unsigned utf8_length(const char *s, size_t n);

#endif
