/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodings of trace files (doc/trace-format.md) that util/cursor.h does not have. Numbers with a
 * fixed size are little-endian. All other numbers are unsigned LEB128.
 */
#ifndef TRACER_TRACE_FORMAT_CODING_H
#define TRACER_TRACE_FORMAT_CODING_H

#include "util/cursor.h"
#include "util/foreign.h"

/* Appends a signed number as an unsigned number whose lowest bit is the sign. */
static inline void put_signed(struct strbuf *b, int64_t n)
{
	put_uleb(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

/* Reads a number written by put_signed(). */
static inline int64_t take_signed(struct cursor *in)
{
	uint64_t n = cursor_uleb(in);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

/* Appends the number of bytes, followed by the bytes. */
static inline void put_bytes(struct strbuf *b, const void *bytes, size_t n)
{
	put_uleb(b, n);
	strbuf_add(b, bytes, n);
}

/*
 * Appends a string in the same form as put_bytes(). A string longer than max bytes is truncated. If
 * the text is unset, appends an empty string.
 */
static inline void put_foreign(struct strbuf *b, struct foreign text, size_t max)
{
	const size_t n = text.unescaped ? strnlen(text.unescaped, max) : 0;

	put_bytes(b, text.unescaped, n);
}

/*
 * Reads bytes written by put_bytes() without copying them, and sets *n to their number. On failure,
 * returns NULL and sets *n to 0.
 */
static inline const uint8_t *take_bytes(struct cursor *in, size_t *n)
{
	uint64_t len = cursor_uleb(in);
	const uint8_t *p = cursor_skip(in, len);

	*n = in->bad ? 0 : (size_t)len;
	return in->bad ? NULL : p;
}

#endif
