/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading DWARF data, byte by byte. A read past the end returns 0 and sets bad, which callers check
 * once after a number of reads.
 */
#ifndef TRACER_STACK_CURSOR_H
#define TRACER_STACK_CURSOR_H

#include <string.h>

#include "defs.h"

struct cursor {
	const uint8_t *p, *end; /* next byte; end of the data */
	bool bad;		/* a read failed */
};

/* Reads an unsigned number of n bytes, at most 8. */
static inline uint64_t cursor_uint(struct cursor *c, size_t n)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->p) < n) {
		c->bad = true;
		c->p = c->end;
		return 0;
	}
	memcpy(&v, c->p, n); /* the files and this machine are little-endian */
	c->p += n;
	return v;
}

/* Reads a signed number of n bytes, at most 8. */
static inline int64_t cursor_int(struct cursor *c, size_t n)
{
	uint64_t v = cursor_uint(c, n);

	return n < 8 ? (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n) : (int64_t)v;
}

/* Reads a number in ULEB128 (DWARF 5, 7.6). One that needs more than 64 bits is bad. */
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

/* Reads a number in SLEB128 (DWARF 5, 7.6), of which the low 64 bits count. */
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

/* Skips n bytes. Returns a pointer to them, or to the end if there are fewer. */
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
