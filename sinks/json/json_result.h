/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The result of an event, as members of the event's JSON object. Each member has the same type in
 * all events.
 */
#ifndef TRACER_SINKS_JSON_JSON_RESULT_H
#define TRACER_SINKS_JSON_JSON_RESULT_H

#include "event/event.h"
#include "util/strbuf.h"

struct syscall_desc;

/*
 * Appends ,"ret":N,"error":NAME and, if applicable, "status" and "detail". See
 * doc/tracer-json.schema.json. `desc` describes the syscall, or is NULL if the event is not a
 * syscall.
 */
void json_result(struct strbuf *b, const struct event *e, const struct syscall_desc *desc);
/* Like json_result(), for a syscall. Also appends "tampered" and "cut" if applicable. */
void json_call_result(struct strbuf *b, const struct syscall_event *e);

#endif
