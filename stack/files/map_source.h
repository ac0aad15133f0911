/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface through which mmap_cache.c asks for the mappings of a thread. The implementation
 * for live threads is capture/proc/maps.h; tests have others. Implementations embed struct
 * map_source.
 */
#ifndef TRACER_STACK_FILES_MAP_SOURCE_H
#define TRACER_STACK_FILES_MAP_SOURCE_H

#include "stack/files/map_table.h"

struct map_source;

/*
 * Threads are named by their ids in the tracer's pid namespace, address spaces by one of their
 * threads.
 */
struct map_source_ops {
	/*
	 * Finds the executable mapping at addr and fills in *m. m->name is allocated, or NULL
	 * if the mapping has none or names is false. *keep belongs to the source: one number for
	 * each address space, 0 at first, given to forget() at the end.
	 * Returns 0; -ENOENT if nothing executable is there; -ESRCH if the thread is gone; -ENOTTY
	 * if this source has only list(); or another -errno after which list() may still work.
	 */
	int (*find)(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		    struct mapping *m);
	/*
	 * All executable mappings as a new table, which the caller puts by map_table_put(). It is
	 * empty if the thread is gone.
	 */
	struct map_table *(*list)(struct map_source *s, pid_t tid);
	/* Whether readable memory is executable: READ_IMPLIES_EXEC of personality(2). */
	bool (*reads_execute)(struct map_source *s, pid_t tid);
	/* Whether two threads of different processes share their memory. */
	bool (*same)(struct map_source *s, pid_t a, pid_t b);
	/* An address space whose keep is not 0 has ended. */
	void (*forget)(struct map_source *s, intptr_t keep);
	/*
	 * A call of the thread has unmapped the range, made it no longer executable or put what
	 * cannot be executed in its place; or, if `to` is not empty, has moved it there. NULL: the
	 * source knows by itself.
	 */
	void (*gone)(struct map_source *s, pid_t tid, struct map_range range, struct map_range to);
};

struct map_source {
	const struct map_source_ops *ops;
};

#endif
