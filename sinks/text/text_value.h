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
	char *const *colors; /* escape sequences for enum color, or NULL for no colours */
	bool raw_shown;	     /* true if the value is shown in a comment on a raw number */
	bool bare_names;     /* true if names of constants have no separate colour */
	bool numbered;	     /* true if the value is shown in a comment on the number of an ioctl(2)
				request */
};

/* All functions below append to `b`. */

/* Appends the escape sequence for a colour, if colours are used. */
static inline void text_color(struct strbuf *b, const struct text_style *s, enum color c)
{
	if (unlikely(s->colors))
		strbuf_puts(b, s->colors[c]);
}

/* Appends punctuation in its colour. Use text_punct_colored() only in text_punct(). */
void text_punct_colored(struct strbuf *b, const struct text_style *s, const char *text);
static inline void text_punct(struct strbuf *b, const struct text_style *s, const char *text)
{
	if (unlikely(s->colors))
		text_punct_colored(b, s, text);
	else
		strbuf_puts(b, text);
}
/* Appends "name=". */
void text_name(struct strbuf *b, const struct text_style *s, const char *name);
/* Appends a value with its comment and its date. */
void text_render(struct strbuf *b, const struct text_style *s, const struct value *v);
/*
 * Appends the text before a member or an element: ", " unless it is the first child, and "name=" if
 * it has a name.
 */
void text_child_begin(struct strbuf *b, const struct text_style *s, const struct value *child,
		      bool first);
/*
 * Appends the rest of a VALUE_CHANGE: " => " and the second child. Appends nothing if there is no
 * second child.
 */
void text_change_rest(struct strbuf *b, const struct text_style *s, const struct value *v);

/* Appends a value to `out` in text format, without colours. For tests. */
void text_value(struct strbuf *out, const struct value *v, const struct text_config *config);

#endif
