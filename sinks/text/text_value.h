/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the text sink writes values. */
#ifndef TRACER_SINKS_TEXT_TEXT_VALUE_H
#define TRACER_SINKS_TEXT_TEXT_VALUE_H

#include "event/event.h"
#include "sinks/text/palette.h"
#include "sinks/text/text_config.h"
#include "util/strbuf.h"

struct text_style {
	const struct text_config *config;
	char *const *colors; /* COLORS escape sequences; NULL: no colour */
	bool raw_shown;	     /* a comment after a raw number is being written */
	bool bare_names;     /* names of constants have no colour of their own */
	bool numbered;	     /* the value is a comment that explains the number of a request */
};

/* All functions below append to b. */

/* Appends the escape sequence of a colour, if there are colours. */

static inline void text_color(struct strbuf *b, const struct text_style *s, enum color c)
{
	if (unlikely(s->colors))
		strbuf_puts(b, s->colors[c]);
}

/* Punctuation between values, in its colour; the first function is for text_punct() alone. */
void text_punct_colored(struct strbuf *b, const struct text_style *s, const char *text);
static inline void text_punct(struct strbuf *b, const struct text_style *s, const char *text)
{
	if (unlikely(s->colors))
		text_punct_colored(b, s, text);
	else
		strbuf_puts(b, text);
}
void text_name(struct strbuf *b, const struct text_style *s, const char *name); /* "name=" */
/* A value. */
void text_render(struct strbuf *b, const struct text_style *s, const struct value *v);
/* The text before a member or element: ", " unless it is the first, and "name=" if it has a name.
 */
void text_child_begin(struct strbuf *b, const struct text_style *s, const struct value *child,
		      bool first);
/* The second part of a VALUE_CHANGE: " => " and its second child, or nothing if there is none. */
void text_change_rest(struct strbuf *b, const struct text_style *s, const struct value *v);

/* Appends one value to out as the text sink writes it, without colour; for tests. */
void text_value(struct strbuf *out, const struct value *v, const struct text_config *config);

#endif
