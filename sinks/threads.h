/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a sink keeps of each thread, by tid. Sinks know threads by what events say alone: one
 * begins, ends, and has another tid when it called execve in a process of several.
 */
#ifndef TRACER_SINKS_THREADS_H
#define TRACER_SINKS_THREADS_H

#include "util/table.h"

/* {0} is empty. What is kept is the sink's. */
struct threads {
	struct table by_tid;
};

static inline void *threads_find(const struct threads *t, pid_t tid)
{
	const struct table_slot *slot =
		table_find(&t->by_tid, table_hash_number((uint64_t)tid), NULL);

	return slot ? (void *)(uintptr_t)slot->value : NULL;
}

/* data is not NULL, and nothing is kept of tid. */
static inline void threads_add(struct threads *t, pid_t tid, void *data)
{
	table_add(&t->by_tid, table_hash_number((uint64_t)tid), (uintptr_t)data);
}

/* Takes out what is kept of tid, and returns it; NULL: nothing is. */
static inline void *threads_remove(struct threads *t, pid_t tid)
{
	struct table_slot *slot = table_find(&t->by_tid, table_hash_number((uint64_t)tid), NULL);
	void *data = slot ? (void *)(uintptr_t)slot->value : NULL;

	if (slot)
		table_remove(&t->by_tid, slot);
	return data;
}

/* Takes out what is kept of any thread, and returns it; NULL: nothing is left. */
static inline void *threads_take(struct threads *t)
{
	struct table_slot *slot = table_any(&t->by_tid);
	void *data = slot ? (void *)(uintptr_t)slot->value : NULL;

	if (slot)
		table_remove(&t->by_tid, slot);
	return data;
}

static inline void threads_deinit(struct threads *t)
{
	table_deinit(&t->by_tid);
}

#endif
