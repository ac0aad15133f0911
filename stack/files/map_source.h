/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where mappings come from: the kernel, which is asked about a live thread (capture/proc/maps.h),
 * or records of what it said. mmap_cache.c asks; whoever answers embeds a struct map_source.
 */
#ifndef TRACER_STACK_MAP_SOURCE_H
#define TRACER_STACK_MAP_SOURCE_H

#include "defs.h"

struct map_source;
struct map_table;
struct mapping;

/* Threads are named by their ids in the tracer's pid namespace, address spaces by one of their
 * threads. */
struct map_source_ops {
	/*
	 * The executable mapping at addr: fills in *m, its name allocated (NULL without names or
	 * where there is none). 0; -ENOENT: nothing executable is there; -ESRCH: the thread is
	 * gone; -ENOTTY: mappings can be had by list() only, now and from here on; or another
	 * -errno, where list() may know.
	 * keep is the source's own of this address space: 0 at first, given to forget() at its end.
	 */
	int (*find)(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		    struct mapping *m);
	/* All executable mappings, a new table; empty where the thread is gone. */
	struct map_table *(*list)(struct map_source *s, pid_t tid);
	/* Whether what can be read can be executed: READ_IMPLIES_EXEC of personality(2). */
	bool (*reads_execute)(struct map_source *s, pid_t tid);
	/* Whether two threads of different processes share their memory. */
	bool (*same)(struct map_source *s, pid_t a, pid_t b);
	/* No more questions about an address space of which keep is not 0. */
	void (*forget)(struct map_source *s, intptr_t keep);
};

struct map_source {
	const struct map_source_ops *ops;
};

#endif
