/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes a whole event as text, for sinks that write each event at once. */
#ifndef TRACER_SINKS_TEXT_CALL_H
#define TRACER_SINKS_TEXT_CALL_H

#include "sinks/text/text_value.h"

/*
 * Appends ", " unless argument `i` is the first argument. If names are shown, also appends the
 * argument's name.
 */
void text_arg_begin(struct strbuf *b, const struct text_style *s, const struct syscall_event *e,
		    unsigned i);
/*
 * Appends a whole call without a newline: NAME(ARGUMENTS) = RESULT. If the return was not seen,
 * writes the arguments known at syscall entry.
 */
void text_call(struct strbuf *b, const struct text_style *s, const struct syscall_event *e);
/* Appends "<... NAME resumed>", the beginning of a line that continues a call. */
void text_resumed(struct strbuf *b, const struct syscall_event *e);
/* Appends "SIGTERM", or the number of a signal that has no name. */
void text_signal_name(struct strbuf *b, int sig);
/* Appends "--- lost 3 events: CAUSE ---". */
void text_lost(struct strbuf *b, const struct lost_event *e);
/*
 * Appends an event from another source: "--- SOURCE NAME {NAME=VALUE, …} = RESULT ---". Omits NAME
 * if it equals SOURCE. Omits the values and the result if the event has none.
 */
void text_other(struct strbuf *b, const struct text_style *s, const struct event *e);
/*
 * Returns the width in columns of the text in `b`, starting at offset `start`. Sequences that set
 * colours have no width.
 */
size_t text_width(const struct text_style *s, const struct strbuf *b, size_t start);

#endif
