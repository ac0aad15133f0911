/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers for the objects that rows of the page refer to. An object gets a number at its first use
 * and is appended to the chunk's lists. To bound memory, the tables are dropped when they are
 * large. An object that is used again then gets a second number, and the page treats both as the
 * same.
 */
#ifndef TRACER_SINKS_HTML_CATALOG_H
#define TRACER_SINKS_HTML_CATALOG_H

#include "sinks/html/chunk.h"
#include "stack/stack.h"

struct catalog;

/* Never NULL; the chunk is borrowed. catalog_destroy() frees the tables. */
struct catalog *catalog_create(struct chunk *c);
void catalog_destroy(struct catalog *t);

/* Returns the number of a string of n bytes, in LIST_STRINGS. */
uint32_t catalog_string(struct catalog *t, const char *s, size_t n);
/* Returns the number of a row name, in LIST_NAMES; equal strings have one number. */
uint32_t catalog_name(struct catalog *t, const char *name, uint32_t classes);
/* Returns the number in LIST_WHO of a thread with this name, of n bytes. */
uint32_t catalog_who(struct catalog *t, uint32_t thread, const char *comm, size_t n);
/*
 * Returns the number of the stack of n frames, innermost first: the node of the innermost one; 0
 * for an empty stack.
 */
uint32_t catalog_stack(struct catalog *t, const struct frame *frames, size_t n);

/* Drops all tables if they are large. To be called between rows. */
void catalog_trim(struct catalog *t);

#endif
