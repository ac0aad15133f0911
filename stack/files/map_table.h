/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of /proc/PID/maps, see proc_pid_maps(5), as sorted tables of executable mappings. */
#ifndef TRACER_STACK_FILES_MAP_TABLE_H
#define TRACER_STACK_FILES_MAP_TABLE_H

#include "defs.h"

/* One executable mapping. Once it is in a table, only checked, held, recorded and data change. */
struct mapping {
	uint64_t start, end; /* addresses; may be only part of a mapping of the kernel */
	uint64_t offset;     /* of start in the file, in bytes */
	uint64_t inode;	     /* 0: no file */
	uint32_t dev_major, dev_minor;
	bool executable;
	unsigned refs;
	char *name;	   /* as in maps, may end in " (deleted)"; NULL: none */
	uint64_t checked;  /* id of the last view (mmap_cache.h) that found it unchanged */
	uint64_t held;	   /* id of the last view that holds a reference to it */
	uint32_t recorded; /* its number in the trace that is written; 0: none. For the recorder */
	void (*release)(struct mapping *m); /* frees what else belongs to it; NULL: nothing does */
	void *data; /* of stack/files/module.c; data_release(data) frees it unless NULL */
	void (*data_release)(void *data);
};

/* Take and give back a reference; the last one frees the mapping. mapping_put(NULL) is fine. */
struct mapping *mapping_get(struct mapping *m);
void mapping_put(struct mapping *m);

/*
 * Parses a line of /proc/PID/maps into m. m->name is allocated, or NULL; fields that are not in the
 * line are zero. Returns false, with m unchanged, if the line is malformed.
 */
bool mapping_parse(const char *line, size_t len, struct mapping *m) attr_must_check;

/* Mappings sorted by address, without overlaps. A table does not change; it is shared by reference.
 */
struct map_table {
	uint64_t id; /* unique number, set by mmap_cache.c; 0 until then */
	unsigned refs;
	size_t n;
	struct mapping *v[];
};
/*
 * A new table of the executable mappings in the text of a maps file. Lines that are malformed, that
 * overlap or go backwards are ignored. Never NULL, as for all functions that make tables.
 */
struct map_table *map_table_parse(const char *text, size_t len);
/* Take and give back a reference; the last one frees the table and puts its mappings. */
struct map_table *map_table_get(struct map_table *t);
void map_table_put(struct map_table *t);
/* The mapping that contains addr, owned by the table, or NULL. */
struct mapping *map_table_find(const struct map_table *t, uint64_t addr);

/* The addresses from lo up to, but not including, hi. Empty if both are zero. */
struct map_range {
	uint64_t lo, hi;
};
/* A new empty table with room for n mappings. */
struct map_table *map_table_new(size_t n);
/* Whether a mapping of t overlaps r. */
bool map_table_overlaps(const struct map_table *t, struct map_range r);
/*
 * A new table: a copy of t without the mappings that overlap r and, unless m is NULL, with m in
 * their place. Takes over the caller's reference to m.
 */
struct map_table *map_table_replace(const struct map_table *t, struct map_range r,
				    struct mapping *m);

#endif
