/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory allocation. The functions never return NULL. If memory runs out, the program prints a
 * message and exits with status 1. Memory from mem_…() functions is freed by free(3), memory from
 * arena_…() functions by arena_reset().
 */
#ifndef TRACER_UTIL_MEM_H
#define TRACER_UTIL_MEM_H

#include "defs.h"

/*
 * Like malloc(3), calloc(3) for a single object, realloc(3), strdup(3), strndup(3) and asprintf(3).
 */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t size);
void *mem_realloc(void *old, size_t size);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *fmt, ...) attr_printf(1, 2);

/* Frees the memory that a variable points to. Use it with attr_cleanup(mem_free_ptr). */
void mem_free_ptr(void *ptr_to_ptr);

struct arena_chunk;

/*
 * An arena is a set of allocations that are freed together, for example the values of one event.
 * {0} is an empty arena. arena_reset() returns the chunks to a pool that all arenas share, so an
 * empty arena uses no memory.
 */
struct arena {
	struct arena_chunk *chunks;
	char *free;  /* the unused part of the first chunk, aligned to 8 bytes */
	size_t left; /* number of unused bytes at `free` */
	/* Size of the arena: bytes in its chunks, plus the amounts added by arena_charge(). */
	size_t total;
};

/*
 * Used only by the functions below. arena_rounded() returns the number of bytes that an allocation
 * of `size` bytes uses. arena_grow() adds a chunk of at least `size` bytes. arena_free() frees all
 * chunks.
 */
static inline size_t arena_rounded(size_t size)
{
	return align_up(size_max(size, 1), 8);
}
void arena_grow(struct arena *a, size_t size);
void arena_free(struct arena *a);

/* Like the mem_…() functions above. The memory is aligned to 8 bytes. */
static inline void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	size = arena_rounded(size);
	if (unlikely(a->left < size))
		arena_grow(a, size);
	p = a->free;
	a->free += size;
	a->left -= size;
	return p;
}
void *arena_zalloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) attr_printf(2, 3);
/*
 * Shrinks the last allocation, the `size` bytes at `p`, to its first `keep` bytes. Does nothing if
 * `p` is not the last allocation.
 */
void arena_give_back(struct arena *a, const void *p, size_t size, size_t keep);
/*
 * Adds n bytes to a->total. They account for costs outside of the arena: memory that is needed to
 * show the objects in the arena, and reads and queries (BUDGET_READ, BUDGET_FACT).
 */
static inline void arena_charge(struct arena *a, size_t n)
{
	a->total += n;
}
/* Frees all allocations and sets a->total to 0. */
static inline void arena_reset(struct arena *a)
{
	if (a->total)
		arena_free(a);
}

#endif
