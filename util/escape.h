/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Escapes bytes as C does within quotes: \n, \1, \x7f. */
#ifndef TRACER_UTIL_ESCAPE_H
#define TRACER_UTIL_ESCAPE_H

#include "util/foreign.h"
#include "util/strbuf.h"

/*
 * Which strings are written in hexadecimal: none; bytes that are not ASCII; all bytes of strings
 * that contain such bytes; all bytes of all strings.
 */
enum hex_strings { HEX_NEVER, HEX_NON_ASCII_CHARS, HEX_NON_ASCII, HEX_ALL };

/* Appends len bytes to b, escaped and without quotes. angle: < and > are escaped too. */
void escape_bytes(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex,
		  bool angle);

/*
 * Appends a name of n bytes. Bytes that would break the line or control a terminal, which are
 * control characters and invalid UTF-8, become three octal digits each, as in the names of
 * proc_pid_maps(5): \033. For names without quotes.
 */
void escape_name(struct strbuf *b, const char *name, size_t n);
/* Like escape_name(). Appends nothing if there is no text. */
void escape_foreign(struct strbuf *b, struct foreign text);

#endif
