/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/raw_stack.h"

#include <errno.h>
#include <string.h>

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	const struct raw_stack *s = container_of(m, struct raw_memory, memory)->stack;
	uint64_t at = addr - s->addr;

	if (at < s->n) {
		n = size_min(n, s->n - at);
		memcpy(buf, s->bytes + at, n);
		return (ssize_t)n;
	}
	/*
	 * The requested range overlaps the copied bytes. Do not read it from stack->rest, because
	 * the copied bytes have precedence.
	 */
	if (addr < s->addr && n > s->addr - addr)
		n = s->addr - addr;
	return s->rest ? memory_read_some(s->rest, addr, buf, n) : -ENODATA;
}

static const struct memory_ops ops = {.read_some = read_some};

void raw_memory_init(struct raw_memory *m, const struct raw_stack *stack)
{
	*m = (struct raw_memory){.memory.ops = &ops, .stack = stack};
}
