/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Strings of runtimes as UTF-8. */
#ifndef TRACER_STACK_LANG_TEXT_H
#define TRACER_STACK_LANG_TEXT_H

#include "stack/lang/memory.h"
#include "util/strbuf.h"

/*
 * Appends a string of n characters at addr, of width bytes each: 1 (Latin-1), 2 (UTF-16) or 4
 * (UTF-32). What exceeds max characters is cut off. Returns false if it cannot be read.
 */
bool lang_text_wide(struct lang_memory *m, uint64_t addr, uint64_t n, unsigned width, size_t max,
		    struct strbuf *b);
/* The same for n bytes that are UTF-8 already. */
bool lang_text(struct lang_memory *m, uint64_t addr, uint64_t n, size_t max, struct strbuf *b);
/* The same up to a NUL. */
bool lang_text_cstring(struct lang_memory *m, uint64_t addr, size_t max, struct strbuf *b);

#endif
