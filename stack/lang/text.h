/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that convert strings of runtimes to UTF-8. */
#ifndef TRACER_STACK_LANG_TEXT_H
#define TRACER_STACK_LANG_TEXT_H

#include "stack/lang/memory.h"
#include "util/strbuf.h"

/*
 * Appends a string of n characters from addr. width is the size of a character in bytes: 1
 * (Latin-1), 2 (UTF-16) or 4 (UTF-32). Appends at most max characters. Returns false if the string
 * cannot be read.
 */
bool lang_text_wide(struct lang_memory *m, uint64_t addr, uint64_t n, unsigned width, size_t max,
		    struct strbuf *b);
/* Like lang_text_wide(), for n characters in tracer's own memory. */
void lang_text_chars(const void *chars, size_t n, unsigned width, struct strbuf *b);
/*
 * Appends n bytes at addr that are already UTF-8, but at most max bytes. Returns false if they
 * cannot be read.
 */
bool lang_text(struct lang_memory *m, uint64_t addr, uint64_t n, size_t max, struct strbuf *b);
/*
 * Appends a NUL-terminated string that is already UTF-8, but at most max bytes, and never more than
 * LANG_FILE_LENGTH bytes. Returns false if it cannot be read.
 */
bool lang_text_cstring(struct lang_memory *m, uint64_t addr, size_t max, struct strbuf *b);

#endif
