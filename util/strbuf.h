/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A growable byte string, initially {0}. Free it with strbuf_deinit(). The functions never fail,
 * because the program ends if memory runs out (util/mem.h). The string is NUL-terminated only after
 * strbuf_str().
 */
#ifndef TRACER_UTIL_STRBUF_H
#define TRACER_UTIL_STRBUF_H

#include <string.h>

#include "defs.h"

struct strbuf {
	char *data;
	size_t len, cap; /* number of bytes in use, and number of allocated bytes */
};

/* Reserves space for `more` bytes after the end of the string. */
void strbuf_reserve(struct strbuf *b, size_t more);
/*
 * Append formatted text (see printf(3)), a decimal number, or a hexadecimal number. The hexadecimal
 * number is 0 or begins with 0x, like %#x.
 */
void strbuf_printf(struct strbuf *b, const char *fmt, ...) attr_printf(2, 3);
void strbuf_dec(struct strbuf *b, int64_t v);
void strbuf_udec(struct strbuf *b, uint64_t v);
void strbuf_hex(struct strbuf *b, uint64_t v);
/*
 * Returns the string with a terminating NUL. `len` does not include the NUL. The pointer is valid
 * until the next change.
 */
const char *strbuf_str(struct strbuf *b);
void strbuf_deinit(struct strbuf *b);

/*
 * Reserves space for n bytes and returns a pointer to it. The caller writes to the space and adds
 * the number of written bytes to `len`.
 */
static inline char *strbuf_room(struct strbuf *b, size_t n)
{
	if (unlikely(!b->data || b->cap - b->len < n))
		strbuf_reserve(b, n);
	return b->data + b->len;
}

/* Appends n bytes. `s` may be NULL if n is 0. */
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

/* Appends the character c n times. */
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
