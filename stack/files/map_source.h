/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface through which mmap_cache.c gets a thread's mappings. The implementation for live
 * threads is capture/proc/maps.h. Tests have their own implementations. An implementation embeds
 * struct map_source.
 */
#ifndef TRACER_STACK_FILES_MAP_SOURCE_H
#define TRACER_STACK_FILES_MAP_SOURCE_H

#include "stack/files/map_table.h"

struct map_source;

/*
 * Threads are identified by their ids in tracer's pid namespace. An address space is identified by
 * any of its threads.
 */
struct map_source_ops {
	/*
	 * Finds the executable mapping at addr and fills in *m. m->name is allocated, or NULL if
	 * the mapping has no name or if names is false. *keep is a number that belongs to the
	 * address space and is initially 0. Only the source uses this number. Returns 0 on success,
	 * -ENOENT if no executable mapping contains addr, -ESRCH if the thread is gone, -ENOTTY if
	 * this source supports only list(), or another -errno. After another -errno, list() may
	 * still work.
	 */
	int (*find)(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		    struct mapping *m);
	/*
	 * Returns all executable mappings as a new table, which the caller releases with
	 * map_table_put(). The table is empty if the mappings cannot be read, for example because
	 * the thread is gone.
	 */
	struct map_table *(*list)(struct map_source *s, pid_t tid);
	/*
	 * Returns true if all readable memory is executable; see READ_IMPLIES_EXEC in
	 * personality(2).
	 */
	bool (*reads_execute)(struct map_source *s, pid_t tid);
	/*
	 * Returns the version of the thread's list of mappings, which is not 0. If it differs from
	 * the version of an earlier query, mappings may have changed unnoticed. This op is NULL if
	 * the source reports all changes.
	 */
	uint64_t (*version)(struct map_source *s, pid_t tid);
	/*
	 * Returns true if the source may not know all mappings of the thread. If this op is NULL,
	 * the source knows all mappings.
	 */
	bool (*incomplete)(struct map_source *s, pid_t tid);
	/* Returns true if threads a and b of different processes share an address space. */
	bool (*same)(struct map_source *s, pid_t a, pid_t b);
	/*
	 * Called when an address space has ended for which find() set *keep to a non-zero value.
	 * `keep` is that value.
	 */
	void (*forget)(struct map_source *s, intptr_t keep);
	/*
	 * Called when a thread's syscall has removed executable memory in `range`: the memory was
	 * unmapped, made non-executable or replaced with non-executable memory. If `to` is not
	 * empty, the memory was moved there. This op is NULL if the source detects such changes
	 * itself.
	 */
	void (*gone)(struct map_source *s, pid_t tid, struct map_range range, struct map_range to);
};

struct map_source {
	const struct map_source_ops *ops;
};

#endif
