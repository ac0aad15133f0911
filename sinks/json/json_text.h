/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes JSON elements that several sinks need: strings, numbers and values. The output is valid
 * JSON and valid UTF-8 for any input.
 */
#ifndef TRACER_SINKS_JSON_JSON_TEXT_H
#define TRACER_SINKS_JSON_JSON_TEXT_H

#include "event/event.h"
#include "util/foreign.h"
#include "util/strbuf.h"

/* Functions with a parameter `b` append their output to this buffer. */

/* Writes n bytes as a JSON string. Invalid UTF-8 is replaced with U+FFFD. */
void json_string(struct strbuf *b, const char *s, size_t n);
/*
 * Writes n bytes as a JSON string or, if they are not valid UTF-8, as
 * {"text":"…\ufffd…","hex":"…"}.
 */
void json_bytes(struct strbuf *b, const char *s, size_t n);
/*
 * Writes the first n bytes of a longer string as {"text":"…","truncated":true}, with "hex" as in
 * json_bytes().
 */
void json_truncated(struct strbuf *b, const char *s, size_t n);
/* Like json_bytes(), for a NUL-terminated string. */
static inline void json_cstring(struct strbuf *b, const char *s)
{
	json_bytes(b, s, strlen(s));
}

/* Like json_string(), for foreign text. Writes null if there is no text. */
void json_foreign(struct strbuf *b, struct foreign text);

/*
 * Writes the member "KEY":"…" with a string of n bytes. If the string is not valid UTF-8, also
 * writes the member "KEY_hex":"…". Thus "KEY" is always a string. `key` must be ASCII without
 * special characters.
 */
void json_text_member(struct strbuf *b, const char *key, const char *s, size_t n);
/* Like json_text_member(), for foreign text. Writes "KEY":null if there is no text. */
void json_foreign_member(struct strbuf *b, const char *key, struct foreign text);
/* Writes the name of the error or signal n as a string. If it has no name, writes "N". */
void json_name(struct strbuf *b, const char *name, int64_t n);

/* 2^53. A double cannot represent all larger integers. */
#define JSON_EXACT_MAX (INT64_C(1) << 53)
/*
 * Writes a number. Numbers beyond 2^53 are written as strings, because many readers store numbers
 * as doubles.
 */
void json_int(struct strbuf *b, int64_t n);
void json_uint(struct strbuf *b, uint64_t n);
void json_addr(struct strbuf *b, uint64_t addr); /* writes "0x…", in hexadecimal */

/* Writes a value. doc/tracer-json.schema.json describes the format of each kind of value. */
void json_value(struct strbuf *b, const struct value *v);
/* Writes a constant or another expression as a string. */
void json_words(struct strbuf *b, const struct value *v);
/* Writes the children of `v` as an array. */
void json_array(struct strbuf *b, const struct value *v);
/*
 * Writes the details of a VALUE_FD, except for its number, as members of an object: "path", "info",
 * …
 */
void json_fd_members(struct strbuf *b, const struct value *v);
/* Writes the object "args" of an event, with all known arguments. */
void json_args(struct strbuf *b, const struct event *e);
/*
 * Writes the result in a readable form: an address, a descriptor with its path, -1 after an error,
 * or null if there is no result. The JSON type depends on the result. `desc` describes the syscall,
 * or is NULL if the event is not a syscall.
 */
void json_ret(struct strbuf *b, const struct event *e, const struct syscall_desc *desc);

/* Writes a time as SECONDS.FRACTION. The fraction has the given number of digits, at most 9. */
void json_time(struct strbuf *b, const struct timespec *t, unsigned digits);

#endif
