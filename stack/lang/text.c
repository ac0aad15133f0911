/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/text.h"

#include "capture/memory.h"

#define CHUNK 1024

static void put_utf8(struct strbuf *b, uint32_t c)
{
	if (c < 0x80) {
		strbuf_putc(b, c);
		return;
	}
	if (c < 0x800) {
		strbuf_putc(b, 0xc0 | c >> 6);
	} else if (c < 0x10000) {
		strbuf_putc(b, 0xe0 | c >> 12);
		strbuf_putc(b, 0x80 | (c >> 6 & 63));
	} else {
		strbuf_putc(b, 0xf0 | (c >> 18 & 7));
		strbuf_putc(b, 0x80 | (c >> 12 & 63));
		strbuf_putc(b, 0x80 | (c >> 6 & 63));
	}
	strbuf_putc(b, 0x80 | (c & 63));
}

static uint32_t character(const uint8_t *p, unsigned width)
{
	uint32_t c = 0;

	memcpy(&c, p, width);
	return c;
}

static bool is_high(uint32_t c)
{
	return c >> 10 == 0xd800 >> 10;
}

/* Appends n characters. *high is the first half of a surrogate pair that has not ended, or 0. */
static void put_chars(struct strbuf *b, const uint8_t *chars, size_t n, unsigned width,
		      uint32_t *high)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t c = character(chars + i * width, width);

		if (width == 2 && is_high(c)) {
			*high = c;
			continue;
		}
		if (*high && c >> 10 == 0xdc00 >> 10)
			c = 0x10000 + ((*high & 0x3ff) << 10 | (c & 0x3ff));
		*high = 0;
		/*
		 * Replace invalid code points, and NUL (which would end the string), with U+FFFD.
		 */
		put_utf8(b, !c || c > 0x10ffff ? 0xfffd : c);
	}
}

void lang_text_chars(const void *chars, size_t n, unsigned width, struct strbuf *b)
{
	uint32_t high = 0;

	put_chars(b, chars, n, width, &high);
}

bool lang_text_wide(struct lang_memory *m, uint64_t addr, uint64_t n, unsigned width, size_t max,
		    struct strbuf *b)
{
	uint8_t chunk[CHUNK];
	uint32_t high = 0;

	if (n > max)
		n = max;
	while (n) {
		const size_t part = size_min(n, sizeof(chunk) / width);

		if (!lang_read_once(m, addr, chunk, part * width))
			return false;
		put_chars(b, chunk, part, width, &high);
		addr += part * width;
		n -= part;
	}
	return true;
}

static void put_bytes(struct strbuf *b, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			strbuf_putc(b, p[i]);
}

bool lang_text(struct lang_memory *m, uint64_t addr, uint64_t n, size_t max, struct strbuf *b)
{
	char chunk[CHUNK];

	if (n > max)
		n = max;
	while (n) {
		const size_t part = size_min(n, sizeof(chunk));

		if (!lang_read_once(m, addr, chunk, part))
			return false;
		put_bytes(b, chunk, part);
		addr += part;
		n -= part;
	}
	return true;
}

bool lang_text_cstring(struct lang_memory *m, uint64_t addr, size_t max, struct strbuf *b)
{
	char chunk[LANG_FILE_LENGTH + 1];
	ssize_t n = memory_read_string(m->memory, addr, chunk, size_min(max, LANG_FILE_LENGTH));

	m->reads++;
	m->unmarked = true;
	if (n < 0)
		return false;
	put_bytes(b, chunk, n);
	return true;
}
