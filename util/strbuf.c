/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/msg.h"

attr_noinline void strbuf_reserve(struct strbuf *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 256;

	while (cap - b->len < more)
		cap *= 2;
	b->data = mem_realloc(b->data, cap);
	b->cap = cap;
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(b->data ? b->data + b->len : NULL, b->cap - b->len, fmt, ap);
	if (n < 0)
		die("cannot format '%s'", fmt);
	if ((size_t)n >= b->cap - b->len) {
		strbuf_reserve(b, (size_t)n + 1);
		vsnprintf(b->data + b->len, b->cap - b->len, fmt, again);
	}
	b->len += n;
	va_end(again);
	va_end(ap);
}

/* Returns the number of decimal digits. */
static unsigned digits_of(uint64_t v)
{
	unsigned n = 1;

	for (; v >= 10000; v /= 10000)
		n += 4;
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

void strbuf_udec(struct strbuf *b, uint64_t v)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
				    "2021222324252627282930313233343536373839"
				    "4041424344454647484950515253545556575859"
				    "6061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";
	unsigned n;
	char *p;

	if (v < 10) {
		strbuf_putc(b, (char)('0' + v));
		return;
	}
	n = digits_of(v);
	p = strbuf_room(b, n) + n;
	b->len += n;
	/* Each division produces two digits. */
	for (; v >= 10; v /= 100) {
		p -= 2;
		memcpy(p, &pairs[v % 100 * 2], 2);
	}
	if (v)
		*--p = (char)('0' + v);
}

void strbuf_dec(struct strbuf *b, int64_t v)
{
	if (v < 0)
		strbuf_putc(b, '-');
	strbuf_udec(b, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void strbuf_hex(struct strbuf *b, uint64_t v)
{
	char s[18], *p = s + sizeof(s);

	if (!v) {
		strbuf_putc(b, '0');
		return;
	}
	for (; v; v >>= 4)
		*--p = "0123456789abcdef"[v & 15];
	*--p = 'x';
	*--p = '0';
	strbuf_add(b, p, s + sizeof(s) - p);
}

const char *strbuf_str(struct strbuf *b)
{
	strbuf_putc(b, 0);
	b->len--;
	return b->data;
}

void strbuf_deinit(struct strbuf *b)
{
	free(b->data);
	*b = (struct strbuf){0};
}
