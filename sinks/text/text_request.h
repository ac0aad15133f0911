/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_SINKS_TEXT_REQUEST_H
#define TRACER_SINKS_TEXT_REQUEST_H

struct strbuf;
struct syscall_event;
struct text_style;

/*
 * Appends a request of an io_uring, without the line end: "io_uring(3)#17 NAME(ARGUMENTS) =
 * RESULT". If the request has flags, belongs to a chain or was punted, a comment that says so
 * follows.
 */
void text_request(struct strbuf *b, const struct text_style *s, const struct syscall_event *e);

#endif
