/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pieces of JSON that several sinks write: strings, values, frames. All of
 * it is valid JSON and valid UTF-8, whatever bytes come in.
 */
#ifndef TRACER_SINKS_JSON_TEXT_H
#define TRACER_SINKS_JSON_TEXT_H

#include "event/event.h"
#include "unwind.h"
#include "util/strbuf.h"

/* A JSON string; bytes that are not UTF-8 become U+FFFD. */
void json_string(struct strbuf *b, const char *s, size_t n);
/* A JSON string, or where that would lose bytes {"text":"…\ufffd…","hex":"…"}. */
void json_bytes(struct strbuf *b, const char *s, size_t n);
/* The same of bytes that are not all: {"text":"…","truncated":true}. */
void json_truncated(struct strbuf *b, const char *s, size_t n);
static inline void json_cstring(struct strbuf *b, const char *s)
{
	json_bytes(b, s, strlen(s));
}

/* Beyond 2^53 a number is a string, as many readers keep numbers in doubles. */
void json_int(struct strbuf *b, int64_t n);
void json_uint(struct strbuf *b, uint64_t n);
void json_addr(struct strbuf *b, uint64_t addr); /* "0x…" */

/* A value; doc/tracer-json.schema.json says how each kind looks. */
void json_value(struct strbuf *b, const struct value *v);
/* The args object of a call, as far as they are known. */
void json_args(struct strbuf *b, const struct syscall_event *e);
/* The result: a value, -1 with an error, null where there is none. */
void json_ret(struct strbuf *b, const struct syscall_event *e);
/* ,"stack":[…],"stack_status":"…": nothing without a stack. */
void json_stack(struct strbuf *b, struct unwinder *u, struct stack *stack);

/* SECONDS.FRACTION with that many digits (at most 9). */
void json_time(struct strbuf *b, const struct timespec *t, unsigned digits);

#endif
