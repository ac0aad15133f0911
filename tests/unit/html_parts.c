/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "html_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inflate.h"

static unsigned digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, c);

	assert_true(c && at);
	return at - digits;
}

/*
 * Decodes one base64 part of a chunk, which ends before the character `end`. Returns the text after
 * this character. Fails the test if the part is malformed.
 */
static const char *read_part(struct strbuf *out, const char *p, char end)
{
	struct strbuf packed = {0};

	for (; *p != end; p += 4) {
		unsigned v = digit(p[0]) << 18 | digit(p[1]) << 12 |
			     (p[2] == '=' ? 0 : digit(p[2]) << 6) | (p[3] == '=' ? 0 : digit(p[3]));

		strbuf_putc(&packed, (char)(v >> 16));
		if (p[2] != '=')
			strbuf_putc(&packed, (char)(v >> 8));
		if (p[3] != '=')
			strbuf_putc(&packed, (char)v);
	}
	inflate_bytes(out, packed.data, packed.len);
	strbuf_deinit(&packed);
	return p + 1;
}

const char *html_parts_read(struct html_parts *parts, const char *p)
{
	static const char begin[] = "\n<script type=\"text/plain\" class=\"chunk\">";

	*parts = (struct html_parts){0};
	p = strstr(p, begin);
	if (!p)
		return NULL;
	p = read_part(&parts->lists, p + sizeof(begin) - 1, ',');
	p = read_part(&parts->columns, p, ',');
	p = read_part(&parts->text, p, ';');
	assert_int_equal(strncmp(p, "</script>\n", 10), 0);
	return p + 9;
}

void html_parts_free(struct html_parts *parts)
{
	strbuf_deinit(&parts->lists);
	strbuf_deinit(&parts->columns);
	strbuf_deinit(&parts->text);
}
