/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A growing byte string. Zero-initialised is valid and empty; NUL-terminated only by strbuf_str().
 */
#ifndef TRACER_UTIL_STRBUF_H
#define TRACER_UTIL_STRBUF_H

#include <string.h>

#include "defs.h"

struct strbuf {
	char *data;
	size_t len, cap;
};

void strbuf_reserve(struct strbuf *b, size_t more);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) attr_printf(2, 3);
void strbuf_dec(struct strbuf *b, int64_t v);
void strbuf_udec(struct strbuf *b, uint64_t v);
void strbuf_hex(struct strbuf *b, uint64_t v); /* 0x1f; zero is "0", as %#x prints it */
const char *strbuf_str(struct strbuf *b);
void strbuf_deinit(struct strbuf *b);

static inline void strbuf_add(struct strbuf *b, const char *s, size_t n)
{
	if (!n)
		return; /* s may be NULL then */
	if (unlikely(b->cap - b->len < n))
		strbuf_reserve(b, n);
	memcpy(b->data + b->len, s, n);
	b->len += n;
}

static inline void strbuf_putc(struct strbuf *b, char c)
{
	if (unlikely(b->cap == b->len))
		strbuf_reserve(b, 1);
	b->data[b->len++] = c;
}

static inline void strbuf_puts(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

#endif
