/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading DWARF bytes: past the end everything is zero and bad is set, which callers check once. */
#ifndef TRACER_STACK_CURSOR_H
#define TRACER_STACK_CURSOR_H

#include <string.h>

#include "defs.h"

struct cursor {
	const uint8_t *p, *end;
	bool bad;
};

static inline uint64_t cursor_uint(struct cursor *c, size_t n)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->p) < n) {
		c->bad = true;
		c->p = c->end;
		return 0;
	}
	memcpy(&v, c->p, n); /* little-endian, as every file we open is */
	c->p += n;
	return v;
}

static inline int64_t cursor_int(struct cursor *c, size_t n)
{
	uint64_t v = cursor_uint(c, n);

	return n < 8 ? (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n) : (int64_t)v;
}

static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t b = cursor_uint(c, 1);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		else if (b & 0x7f)
			c->bad = true;
		if (!(b & 0x80))
			return v;
	}
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t b = cursor_uint(c, 1);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80)) {
			if ((b & 0x40) && shift + 7 < 64)
				v |= ~0ULL << (shift + 7);
			return v;
		}
	}
}

static inline const uint8_t *cursor_skip(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if ((uint64_t)(c->end - c->p) < n) {
		c->bad = true;
		c->p = c->end;
		return c->end;
	}
	c->p += n;
	return p;
}

#endif
