/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The code of the pages of --format=html and --format=flamegraph. */
#ifndef TRACER_SINKS_HTML_PAGE_H
#define TRACER_SINKS_HTML_PAGE_H

#include "util/strbuf.h"

/*
 * Appends a page to b. Replaces the line "@STYLE@" by the style sheet, and the line "@SCRIPT@" by
 * the n scripts.
 */
void page_begin(struct strbuf *b, const char *page, const char *const *scripts, size_t n);
/* Returns the number of bytes that page_begin() appends. */
size_t page_size(const char *page, const char *const *scripts, size_t n);

#endif
