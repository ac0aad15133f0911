/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface through which mmap_cache.c gets the mappings of a thread. The implementation for
 * live threads is capture/proc/maps.h; tests have their own. An implementation embeds struct
 * map_source.
 */
#ifndef TRACER_STACK_FILES_MAP_SOURCE_H
#define TRACER_STACK_FILES_MAP_SOURCE_H

#include "stack/files/map_table.h"

struct map_source;

/*
 * A thread is identified by its id in the tracer's pid namespace, and an address space by one of
 * its threads.
 */
struct map_source_ops {
	/*
	 * Finds the executable mapping at addr and fills in *m. m->name is allocated; it is NULL if
	 * the mapping has no name or if names is false. *keep is a number for the source's own use.
	 * There is one for each address space; it is 0 at first and is passed to forget() at the
	 * end.
	 * Returns 0; -ENOENT if no executable mapping contains addr; -ESRCH if the thread is gone;
	 * -ENOTTY if this source supports only list(); or another -errno, after which list() may
	 * still work.
	 */
	int (*find)(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		    struct mapping *m);
	/*
	 * Returns all executable mappings as a new table, which the caller releases with
	 * map_table_put(). The table is empty if the thread is gone.
	 */
	struct map_table *(*list)(struct map_source *s, pid_t tid);
	/* Whether all readable memory is executable: READ_IMPLIES_EXEC of personality(2). */
	bool (*reads_execute)(struct map_source *s, pid_t tid);
	/* Whether two threads of different processes share their address space. */
	bool (*same)(struct map_source *s, pid_t a, pid_t b);
	/* Called when an address space whose keep is not 0 has ended. */
	void (*forget)(struct map_source *s, intptr_t keep);
	/*
	 * Called when a syscall of the thread has removed executable memory in range: it was
	 * unmapped, made non-executable or replaced by memory that is not executable. If `to` is
	 * not empty, the memory was moved there instead. NULL if the source detects this itself.
	 */
	void (*gone)(struct map_source *s, pid_t tid, struct map_range range, struct map_range to);
};

struct map_source {
	const struct map_source_ops *ops;
};

#endif
