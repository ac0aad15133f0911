/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_SINKS_TEXT_SNAPSHOT_H
#define TRACER_SINKS_TEXT_SNAPSHOT_H

struct strbuf;
struct syscall_event;
struct text_style;

/* Appends a call that is running: "read(3, …)". Omits arguments that are not known yet. */
void text_running_call(struct strbuf *b, const struct text_style *s,
		       const struct syscall_event *call);
/* Appends an EVENT_SNAPSHOT, without the line end: "--- in read(3, …) for at least 2.000 s ---". */
void text_snapshot(struct strbuf *b, const struct text_style *s, const struct syscall_event *call);

#endif
