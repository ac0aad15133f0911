/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What rows of the page refer to by number. Each thing gets a number when it is first seen, and
 * goes to the chunk's lists. To bound memory, the tables are forgotten once they are large: what is
 * seen again then gets another number, and the page takes both for the same.
 */
#ifndef TRACER_SINKS_HTML_CATALOG_H
#define TRACER_SINKS_HTML_CATALOG_H

#include "sinks/html/chunk.h"
#include "stack/stack.h"

struct catalog;

/* Never NULL; the chunk is borrowed. catalog_destroy() frees the tables. */
struct catalog *catalog_create(struct chunk *c);
void catalog_destroy(struct catalog *t);

/* The number of a string of n bytes, in LIST_STRINGS. */
uint32_t catalog_string(struct catalog *t, const char *s, size_t n);
/* The number of the name of rows, in LIST_NAMES; the string alone decides which it is. */
uint32_t catalog_name(struct catalog *t, const char *name, uint32_t classes);
/* The number in LIST_WHO of a thread that has this name, of n bytes. */
uint32_t catalog_who(struct catalog *t, uint32_t thread, const char *comm, size_t n);
/* The number of the stack of n frames, innermost first: the node of the innermost, 0 without any.
 */
uint32_t catalog_stack(struct catalog *t, const struct frame *frames, size_t n);

/* Forgets everything if it is much. To be called between rows. */
void catalog_trim(struct catalog *t);

#endif
