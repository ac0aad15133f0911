/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/utf8.h"

#include <string.h>

unsigned utf8_length(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char lead = s[0], low = 0x80, high = 0xbf;
	unsigned len;

	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	len = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	if (n < len)
		return 0;
	/* Reject overlong forms, surrogates, and code points above U+10FFFF. */
	if (lead == 0xe0)
		low = 0xa0;
	else if (lead == 0xed)
		high = 0x9f;
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (unsigned i = 2; i < len; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return len;
}

/*
 * Returns true if the n bytes at `s` begin with a character that utf8_printable() rejects. The
 * first byte must not be ASCII.
 */
static bool is_control(const unsigned char *s, size_t n)
{
	if (n < 2)
		return false;
	if (s[0] == 0xc2)
		return s[1] < 0xa0;
	if (s[0] == 0xd8)
		return s[1] == 0x9c;
	if (s[0] != 0xe2 || n < 3)
		return false;
	if (s[1] == 0x80)
		return s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae);
	return s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9;
}

unsigned utf8_printable(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] < 0x80)
		return s[0] >= ' ' && s[0] != 0x7f;
	return is_control(s, n) ? 0 : utf8_length(text, n);
}

void utf8_make_printable(char *s)
{
	for (size_t n = strlen(s); n;) {
		unsigned len = utf8_printable(s, n);

		if (!len)
			*s = '?';
		s += len ? len : 1;
		n -= len ? len : 1;
	}
}
