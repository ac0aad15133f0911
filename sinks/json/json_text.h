/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The JSON elements that several sinks write: strings, numbers, values. The output is valid JSON
 * and valid UTF-8 for any input bytes.
 */
#ifndef TRACER_SINKS_JSON_JSON_TEXT_H
#define TRACER_SINKS_JSON_JSON_TEXT_H

#include "event/event.h"
#include "util/foreign.h"
#include "util/strbuf.h"

/* Functions that take b append to it. */

/* A JSON string of n bytes; bytes that are not UTF-8 become U+FFFD. */
void json_string(struct strbuf *b, const char *s, size_t n);
/* A JSON string of n bytes, or {"text":"…\ufffd…","hex":"…"} if they are not valid UTF-8. */
void json_bytes(struct strbuf *b, const char *s, size_t n);
/* The first n bytes of a longer text: {"text":"…","truncated":true}, with "hex" as json_bytes(). */
void json_truncated(struct strbuf *b, const char *s, size_t n);
/* Like json_bytes(), for a terminated string. */
static inline void json_cstring(struct strbuf *b, const char *s)
{
	json_bytes(b, s, strlen(s));
}

/* Like json_string(), but writes null if there is no text. */
void json_foreign(struct strbuf *b, struct foreign text);

/*
 * The member "KEY":"…" with n bytes as its text. If the bytes are not valid UTF-8, the member
 * "KEY_hex":"…" follows, so that "KEY" is a string in every object. key must be plain ASCII.
 */
void json_text_member(struct strbuf *b, const char *key, const char *s, size_t n);
/* Like json_text_member(), for a foreign text. Writes "KEY":null if there is no text. */
void json_foreign_member(struct strbuf *b, const char *key, struct foreign text);

/* 2^53: larger integers may not be representable as a double. */
#define JSON_EXACT_MAX (INT64_C(1) << 53)
/* A number; beyond 2^53 a string, because many readers store numbers as doubles. */
void json_int(struct strbuf *b, int64_t n);
void json_uint(struct strbuf *b, uint64_t n);
void json_addr(struct strbuf *b, uint64_t addr); /* appends "0x…" in hexadecimal */

/* A value; doc/tracer-json.schema.json describes the form of each kind. */
void json_value(struct strbuf *b, const struct value *v);
/* The children of v as an array. */
void json_array(struct strbuf *b, const struct value *v);
/* The details of a VALUE_FD except for its number, as members of an object: "path", "info", … */
void json_fd_members(struct strbuf *b, const struct value *v);
/* The object "args" of an event, with the values that are known. */
void json_args(struct strbuf *b, const struct event *e);
/*
 * The result as a value for people, of whichever type it is: an address, a descriptor with its
 * path; -1 after an error, or null if the event has no result. desc is the row of a syscall, or
 * NULL.
 */
void json_ret(struct strbuf *b, const struct event *e, const struct syscall_desc *desc);

/* A time as SECONDS.FRACTION, with digits (at most 9) digits in the fraction. */
void json_time(struct strbuf *b, const struct timespec *t, unsigned digits);

#endif
