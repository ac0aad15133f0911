/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes integers, either in little-endian order or in LEB128 (DWARF 5, 7.6). In LEB128,
 * each byte contains seven bits, beginning with the lowest seven. The top bit is set in all bytes
 * but the last. A cursor reads from a byte array. The put_ functions append to a string buffer.
 *
 * A read beyond the end returns 0, except where a function says otherwise, sets `bad` and moves to
 * the end. Callers can therefore check for errors once after several reads.
 */
#ifndef TRACER_UTIL_CURSOR_H
#define TRACER_UTIL_CURSOR_H

#include <string.h>

#include "defs.h"
#include "util/byte_order.h"
#include "util/strbuf.h"

struct cursor {
	const uint8_t *p, *end; /* the next byte to read, and the end of the data */
	bool bad;		/* true if a read failed */
};

static inline void cursor_fail(struct cursor *c)
{
	c->bad = true;
	c->p = c->end;
}

/* Returns the number of unread bytes. */
static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* Reads an unsigned integer of n bytes. n is at most 8. */
static inline uint64_t cursor_uint(struct cursor *c, size_t n)
{
	uint64_t v;

	if (cursor_left(c) < n) {
		cursor_fail(c);
		return 0;
	}
	v = load_uint(c->p, n, false);
	c->p += n;
	return v;
}

/* Reads a signed integer of n bytes. n is at most 8. */
static inline int64_t cursor_int(struct cursor *c, size_t n)
{
	uint64_t v = cursor_uint(c, n);

	return n < 8 ? (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n) : (int64_t)v;
}

/*
 * Reads an unsigned LEB128 integer. More than 64 significant bits are an error, but redundant zero
 * bytes are not.
 */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; c->p < c->end; shift += 7) {
		uint8_t b = *c->p++;

		if (likely(shift < 63))
			v |= (uint64_t)(b & 0x7f) << shift;
		else if (shift == 63 && !(b & 0x7e))
			v |= (uint64_t)b << 63;
		else if (b & 0x7f)
			break;
		if (!(b & 0x80))
			return v;
	}
	cursor_fail(c);
	return 0;
}

/*
 * Reads a signed LEB128 integer and returns its low 64 bits. If the data ends before the integer
 * does, fails and returns the bits that were read.
 */
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
			return (int64_t)v;
		}
	}
}

/*
 * Skips n bytes and returns a pointer to them. If fewer than n bytes are left, fails and returns
 * the end.
 */
static inline const uint8_t *cursor_skip(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (n > cursor_left(c)) {
		cursor_fail(c);
		return c->end;
	}
	c->p += n;
	return p;
}

/* Appends the lowest n bytes of v in little-endian order. n is at most 8. */
static inline void put_uint(struct strbuf *b, uint64_t v, size_t n)
{
	strbuf_add(b, (const char *)&v, n); /* the host must be little-endian, too */
}

/* Appends an unsigned integer in LEB128. */
static inline void put_uleb(struct strbuf *b, uint64_t v)
{
	char *p;

	if (unlikely(b->cap - b->len < 10))
		strbuf_reserve(b, 10);
	p = b->data + b->len;
	for (; v > 0x7f; v >>= 7)
		*p++ = (char)(v | 0x80);
	*p++ = (char)v;
	b->len = (size_t)(p - b->data);
}

/* Appends a signed integer in LEB128. */
static inline void put_sleb(struct strbuf *b, int64_t v)
{
	for (; v < -64 || v > 63; v >>= 7)
		strbuf_putc(b, (char)(v | 0x80));
	strbuf_putc(b, (char)(v & 0x7f));
}

#endif
