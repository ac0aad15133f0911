/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A call as text, for sinks that show it whole. */
#ifndef TRACER_SINKS_TEXT_CALL_H
#define TRACER_SINKS_TEXT_CALL_H

#include "sinks/text/text_value.h"

/* Appends what stands before argument i: ", " unless it is the first, and its name if that is
 * shown.
 */
void text_arg_begin(struct strbuf *b, const struct text_style *s, const struct syscall_event *e,
		    unsigned i);
/*
 * Appends all of a call at its exit, as one line without its end: NAME(ARGUMENTS) = RESULT. A call
 * that was not seen to return has the arguments that were known at its entry.
 */
void text_call(struct strbuf *b, const struct text_style *s, const struct syscall_event *e);

#endif
