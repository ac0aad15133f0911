/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Assigns indexes to the objects that rows of the page refer to. When an object is used for the
 * first time, it is appended to one of the chunk's lists. When the tables become large, they are
 * dropped to free memory. An object that is used again after that gets a second index. The page
 * treats both indexes as the same object.
 */
#ifndef TRACER_SINKS_HTML_CATALOG_H
#define TRACER_SINKS_HTML_CATALOG_H

#include "sinks/html/chunk.h"
#include "stack/stack.h"

struct catalog;

/*
 * Creates empty tables, whose elements are written to the chunk. The chunk is borrowed. Never
 * returns NULL. Free the tables with catalog_destroy().
 */
struct catalog *catalog_create(struct chunk *c);
void catalog_destroy(struct catalog *t);

/* Returns the index in LIST_STRINGS of the string of n bytes at `s`. */
uint32_t catalog_string(struct catalog *t, const char *s, size_t n);
/* Returns the index of a row name in LIST_NAMES. `classes` is used only if the name is new. */
uint32_t catalog_name(struct catalog *t, const char *name, uint32_t classes);
/* Returns the index in LIST_WHO of a thread with the name of n bytes at `comm`. */
uint32_t catalog_who(struct catalog *t, uint32_t thread, const char *comm, size_t n);
/*
 * Returns the index in LIST_NODES of the innermost frame of a stack, or 0 for an empty stack. The n
 * frames are ordered from the innermost to the outermost frame.
 */
uint32_t catalog_stack(struct catalog *t, const struct frame *frames, size_t n);

/* Drops all tables if they are large. Must be called between rows. */
void catalog_trim(struct catalog *t);

#endif
