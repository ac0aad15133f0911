/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of our own. None of these returns NULL: a failed allocation ends the
 * program in one place, with one message and status 1.
 */
#ifndef TRACER_UTIL_MEM_H
#define TRACER_UTIL_MEM_H

#include "defs.h"

void *mem_alloc(size_t size);
void *mem_zalloc(size_t size);
void *mem_realloc(void *old, size_t size);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *fmt, ...) attr_printf(1, 2);

/* For attr_cleanup(mem_free_ptr) on a pointer variable. */
void mem_free_ptr(void *ptr_to_ptr);

/*
 * An arena: allocations that live and die together (one event's values).
 * Reset keeps nothing but the chunk pool, so an idle thread costs no memory.
 */
struct arena_chunk;
struct arena {
	struct arena_chunk *chunks;
	size_t used;
};

void *arena_alloc(struct arena *a, size_t size); /* aligned to 8 */
void *arena_zalloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) attr_printf(2, 3);
void arena_reset(struct arena *a);

#endif
