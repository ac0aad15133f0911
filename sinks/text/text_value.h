/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the text sink writes values. */
#ifndef TRACER_SINKS_TEXT_VALUE_H
#define TRACER_SINKS_TEXT_VALUE_H

#include "sinks/text/palette.h"
#include "sinks/text/text.h"
#include "util/strbuf.h"

struct text_style {
	const struct text_config *config;
	char *const *colors; /* COLORS escape sequences; NULL: no colour */
	bool raw_shown;	     /* within the comment behind a raw number */
	bool bare_names;     /* names of constants have no colour of their own */
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
/* What stands before a member or element: ", " unless it is the first, and "name=". */
void text_child_begin(struct strbuf *b, const struct text_style *s, const struct value *child,
		      bool first);
/* Of a VALUE_CHANGE, what stands behind its first child: " => " and the second, or nothing. */
void text_change_rest(struct strbuf *b, const struct text_style *s, const struct value *v);

/* "= 3", "= -1 ENOENT (No such file or directory)": how a call ended, notes included. */
struct syscall_event;
void text_result(struct strbuf *b, const struct text_style *style, const struct syscall_event *e);

#endif
