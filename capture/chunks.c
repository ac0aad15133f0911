/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/chunks.h"
#include "util/bisect.h"

#include <string.h>

/* Returns the index of the first chunk that ends after addr, or c->known.n if there is none. */
static size_t chunk_from(const struct chunks *c, uint64_t addr)
{
	const struct chunk *v = c->known.v;

	return bisect(c->known.n, i, addr > v[i].addr && addr - v[i].addr >= v[i].size);
}

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	const struct chunks *c = container_of(m, struct chunks, memory);
	size_t got = 0;

	for (size_t i = chunk_from(c, addr); got < n && i < c->known.n; i++) {
		const struct chunk *at = &c->known.v[i];
		uint64_t skip = addr + got - at->addr;
		size_t len;

		if (at->addr > addr + got)
			break;
		if (!at->bytes)
			return got ? (ssize_t)got : at->error;
		len = size_min(at->size - skip, n - got);
		memcpy((char *)buf + got, at->bytes + skip, len);
		got += len;
	}
	return got ? (ssize_t)got : c->absent;
}

static const struct memory_ops chunks_ops = {.read_some = read_some};

void chunks_init(struct chunks *c)
{
	*c = (struct chunks){.memory.ops = &chunks_ops, .absent = -ENODATA};
}

void chunks_deinit(struct chunks *c)
{
	vec_deinit(&c->known);
}

void chunks_clear(struct chunks *c)
{
	c->known.n = 0;
}

static void insert(struct chunks *c, size_t at, const struct chunk *chunk)
{
	(void)vec_push(&c->known);
	memmove(&c->known.v[at + 1], &c->known.v[at],
		(c->known.n - 1 - at) * sizeof(c->known.v[0]));
	c->known.v[at] = *chunk;
}

static void drop(struct chunks *c, size_t from, size_t to)
{
	if (from == to)
		return;
	memmove(&c->known.v[from], &c->known.v[to], (c->known.n - to) * sizeof(c->known.v[0]));
	c->known.n -= to - from;
}

/* Returns the rest of a chunk, starting `offset` bytes after the chunk's start. */
static struct chunk tail_of(const struct chunk *chunk, uint64_t offset)
{
	struct chunk rest = *chunk;

	rest.addr += offset;
	rest.size -= offset;
	if (rest.bytes)
		rest.bytes += offset;
	return rest;
}

static void add(struct chunks *c, const struct chunk *chunk)
{
	const uint64_t last = chunk->addr + (chunk->size - 1);
	size_t at = chunk_from(c, chunk->addr), end;

	if (at < c->known.n && c->known.v[at].addr < chunk->addr) {
		struct chunk *before = &c->known.v[at];
		struct chunk rest = tail_of(before, chunk->addr - before->addr);

		before->size -= rest.size;
		insert(c, ++at, &rest);
	}
	for (end = at; end < c->known.n && c->known.v[end].addr <= last; end++) {
		struct chunk *old = &c->known.v[end];

		if (old->addr + (old->size - 1) > last) {
			*old = tail_of(old, last - old->addr + 1);
			break;
		}
	}
	drop(c, at, end);
	insert(c, at, chunk);
}

void chunks_add(struct chunks *c, uint64_t addr, const void *bytes, uint64_t size)
{
	const struct chunk chunk = {.addr = addr, .size = size, .bytes = bytes};

	if (size)
		add(c, &chunk);
}

void chunks_add_error(struct chunks *c, uint64_t addr, uint64_t size, int error)
{
	const struct chunk chunk = {.addr = addr, .size = size, .error = error};

	if (size)
		add(c, &chunk);
}
