/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Escapes bytes as C does within quotes: \n, \1, \x7f. */
#ifndef TRACER_UTIL_ESCAPE_H
#define TRACER_UTIL_ESCAPE_H

#include "util/strbuf.h"

/*
 * What is written in hexadecimal: nothing; bytes that are not ASCII; all bytes of strings that
 * contain such bytes; all bytes of all strings.
 */
enum hex_strings { HEX_NEVER, HEX_NON_ASCII_CHARS, HEX_NON_ASCII, HEX_ALL };

/* Appends len bytes to b, with escapes and without quotes. angle: < and > are escaped as well. */
void escape_bytes(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex,
		  bool angle);

#endif
