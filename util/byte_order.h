/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads integers in a given byte order, which may differ from the byte order of the host. */
#ifndef TRACER_UTIL_BYTE_ORDER_H
#define TRACER_UTIL_BYTE_ORDER_H

#include <stdint.h>
#include <string.h>

#include "defs.h"

/* Returns the unsigned integer stored in n bytes. n is at most 8. */
static inline uint64_t load_uint(const void *bytes, size_t n, bool big_endian)
{
	const uint8_t *p = bytes;
	uint64_t v = 0;

	if (likely(!big_endian && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)) {
		memcpy(&v, p, n);
		return v;
	}
	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[big_endian ? i : n - 1 - i];
	return v;
}

#endif
