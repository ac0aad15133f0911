/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the text sink writes what a call returned. */
#ifndef TRACER_SINKS_TEXT_TEXT_RESULT_H
#define TRACER_SINKS_TEXT_TEXT_RESULT_H

struct strbuf;
struct syscall_event;
struct text_style;

/*
 * Appends the result of a call with its notes: "= 3", "= -1 ENOENT (No such file or directory)".
 */
void text_result(struct strbuf *b, const struct text_style *style, const struct syscall_event *e);

#endif
