/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The function names and source lines of frames that a trace contains (NAMES blocks in
 * doc/trace-format.md). With these names, stacks can be shown without the files that contain the
 * code.
 */
#ifndef TRACER_TRACE_PLAY_PLAYED_NAMES_H
#define TRACER_TRACE_PLAY_PLAYED_NAMES_H

#include "stack/stack.h"
#include "util/mem.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * A module with named frames. Its number is assigned by played_names_module() and differs from its
 * number in the trace.
 */
struct named_module {
	const char *name, *build_id; /* "" if unknown */
	uint64_t inode;
};

struct played_name {
	uint32_t module; /* number from played_names_module() */
	bool exact;
	uint64_t addr;
	const char *symbol; /* NULL if unknown */
	uint64_t offset;
	const char *file; /* NULL if unknown */
	unsigned line, ninlined;
	const struct inlined *inlined;
};

/* The names; initially {0}. */
struct played_names {
	struct arena arena; /* owns all strings */
	VEC(struct named_module) modules;
	VEC(struct played_name *) names;
	struct table by_module, by_frame; /* values are indexes in `modules` or `names`, plus 1 */
};

void played_names_deinit(struct played_names *n);
/*
 * Returns the number of a module; numbers start at 0. Adds the module if it is new. NULL arguments
 * mean "".
 */
uint32_t played_names_module(struct played_names *n, const char *name, const char *build_id,
			     uint64_t inode);
/* Returns the approximate memory usage in bytes. */
static inline size_t played_names_size(const struct played_names *n)
{
	return n->arena.total + n->modules.n * (sizeof(struct named_module) + 64) +
	       n->names.n * (sizeof(struct played_name *) + 64);
}
/* Returns the name of a frame, or NULL if there is none. */
const struct played_name *played_names_find(const struct played_names *n, uint32_t module,
					    uint64_t addr, bool exact);
/* Reads the body of a NAMES block, and skips damaged parts. */
void played_names_take(struct played_names *n, const uint8_t *body, size_t size);
/*
 * Adds a copy of a name and returns the copy. Returns NULL if the frame already has a name, or if
 * there are too many names or too much data.
 */
const struct played_name *played_names_add(struct played_names *n, const struct played_name *name);

#endif
