/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses the chunks in a page written by --format=html. */
#ifndef TRACER_TESTS_UNIT_HTML_PARTS_H
#define TRACER_TESTS_UNIT_HTML_PARTS_H

#include "util/strbuf.h"

/* The decompressed parts of a chunk. */
struct html_parts {
	struct strbuf lists, columns, text;
};

/*
 * Reads the first chunk at or after p in the page. Returns the text after the chunk, or NULL if
 * there is none. Fails the test if the chunk is malformed. The caller must free the parts.
 */
const char *html_parts_read(struct html_parts *parts, const char *p);
void html_parts_free(struct html_parts *parts);

#endif
