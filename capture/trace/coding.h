/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers and bytes as trace files have them (doc/trace-format.md). All of it is little-endian;
 * numbers of no fixed size have seven bits a byte, the lowest first, and the top bit set in all
 * bytes but the last; of signed ones the sign is moved to the lowest bit.
 */
#ifndef TRACER_CAPTURE_TRACE_CODING_H
#define TRACER_CAPTURE_TRACE_CODING_H

#include "defs.h"
#include "util/strbuf.h"

static inline void put_fixed(struct strbuf *b, uint64_t n, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		strbuf_putc(b, (char)(n >> 8 * i));
}

static inline void put_number(struct strbuf *b, uint64_t n)
{
	char *p;

	if (unlikely(b->cap - b->len < 10))
		strbuf_reserve(b, 10);
	p = b->data + b->len;
	while (n >= 0x80) {
		*p++ = (char)(n | 0x80);
		n >>= 7;
	}
	*p++ = (char)n;
	b->len = (size_t)(p - b->data);
}

static inline void put_signed(struct strbuf *b, int64_t n)
{
	put_number(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

/* A length, and so many bytes. */
static inline void put_bytes(struct strbuf *b, const void *bytes, size_t n)
{
	put_number(b, n);
	strbuf_add(b, bytes, n);
}

/*
 * Where reading stands. A read beyond the end, or of a number that has more than 64 bits, gives 0,
 * sets bad and leaves nothing to read, so that callers may check once behind several reads.
 */
struct input {
	const uint8_t *at, *end;
	bool bad;
};

static inline void input_fail(struct input *in)
{
	in->bad = true;
	in->at = in->end;
}

static inline size_t input_left(const struct input *in)
{
	return (size_t)(in->end - in->at);
}

static inline uint64_t take_fixed(struct input *in, unsigned bytes)
{
	uint64_t n = 0;

	if (input_left(in) < bytes) {
		input_fail(in);
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		n |= (uint64_t)*in->at++ << 8 * i;
	return n;
}

static inline uint64_t take_number(struct input *in)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
		uint8_t byte = *in->at++;

		if (shift == 63 && byte > 1)
			break;
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	input_fail(in);
	return 0;
}

static inline int64_t take_signed(struct input *in)
{
	uint64_t n = take_number(in);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

/* The next n bytes, which stay where they are; NULL if there are fewer. */
static inline const uint8_t *take_raw(struct input *in, uint64_t n)
{
	const uint8_t *p = in->at;

	if (n > input_left(in)) {
		input_fail(in);
		return NULL;
	}
	in->at += n;
	return p;
}

/* What put_bytes() has put: *n bytes, which stay where they are. NULL and 0 if that fails. */
static inline const uint8_t *take_bytes(struct input *in, size_t *n)
{
	uint64_t len = take_number(in);
	const uint8_t *p = in->bad ? NULL : take_raw(in, len);

	*n = p ? (size_t)len : 0;
	return p;
}

#endif
