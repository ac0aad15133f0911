/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Escapes bytes as in C strings: \n, \1, \x7f. */
#ifndef TRACER_UTIL_ESCAPE_H
#define TRACER_UTIL_ESCAPE_H

#include "util/foreign.h"
#include "util/strbuf.h"

/*
 * Selects what is written in hexadecimal. HEX_NEVER: nothing. HEX_NON_ASCII_CHARS: bytes other than
 * printable ASCII characters and white space. HEX_NON_ASCII: strings that contain such bytes.
 * HEX_ALL: all strings. HEX_NOT_UTF8: nothing, and printable characters in UTF-8 are not escaped.
 */
enum hex_strings { HEX_NEVER, HEX_NON_ASCII_CHARS, HEX_NON_ASCII, HEX_ALL, HEX_NOT_UTF8 };

/*
 * Appends `len` bytes to `b`, escaped and without quotes. If `angle` is set, also escapes < and >.
 */
void escape_bytes(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex,
		  bool angle);

/*
 * Appends a name of n bytes that is shown without quotes. Control characters and invalid UTF-8
 * could end the line or control the terminal. Each byte of these is therefore written as a
 * backslash and three octal digits (\033), as in proc_pid_maps(5).
 */
void escape_name(struct strbuf *b, const char *name, size_t n);
/*
 * Like escape_name(). If the text is longer than n bytes, escape_start() replaces its end with
 * "...", and escape_end() its start. The remaining text and "..." have at most n bytes before
 * escaping. n must be at least 3.
 */
void escape_start(struct strbuf *b, const char *text, size_t n);
void escape_end(struct strbuf *b, const char *text, size_t n);
/* Like escape_name(), for foreign text. Appends nothing if there is no text. */
void escape_foreign(struct strbuf *b, struct foreign text);

#endif
