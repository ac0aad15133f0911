/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of an unwinder, private to unwind*.c. */
#ifndef TRACER_UNWIND_STATE_H
#define TRACER_UNWIND_STATE_H

#include "unwind_config.h"
#include "stack/files/budget.h"
#include "stack/walk/walk.h"
#include "util/vec.h"

/* Number of recent stacks to keep for reuse. Programs often make many calls from the same place. */
#define RECENT 16
#define HINTS  256
/* Number of tables of mappings for which unwind_runs_language() remembers its result. */
#define TABLES 64

/* A remembered result of unwind_runs_language(). */
struct known_table {
	uint64_t id; /* id of the struct map_table; 0 if this element is unused */
	bool runs_language;
};

struct unwinder {
	struct unwind_config config;
	struct mmap_cache *maps;
	struct file_source *source;
	struct budget budget; /* common limit for cached files and perf maps */
	struct namer *namer;
	size_t named; /* number of stacks that refer to names in the cached data of files */
	struct elf_files *files;
	struct walk walk;
	struct lang *lang;
	struct reference *reference; /* the reference walk of --verify-stacks, or NULL */
	struct stack *recent[RECENT];
	struct snapshot_hint hints[HINTS]; /* indexed by thread id modulo HINTS */
	VEC(struct perf_map *) perf_maps;
	struct known_table tables[TABLES]; /* indexed by the table's id modulo TABLES */
	struct {
		uint64_t verified, same, shorter, different;
		uint64_t walks, frames, rules, slow, reads, bytes;
		uint64_t ends[STACK_STATUSES];
	} count;
};

struct stack {
	unsigned refs;
	enum stack_status status;
	bool unsettled; /* true if some names are missing but may become available */
	pid_t tgid;	/* the process whose perf map names code that is not in a file, or 0 */
	uint64_t end;
	/*
	 * If the names of the stack were looked up, this points to the counter of stacks with names
	 * (`named` of struct unwinder). Otherwise NULL.
	 */
	size_t *counted;
	struct frame *named; /* frames with names; NULL until they are needed */
	size_t nnamed;
	struct recorded_frame *recorded; /* names that the trace contains, or NULL */
	struct perf_map *perf_map;	 /* the source of names, referenced; NULL until needed */
	char *text; /* stack_text() of a stack that has been reused; NULL until requested */
	size_t text_len;
	size_t n;
	struct raw_frame frames[]; /* each frame holds a reference to its mapping */
};

#endif
