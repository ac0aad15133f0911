/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What trace files are made of (doc/trace-format.md) besides the numbers of util/cursor.h, which
 * are little-endian, or in unsigned LEB128 where they have no fixed size.
 */
#ifndef TRACER_TRACE_FORMAT_CODING_H
#define TRACER_TRACE_FORMAT_CODING_H

#include "util/cursor.h"
#include "util/foreign.h"

/* Adds a signed number: its sign is moved to the lowest bit. */
static inline void put_signed(struct strbuf *b, int64_t n)
{
	put_uleb(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

/* Takes what put_signed() has put. */
static inline int64_t take_signed(struct cursor *in)
{
	uint64_t n = cursor_uleb(in);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

/* Adds a length, and so many bytes. */
static inline void put_bytes(struct strbuf *b, const void *bytes, size_t n)
{
	put_uleb(b, n);
	strbuf_add(b, bytes, n);
}

/* As put_bytes(), of a text, of which at most max bytes are put. */
static inline void put_foreign(struct strbuf *b, struct foreign text, size_t max)
{
	const size_t n = text.unescaped ? strnlen(text.unescaped, max) : 0;

	put_bytes(b, text.unescaped, n);
}

/* Takes what put_bytes() has put: *n bytes, which stay where they are. NULL and 0 if that fails. */
static inline const uint8_t *take_bytes(struct cursor *in, size_t *n)
{
	uint64_t len = cursor_uleb(in);
	const uint8_t *p = cursor_skip(in, len);

	*n = in->bad ? 0 : (size_t)len;
	return in->bad ? NULL : p;
}

#endif
