/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What became of a call, as members of its JSON object. Each member has one type in all events. */
#ifndef TRACER_SINKS_JSON_JSON_RESULT_H
#define TRACER_SINKS_JSON_JSON_RESULT_H

#include "event/event.h"
#include "util/strbuf.h"

/*
 * Appends ,"ret":N,"error":NAME and, where there is more to say, "status", "detail", "tampered" and
 * "cut"; doc/tracer-json.schema.json describes them.
 */
void json_result(struct strbuf *b, const struct syscall_event *e);

#endif
