/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/html/page.h"

static const char style[] =
#include "sinks/html/page.css.inc"
	;

/*
 * Appends the text from `p` up to `mark`, which must occur in the text. Returns a pointer to the
 * text after the mark.
 */
static const char *put_until(struct strbuf *b, const char *p, const char *mark)
{
	const char *at = strstr(p, mark);

	strbuf_add(b, p, at - p);
	return at + strlen(mark);
}

void page_begin(struct strbuf *b, const char *page, const char *const *scripts, size_t n)
{
	const char *p = put_until(b, page, "@STYLE@\n");

	strbuf_puts(b, style);
	p = put_until(b, p, "@SCRIPT@\n");
	for (size_t i = 0; i < n; i++)
		strbuf_puts(b, scripts[i]);
	strbuf_puts(b, p);
}

size_t page_size(const char *page, const char *const *scripts, size_t n)
{
	size_t bytes = strlen(page) + sizeof(style);

	for (size_t i = 0; i < n; i++)
		bytes += strlen(scripts[i]);
	return bytes - strlen("@STYLE@\n@SCRIPT@\n") - 1;
}
