/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/escape.h"

#include "util/utf8.h"

/* Classes of bytes, which are written in quotes in different ways. */
enum { PRINT, SYMBOL, ANGLE, SPACE, BINARY };

static uint8_t byte_class(unsigned char c)
{
	if (c == '"' || c == '\\')
		return SYMBOL;
	if (c == '<' || c == '>')
		return ANGLE;
	if (c >= '\t' && c <= '\r')
		return SPACE;
	return c >= ' ' && c < 0x7f ? PRINT : BINARY;
}

static void put_hex_byte(struct strbuf *b, unsigned char c)
{
	const char *digits = "0123456789abcdef";

	strbuf_add(b, (char[]){'\\', 'x', digits[c >> 4], digits[c & 15]}, 4);
}

/*
 * Writes an octal escape with as few digits as possible. If a digit follows, writes three digits,
 * because that digit would otherwise become part of the number.
 */
static void put_octal_byte(struct strbuf *b, unsigned char c, bool digit_follows)
{
	char s[4] = {'\\', '0' + (c >> 6), '0' + (c >> 3 & 7), '0' + (c & 7)};
	size_t skip = digit_follows || c >> 6 ? 0 : c >> 3 ? 1 : 2;

	strbuf_putc(b, '\\');
	strbuf_add(b, s + 1 + skip, 3 - skip);
}

void escape_bytes(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex, bool angle)
{
	bool all = hex == HEX_ALL;

	for (size_t i = 0; hex == HEX_NON_ASCII && !all && i < len; i++)
		all = byte_class(bytes[i]) == BINARY;
	if (all) {
		for (size_t i = 0; i < len; i++)
			put_hex_byte(b, bytes[i]);
		return;
	}
	for (size_t i = 0, run; i < len; i++) {
		unsigned char c;
		unsigned chars;
		uint8_t class = PRINT;

		for (run = i; i < len; i++) {
			class = byte_class(bytes[i]);
			if (class != PRINT && (class != ANGLE || angle))
				break;
		}
		strbuf_add(b, bytes + run, i - run);
		if (i == len)
			return;
		c = bytes[i];
		chars = hex == HEX_NOT_UTF8 && c & 0x80 ? utf8_printable(bytes + i, len - i) : 0;
		if (chars) {
			strbuf_add(b, bytes + i, chars);
			i += chars - 1;
		} else if (class == SYMBOL) {
			strbuf_add(b, (char[]){'\\', c}, 2);
		} else if (class == SPACE) {
			strbuf_add(b, (char[]){'\\', "tnvfr"[c - '\t']}, 2);
		} else if (hex == HEX_NON_ASCII_CHARS) {
			put_hex_byte(b, c);
		} else {
			put_octal_byte(b, c,
				       i + 1 < len && bytes[i + 1] >= '0' && bytes[i + 1] <= '7');
		}
	}
}

void escape_name(struct strbuf *b, const char *name, size_t n)
{
	size_t run = 0, i = 0;

	while (i < n) {
		unsigned len = utf8_printable(name + i, n - i);

		if (likely(len)) {
			i += len;
			continue;
		}
		strbuf_add(b, name + run, i - run);
		put_octal_byte(b, name[i], true);
		run = ++i;
	}
	strbuf_add(b, name + run, n - run);
}

void escape_foreign(struct strbuf *b, struct foreign text)
{
	if (text.unescaped)
		escape_name(b, text.unescaped, strlen(text.unescaped));
}

void escape_start(struct strbuf *b, const char *text, size_t n)
{
	size_t len = strlen(text);

	if (len <= n) {
		escape_name(b, text, len);
		return;
	}
	n -= 3;
	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	escape_name(b, text, n);
	strbuf_puts(b, "...");
}

void escape_end(struct strbuf *b, const char *text, size_t n)
{
	size_t len = strlen(text);

	if (len > n) {
		text += len - (n - 3);
		while (((unsigned char)*text & 0xc0) == 0x80)
			text++;
		strbuf_puts(b, "...");
	}
	escape_name(b, text, strlen(text));
}
