/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Escapes bytes as C does within quotes: \n, \1, \x7f. */
#ifndef TRACER_UTIL_ESCAPE_H
#define TRACER_UTIL_ESCAPE_H

#include "util/foreign.h"
#include "util/strbuf.h"

/*
 * What to write in hexadecimal, in the order of the values: nothing; only bytes that are not ASCII;
 * the whole string if it contains such a byte; every string.
 */
enum hex_strings { HEX_NEVER, HEX_NON_ASCII_CHARS, HEX_NON_ASCII, HEX_ALL };

/* Appends len bytes to b, escaped and without quotes. If angle is set, < and > are escaped too. */
void escape_bytes(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex,
		  bool angle);

/*
 * Appends a name of n bytes that is shown without quotes. Control characters and invalid UTF-8,
 * which could break the line or control a terminal, are written as a backslash and three octal
 * digits for each byte (\033), as in proc_pid_maps(5).
 */
void escape_name(struct strbuf *b, const char *name, size_t n);
/* Does the same for a text, or nothing if there is no text. */
void escape_foreign(struct strbuf *b, struct foreign text);

#endif
