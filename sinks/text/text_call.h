/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A whole event as text, for sinks that show it in one piece. */
#ifndef TRACER_SINKS_TEXT_CALL_H
#define TRACER_SINKS_TEXT_CALL_H

#include "sinks/text/text_value.h"

/* Appends ", " unless argument i is the first, and its name if names are shown. */
void text_arg_begin(struct strbuf *b, const struct text_style *s, const struct syscall_event *e,
		    unsigned i);
/*
 * Appends all of a call at its exit, as one line without its end: NAME(ARGUMENTS) = RESULT. A call
 * that was not seen to return has the arguments that were known at its entry.
 */
void text_call(struct strbuf *b, const struct text_style *s, const struct syscall_event *e);
/*
 * Appends an event of another source: "--- SOURCE NAME {NAME=VALUE, …} = RESULT ---". NAME is left
 * out if it is SOURCE; so are values and the result if the event has none.
 */
void text_other(struct strbuf *b, const struct text_style *s, const struct event *e);

#endif
