/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes as C writes them within quotes: \n, \1, \x7f. */
#ifndef TRACER_UTIL_ESCAPE_H
#define TRACER_UTIL_ESCAPE_H

#include "util/strbuf.h"

/* What is written in hexadecimal: nothing, what is not ASCII, strings with such bytes, all. */
enum hex_strings { HEX_NEVER, HEX_NON_ASCII_CHARS, HEX_NON_ASCII, HEX_ALL };

/* Appends the len bytes with escapes, without quotes; angle: < and > are escaped as well. */
void escape_bytes(struct strbuf *b, const char *bytes, size_t len, enum hex_strings hex,
		  bool angle);

#endif
