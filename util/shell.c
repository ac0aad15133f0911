/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/shell.h"

#include "util/utf8.h"

/* The ways to write a word, from the simplest. */
enum quoting { QUOTE_NONE, QUOTE_SINGLE, QUOTE_ESCAPES };

static enum quoting quoting_of(const char *word, size_t n)
{
	enum quoting q = n ? QUOTE_NONE : QUOTE_SINGLE;

	for (size_t i = 0, len; i < n; i += len) {
		len = utf8_printable(word + i, n - i);
		if (!len)
			return QUOTE_ESCAPES;
		if (len == 1 && strchr(" !\"#$&'()*;<>?[\\]^`{|}~", word[i]))
			q = QUOTE_SINGLE;
	}
	return q;
}

static void put_escaped(struct strbuf *b, const char *word, size_t n)
{
	strbuf_puts(b, "$'");
	for (size_t i = 0, len; i < n; i += len) {
		len = utf8_printable(word + i, n - i);
		if (len) {
			if (word[i] == '\'' || word[i] == '\\')
				strbuf_putc(b, '\\');
			strbuf_add(b, word + i, len);
			continue;
		}
		len = 1;
		if (word[i] == '\n')
			strbuf_puts(b, "\\n");
		else if (word[i] == '\t')
			strbuf_puts(b, "\\t");
		else
			strbuf_printf(b, "\\%03o", (unsigned char)word[i]);
	}
	strbuf_putc(b, '\'');
}

void shell_put_word(struct strbuf *b, const char *word, size_t n)
{
	const enum quoting q = quoting_of(word, n);

	if (q == QUOTE_ESCAPES) {
		put_escaped(b, word, n);
		return;
	}
	if (q == QUOTE_SINGLE)
		strbuf_putc(b, '\'');
	for (size_t i = 0; i < n; i++) {
		if (word[i] == '\'')
			strbuf_puts(b, "'\\'");
		strbuf_putc(b, word[i]);
	}
	if (q == QUOTE_SINGLE)
		strbuf_putc(b, '\'');
}
