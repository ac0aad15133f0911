/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A map from tids to a sink's data about threads. A sink must keep its map up to date in thread_end
 * and thread_moved of struct sink_ops.
 */
#ifndef TRACER_SINKS_THREADS_H
#define TRACER_SINKS_THREADS_H

#include "util/table.h"

/* The map; initially {0}. The sink owns the data. */
struct threads {
	struct table by_tid;
};

/* Returns the data of thread `tid`, or NULL. */
static inline void *threads_find(const struct threads *t, pid_t tid)
{
	return table_get(&t->by_tid, (uint64_t)tid);
}

/* Adds data for thread `tid`, which must not have any. `data` must not be NULL. */
static inline void threads_add(struct threads *t, pid_t tid, void *data)
{
	table_add(&t->by_tid, table_hash_number((uint64_t)tid), (uintptr_t)data);
}

/* Removes the data of thread `tid` from the map and returns it. Returns NULL if there is none. */
static inline void *threads_remove(struct threads *t, pid_t tid)
{
	struct table_slot *slot = table_find(&t->by_tid, table_hash_number((uint64_t)tid), NULL);
	void *data = slot ? (void *)(uintptr_t)slot->value : NULL;

	if (slot)
		table_remove(&t->by_tid, slot);
	return data;
}

/* Removes any thread from the map and returns its data. Returns NULL if the map is empty. */
static inline void *threads_take(struct threads *t)
{
	struct table_slot *slot = table_any(&t->by_tid);
	void *data = slot ? (void *)(uintptr_t)slot->value : NULL;

	if (slot)
		table_remove(&t->by_tid, slot);
	return data;
}

/* Frees the map, but not the threads' data in it. */
static inline void threads_deinit(struct threads *t)
{
	table_deinit(&t->by_tid);
}

#endif
