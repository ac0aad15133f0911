/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the text sink writes values and quotes bytes. */
#ifndef TRACER_SINKS_TEXT_VALUE_H
#define TRACER_SINKS_TEXT_VALUE_H

#include "sinks/text.h"
#include "util/strbuf.h"

/*
 * The kinds of text that --color tells apart. A renderer writes text of one kind
 * after another; in COLOR_ARG, values of arguments, everything else returns to it.
 */
enum color {
	COLOR_PUNCT,
	COLOR_SYSCALL,
	COLOR_ARGNAME,
	COLOR_ARG,
	COLOR_CALL,
	COLOR_CONST,
	COLOR_COMMENT,
	COLOR_RETVAL,
	COLOR_ERROR,
	COLORS
};

struct text_style {
	const struct text_config *config;
	bool verbose;		   /* -v holds */
	const char *const *colors; /* COLORS escape sequences; NULL: no colour */
	bool raw_shown;		   /* within the comment behind a raw number */
};

static inline void text_color(struct strbuf *b, const struct text_style *s, enum color c)
{
	if (unlikely(s->colors))
		strbuf_puts(b, s->colors[c]);
}

/* Punctuation between values. */
void text_punct(struct strbuf *b, const struct text_style *s, const char *text);
void text_name(struct strbuf *b, const struct text_style *s, const char *name); /* "name=" */
void text_render(struct strbuf *b, const struct text_style *s, const struct value *v);

/* Bytes with escapes, without quotes; angle: for use within <>. */
void text_escape(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex, bool angle);

#endif
