/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/msg.h"

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
}

void *mem_zalloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
}

void *mem_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
}

char *mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

char *mem_strndup(const char *s, size_t n)
{
	char *p;

	n = strnlen(s, n);
	p = mem_alloc(n + 1);
	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

char *mem_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	return s;
}

void mem_free_ptr(void *ptr_to_ptr)
{
	free(*(void **)ptr_to_ptr);
}

/*
 * The size is small, because each thread that is in a syscall holds a chunk, and there may be
 * 10,000 such threads.
 */
#define CHUNK_SIZE 2048
/*
 * Maximum number of unused chunks in the pool. Further chunks are freed, for example those of an
 * execve with a huge argv.
 */
#define POOL_MAX 256

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* size of the data in bytes */
	char data[] __attribute__((aligned(8)));
};

static struct arena_chunk *pool;
static size_t pool_count;

static struct arena_chunk *chunk_get(size_t size)
{
	const size_t standard = CHUNK_SIZE - sizeof(struct arena_chunk);
	struct arena_chunk *c;

	if (size <= standard && pool) {
		c = pool;
		pool = c->next;
		pool_count--;
		return c;
	}
	size = size_max(size, standard);
	c = mem_alloc(sizeof(*c) + size);
	c->size = size;
	return c;
}

static void chunk_put(struct arena_chunk *c)
{
	if (c->size == CHUNK_SIZE - sizeof(*c) && pool_count < POOL_MAX) {
		c->next = pool;
		pool = c;
		pool_count++;
	} else {
		free(c);
	}
}

attr_noinline void arena_grow(struct arena *a, size_t size)
{
	struct arena_chunk *c = chunk_get(size);

	c->next = a->chunks;
	a->chunks = c;
	a->free = c->data;
	a->left = c->size;
	a->total += sizeof(*c) + c->size;
}

void arena_give_back(struct arena *a, const void *p, size_t size, size_t keep)
{
	size = arena_rounded(size);
	keep = align_up(keep, 8);
	if (keep < size && a->free && (const char *)p + size == a->free) {
		a->free -= size - keep;
		a->left += size - keep;
	}
}

void *arena_zalloc(struct arena *a, size_t size)
{
	return memset(arena_alloc(a, size), 0, size);
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p;

	n = strnlen(s, n);
	p = arena_alloc(a, n + 1);
	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	char small[128];
	va_list ap, again;
	char *p;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	if (n < 0)
		die("cannot format '%s'", fmt);
	p = arena_alloc(a, n + 1);
	if ((size_t)n < sizeof(small))
		memcpy(p, small, n + 1);
	else
		vsnprintf(p, n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return p;
}

void arena_free(struct arena *a)
{
	struct arena_chunk *c = a->chunks, *next;

	for (; c; c = next) {
		next = c->next;
		chunk_put(c);
	}
	*a = (struct arena){0};
}
