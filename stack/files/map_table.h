/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorted tables of executable mappings, parsed from the text of /proc/PID/maps (proc_pid_maps(5)).
 */
#ifndef TRACER_STACK_FILES_MAP_TABLE_H
#define TRACER_STACK_FILES_MAP_TABLE_H

#include "defs.h"

/*
 * An executable mapping. While a table contains the mapping, only the members `refs`, `checked`,
 * `held`, `recorded`, `data` and `data_release` may change.
 */
struct mapping {
	uint64_t start, end; /* addresses; the kernel's mapping may be larger */
	uint64_t offset;     /* file offset of start, in bytes */
	uint64_t inode;	     /* inode of the file, or 0 if there is none */
	uint32_t dev_major, dev_minor;
	bool executable;
	unsigned refs;
	char *name; /* name in /proc/PID/maps, including any " (deleted)" at the end; or NULL */
	uint64_t checked;  /* id of the last struct map_view (mmap_cache.h) that found the mapping
			      unchanged */
	uint64_t held;	   /* id of the last view that holds a reference to this mapping */
	uint32_t recorded; /* for the recorder: index of the mapping in the trace that is being
			      written, or 0 */
	/* Frees other data that belongs to the mapping. May be NULL. */
	void (*release)(struct mapping *m);
	void *data; /* set by stack/files/module.c; unless it is NULL, data_release(data) frees it
		     */
	void (*data_release)(void *data);
};

/*
 * mapping_get() takes a reference, and mapping_put() drops one. Dropping the last reference frees
 * the mapping. mapping_put(NULL) does nothing.
 */
struct mapping *mapping_get(struct mapping *m);
void mapping_put(struct mapping *m);

/*
 * Parses a line of /proc/PID/maps into m. m->name is allocated, or NULL. Members for which the line
 * has no value are set to zero. Returns false and leaves m unchanged if the line is malformed.
 */
bool mapping_parse(const char *line, size_t len, struct mapping *m) attr_must_check;

/* Mappings sorted by address, without overlaps. A table is immutable and shared by reference. */
struct map_table {
	uint64_t id; /* unique id that mmap_cache.c sets; 0 before that */
	unsigned refs;
	size_t n;
	struct mapping *v[];
};
/*
 * Creates a table of the executable mappings in the text of a maps file. Ignores lines that are
 * malformed, are out of order, or overlap an earlier line. Like the other functions that create
 * tables, never returns NULL.
 */
struct map_table *map_table_parse(const char *text, size_t len);
/*
 * map_table_get() takes a reference, and map_table_put() drops one. Dropping the last reference
 * frees the table and drops its references to mappings.
 */
struct map_table *map_table_get(struct map_table *t);
void map_table_put(struct map_table *t);
/* Returns the mapping that contains addr, or NULL. The mapping is owned by the table. */
struct mapping *map_table_find(const struct map_table *t, uint64_t addr);

/* The addresses from lo to hi (exclusive). The range is empty if both are zero. */
struct map_range {
	uint64_t lo, hi;
};
/* Creates an empty table with space for n mappings. */
struct map_table *map_table_new(size_t n);
/* Returns true if a mapping of t overlaps r. */
bool map_table_overlaps(const struct map_table *t, struct map_range r);
/*
 * Returns a new table: a copy of t without the mappings that overlap r. If m is not NULL, adds m,
 * which must lie in r, and takes ownership of the caller's reference to m.
 */
struct map_table *map_table_replace(const struct map_table *t, struct map_range r,
				    struct mapping *m);

#endif
