/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_UTF8_H
#define TRACER_UTIL_UTF8_H

#include "defs.h"

/* Bytes of the UTF-8 sequence at s, of which there are n > 0; 0 when it is none (RFC 3629). */
unsigned utf8_length(const char *s, size_t n);

#endif
