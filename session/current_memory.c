/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/current_memory.h"

#include "capture/proc/late_reader.h"

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	const struct current_memory *c = container_of(m, struct current_memory, memory);

	return late_reader_read(c->reader, c->tid, addr, buf, n);
}

static const struct memory_ops ops = {.read_some = read_some};

struct current_memory current_memory_of(struct late_reader *reader, pid_t tid)
{
	return (struct current_memory){.memory.ops = &ops, .reader = reader, .tid = tid};
}
