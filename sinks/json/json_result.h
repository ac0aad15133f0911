/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The result of an event as members of its JSON object. Each member has one type in all events. */
#ifndef TRACER_SINKS_JSON_JSON_RESULT_H
#define TRACER_SINKS_JSON_JSON_RESULT_H

#include "event/event.h"
#include "util/strbuf.h"

struct syscall_desc;

/*
 * Appends ,"ret":N,"error":NAME and, if they apply, "status" and "detail";
 * doc/tracer-json.schema.json describes them. desc is the row of a syscall, or NULL.
 */
void json_result(struct strbuf *b, const struct event *e, const struct syscall_desc *desc);
/* Like json_result(), for a syscall, with "tampered" and "cut" where they apply. */
void json_call_result(struct strbuf *b, const struct syscall_event *e);

#endif
