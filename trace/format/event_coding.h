/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes events that are not about system calls, signals or processes (EVENT_OTHER), for EVENT
 * records (doc/trace-format.md). A reader can decode an event without knowing which source created
 * it.
 */
#ifndef TRACER_TRACE_FORMAT_EVENT_CODING_H
#define TRACER_TRACE_FORMAT_EVENT_CODING_H

#include "event/event.h"
#include "trace/format/coding.h"

/*
 * Appends the source, name, values, result and duration of an event: at most EVENT_CODING_MAX
 * bytes. The thread, the time and the stack are in other records. A value in a table is written
 * with its name, so that a reader does not need the table. Strings longer than EVENT_STRING_MAX
 * bytes, and structs and arrays that do not fit, are truncated and get VALUE_F_MORE. Arguments that
 * do not fit are left out. Comments, and bits that only affect the notation of text output, are not
 * written.
 */
#define EVENT_CODING_MAX 8192
#define EVENT_STRING_MAX 1024
void event_put(struct strbuf *out, const struct event *e);
/*
 * Decodes an event written by event_put(). Everything that *e points to is in the arena. Returns
 * false if the data is invalid. Names are checked: they consist of letters, digits and "_.:?-".
 */
bool event_take(struct cursor *in, struct arena *arena, struct event *e);

#endif
