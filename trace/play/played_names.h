/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The frame names that are stored in a trace (NAMES blocks in doc/trace-format.md). They let users
 * see names without having the files that contain the code.
 */
#ifndef TRACER_TRACE_PLAY_PLAYED_NAMES_H
#define TRACER_TRACE_PLAY_PLAYED_NAMES_H

#include "stack/stack.h"
#include "util/mem.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * A module with named frames. Its number is assigned by played_names_module() and differs from the
 * number in the trace.
 */
struct named_module {
	const char *name, *build_id; /* "" if unknown */
	uint64_t inode;
};

struct played_name {
	uint32_t module; /* number returned by played_names_module() */
	bool exact;
	uint64_t addr;
	const char *symbol; /* or NULL */
	uint64_t offset;
	const char *file; /* or NULL */
	unsigned line, ninlined;
	const struct inlined *inlined;
};

/* {0} is empty. */
struct played_names {
	struct arena arena; /* owns all strings */
	VEC(struct named_module) modules;
	VEC(struct played_name *) names;
	struct table by_module, by_frame; /* values are 1 + an index in `modules` or `names` */
};

void played_names_deinit(struct played_names *n);
/*
 * Returns the number of a module, starting at 0. Adds the module if it is new. A NULL argument
 * means "".
 */
uint32_t played_names_module(struct played_names *n, const char *name, const char *build_id,
			     uint64_t inode);
/* Returns the approximate memory usage in bytes. */
static inline size_t played_names_size(const struct played_names *n)
{
	return n->arena.total + n->modules.n * (sizeof(struct named_module) + 64) +
	       n->names.n * (sizeof(struct played_name *) + 64);
}
/* Returns the name of a frame, or NULL. */
const struct played_name *played_names_find(const struct played_names *n, uint32_t module,
					    uint64_t addr, bool exact);
/* Reads the body of a NAMES block. Damaged parts are skipped. */
void played_names_take(struct played_names *n, const uint8_t *body, size_t size);
/*
 * Adds a copy of a name and returns it. Returns NULL if the frame already has a name or there are
 * too many names.
 */
const struct played_name *played_names_add(struct played_names *n, const struct played_name *name);

#endif
