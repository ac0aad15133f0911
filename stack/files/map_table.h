/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of /proc/PID/maps, see proc_pid_maps(5), as sorted tables of executable mappings. */
#ifndef TRACER_STACK_MAP_TABLE_H
#define TRACER_STACK_MAP_TABLE_H

#include "defs.h"

/* One executable mapping. Immutable but for what its users keep in data. */
struct mapping {
	uint64_t start, end; /* may be a part of what the kernel has as one */
	uint64_t offset;     /* of start in the file */
	uint64_t inode;	     /* 0: no file */
	uint32_t dev_major, dev_minor;
	bool executable;
	unsigned refs;
	char *name;	  /* as in maps, may end in " (deleted)"; NULL where there is none */
	uint64_t checked; /* the last walk that found it unchanged */
	void *data;	  /* the unwinder's; released by data_release when not NULL */
	void (*data_release)(void *data);
};

struct mapping *mapping_get(struct mapping *m);
void mapping_put(struct mapping *m); /* NULL is fine */

/*
 * A line of maps. False, and m untouched, for a line that is none. On success
 * m->name is allocated (or NULL), everything not in the text is zero.
 */
bool mapping_parse(const char *line, size_t len, struct mapping *m) attr_must_check;

/* Sorted by address, without overlaps; immutable and shared by reference. */
struct map_table {
	uint64_t id; /* given by mmap_cache.c, to one table once; 0 until then */
	unsigned refs;
	size_t n;
	struct mapping *v[];
};
/* The executable mappings of a maps text. Lines that are none, overlap or go backwards are left
 * out. */
struct map_table *map_table_parse(const char *text, size_t len);
struct map_table *map_table_get(struct map_table *t);
void map_table_put(struct map_table *t);
struct mapping *map_table_find(const struct map_table *t, uint64_t addr);

/* Addresses lo up to, not including, hi; empty when both are zero. */
struct map_range {
	uint64_t lo, hi;
};
struct map_table *map_table_new(size_t n); /* empty, with room for n */
bool map_table_overlaps(const struct map_table *t, struct map_range r);
/* A copy without what overlaps r; with m (taken over) in r's place when not NULL. */
struct map_table *map_table_replace(const struct map_table *t, struct map_range r,
				    struct mapping *m);

#endif
