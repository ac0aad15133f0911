/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes a whole event as text, for sinks that show events in one piece. */
#ifndef TRACER_SINKS_TEXT_CALL_H
#define TRACER_SINKS_TEXT_CALL_H

#include "sinks/text/text_value.h"

/* Appends ", " unless argument i is the first, and its name if names are shown. */
void text_arg_begin(struct strbuf *b, const struct text_style *s, const struct syscall_event *e,
		    unsigned i);
/*
 * Appends a whole call as one line without the line end: NAME(ARGUMENTS) = RESULT. If no return was
 * seen, the arguments are those known at the entry.
 */
void text_call(struct strbuf *b, const struct text_style *s, const struct syscall_event *e);
/*
 * Appends an event of another source: "--- SOURCE NAME {NAME=VALUE, …} = RESULT ---". NAME is
 * omitted if it equals SOURCE. Values and result are omitted if the event has none.
 */
void text_other(struct strbuf *b, const struct text_style *s, const struct event *e);

#endif
