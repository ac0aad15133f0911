/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_UTF8_H
#define TRACER_UTIL_UTF8_H

#include "defs.h"

/*
 * Returns the length of the UTF-8 sequence at the start of the n bytes at `s`, or 0 if the sequence
 * is invalid (RFC 3629). n must not be 0.
 */
unsigned utf8_length(const char *s, size_t n);

/*
 * Like utf8_length(), but also returns 0 for characters that break lines, control the terminal, or
 * change the direction of the text around them. These characters are the ASCII control characters,
 * DEL, U+0080 to U+009F, and the separators and directional marks U+061C, U+200E, U+200F, U+2028 to
 * U+202E and U+2066 to U+2069.
 */
unsigned utf8_printable(const char *s, size_t n);

/* Replaces each byte of a string that is not part of a utf8_printable() character with '?'. */
void utf8_make_printable(char *s);

/*
 * Returns the number of terminal columns that one byte of UTF-8 text adds: 0 for a byte that
 * continues a character, 2 for the first byte of most wide characters, otherwise 1. Wide characters
 * are those of East Asian scripts and emoji. The sum is an estimate: combining characters count,
 * too, and some characters have another width.
 */
static inline unsigned utf8_columns(char byte)
{
	const unsigned char c = (unsigned char)byte;

	if ((c & 0xc0) == 0x80)
		return 0;
	return (c >= 0xe3 && c <= 0xed) || c == 0xf0 ? 2 : 1;
}

#endif
