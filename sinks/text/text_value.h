/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes values as text. */
#ifndef TRACER_SINKS_TEXT_TEXT_VALUE_H
#define TRACER_SINKS_TEXT_TEXT_VALUE_H

#include "event/event.h"
#include "sinks/text/palette.h"
#include "sinks/text/text_config.h"
#include "util/strbuf.h"

struct text_style {
	const struct text_config *config;
	char *const *colors; /* COLORS escape sequences, or NULL for no colour */
	bool raw_shown;	     /* the value is a comment on a raw number */
	bool bare_names;     /* names of constants have no colour of their own */
	bool numbered;	     /* the value is a comment on the number of a request */
};

/* All functions below append to b. */

/* Appends the escape sequence of a colour, if there are colours. */
static inline void text_color(struct strbuf *b, const struct text_style *s, enum color c)
{
	if (unlikely(s->colors))
		strbuf_puts(b, s->colors[c]);
}

/* Appends punctuation in its colour. text_punct_colored() is for text_punct() only. */
void text_punct_colored(struct strbuf *b, const struct text_style *s, const char *text);
static inline void text_punct(struct strbuf *b, const struct text_style *s, const char *text)
{
	if (unlikely(s->colors))
		text_punct_colored(b, s, text);
	else
		strbuf_puts(b, text);
}
/* appends "name=" */
void text_name(struct strbuf *b, const struct text_style *s, const char *name);
/* Appends a value. */
void text_render(struct strbuf *b, const struct text_style *s, const struct value *v);
/*
 * Appends the text before a member or element: ", " unless it is the first, and "name=" if it has a
 * name.
 */
void text_child_begin(struct strbuf *b, const struct text_style *s, const struct value *child,
		      bool first);
/*
 * Appends the second part of a VALUE_CHANGE: " => " and the second child, or nothing if there is
 * none.
 */
void text_change_rest(struct strbuf *b, const struct text_style *s, const struct value *v);

/* Appends one value to out in the text format, without colour; for tests. */
void text_value(struct strbuf *out, const struct value *v, const struct text_config *config);

#endif
