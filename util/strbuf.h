/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A growing byte string. {0} is empty; strbuf_deinit() frees it. Functions never fail: without
 * memory the program ends (util/mem.h). Only strbuf_str() terminates the string.
 */
#ifndef TRACER_UTIL_STRBUF_H
#define TRACER_UTIL_STRBUF_H

#include <string.h>

#include "defs.h"

struct strbuf {
	char *data;
	size_t len, cap; /* bytes in use; bytes allocated */
};

/* Reserves space for `more` bytes after those in use. */
void strbuf_reserve(struct strbuf *b, size_t more);
/*
 * Append text in the format of printf(3), a decimal number, or a hexadecimal number (0x1f, but "0"
 * for zero, like %#x).
 */
void strbuf_printf(struct strbuf *b, const char *fmt, ...) attr_printf(2, 3);
void strbuf_dec(struct strbuf *b, int64_t v);
void strbuf_udec(struct strbuf *b, uint64_t v);
void strbuf_hex(struct strbuf *b, uint64_t v);
/* The string, terminated by a NUL that len does not count. Valid until b changes. */
const char *strbuf_str(struct strbuf *b);
void strbuf_deinit(struct strbuf *b);

/*
 * Returns the address for the next n bytes, for a caller that writes them itself and adds them to
 * len.
 */
static inline char *strbuf_room(struct strbuf *b, size_t n)
{
	if (unlikely(!b->data || b->cap - b->len < n))
		strbuf_reserve(b, n);
	return b->data + b->len;
}

/* Appends n bytes; s may be NULL if n is 0. */
static inline void strbuf_add(struct strbuf *b, const char *s, size_t n)
{
	if (!n)
		return;
	memcpy(strbuf_room(b, n), s, n);
	b->len += n;
}

static inline void strbuf_putc(struct strbuf *b, char c)
{
	if (unlikely(b->cap == b->len))
		strbuf_reserve(b, 1);
	b->data[b->len++] = c;
}

/* Appends c n times. */
static inline void strbuf_pad(struct strbuf *b, char c, size_t n)
{
	if (!n)
		return;
	memset(strbuf_room(b, n), c, n);
	b->len += n;
}

static inline void strbuf_puts(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

#endif
