/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/memory.h"

#include <string.h>

/*
 * Pages have at least this size in bytes on all machines, so readable memory ends only at multiples
 * of this size.
 */
#define PAGE 4096ul

ssize_t memory_read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	return n ? m->ops->read_some(m, addr, buf, n) : 0;
}

int memory_read(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	size_t got = 0;

	if (!n)
		return 0;
	if (likely(m->ops->read != NULL))
		return m->ops->read(m, addr, buf, n);
	while (got < n) {
		ssize_t r = m->ops->read_some(m, addr + got, (char *)buf + got, n - got);

		if (r < 0)
			return (int)r;
		got += (size_t)r;
	}
	return 0;
}

ssize_t memory_read_string(struct memory *m, uint64_t addr, char *buf, size_t n)
{
	/* Most strings are short, so the first read is short. No read crosses the end of a page. */
	size_t chunk = 256, got = 0;

	if (unlikely(m->ops->read_string != NULL))
		return m->ops->read_string(m, addr, buf, n);
	while (got < n) {
		/* Read one page at a time. The string may end before a page that cannot be read. */
		size_t len = size_min(size_min(chunk, n - got), PAGE - (addr + got) % PAGE);
		ssize_t r = m->ops->read_some(m, addr + got, buf + got, len);
		char *nul;

		if (r < 0)
			return r;
		nul = memchr(buf + got, '\0', (size_t)r);
		if (nul)
			return nul - buf;
		got += (size_t)r;
		chunk = PAGE;
	}
	return (ssize_t)n;
}

void memory_read_batch(struct memory *m, struct memory_op *ops, size_t count)
{
	if (likely(m->ops->read_batch != NULL)) {
		m->ops->read_batch(m, ops, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		ops[i].got = memory_read_some(m, ops[i].addr, ops[i].buf, ops[i].n);
}
