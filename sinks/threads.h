/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A map from tids to the data that a sink keeps for each thread. Sinks learn about threads only
 * from the calls thread_begin, thread_end and thread_moved of struct sink_ops.
 */
#ifndef TRACER_SINKS_THREADS_H
#define TRACER_SINKS_THREADS_H

#include "util/table.h"

/* {0} is an empty map. The sink owns the data. */
struct threads {
	struct table by_tid;
};

/* Returns the data of thread tid, or NULL. */
static inline void *threads_find(const struct threads *t, pid_t tid)
{
	const struct table_slot *slot =
		table_find(&t->by_tid, table_hash_number((uint64_t)tid), NULL);

	return slot ? (void *)(uintptr_t)slot->value : NULL;
}

/* Adds the data of thread tid, which has none yet. data must not be NULL. */
static inline void threads_add(struct threads *t, pid_t tid, void *data)
{
	table_add(&t->by_tid, table_hash_number((uint64_t)tid), (uintptr_t)data);
}

/* Removes and returns the data of thread tid; NULL if it has none. */
static inline void *threads_remove(struct threads *t, pid_t tid)
{
	struct table_slot *slot = table_find(&t->by_tid, table_hash_number((uint64_t)tid), NULL);
	void *data = slot ? (void *)(uintptr_t)slot->value : NULL;

	if (slot)
		table_remove(&t->by_tid, slot);
	return data;
}

/* Removes and returns the data of any thread; NULL if the map is empty. */
static inline void *threads_take(struct threads *t)
{
	struct table_slot *slot = table_any(&t->by_tid);
	void *data = slot ? (void *)(uintptr_t)slot->value : NULL;

	if (slot)
		table_remove(&t->by_tid, slot);
	return data;
}

/* Frees the map, but not the data in it. */
static inline void threads_deinit(struct threads *t)
{
	table_deinit(&t->by_tid);
}

#endif
