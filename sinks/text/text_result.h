/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes the result of a call as text. */
#ifndef TRACER_SINKS_TEXT_TEXT_RESULT_H
#define TRACER_SINKS_TEXT_TEXT_RESULT_H

struct strbuf;
struct event;
struct syscall_event;
struct text_style;
struct wakeup;

/*
 * Appends the result of an event and its note, such as "= 3" or "= -1 ENOENT (No such file or
 * directory)".
 */
void text_result(struct strbuf *b, const struct text_style *style, const struct event *e);
/* Like text_result(), for a syscall. Also appends a note if the call was tampered with. */
void text_call_result(struct strbuf *b, const struct text_style *style,
		      const struct syscall_event *e);
/*
 * Appends the cause that ended a wait, such as ", woken by 4711<worker> (pipe)" or ", woken by
 * timer".
 */
void text_waker(struct strbuf *b, const struct text_style *style, const struct wakeup *w);

#endif
