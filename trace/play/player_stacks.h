/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The stacks of a trace that is being read, and access to the files that contain the code of their
 * frames.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_STACKS_H
#define TRACER_TRACE_PLAY_PLAYER_STACKS_H

#include "trace/format/coding.h"
#include "trace/play/played_names.h"
#include "stack/files/file_source.h"
#include "stack/files/map_table.h"
#include "stack/stack.h"
#include "util/table.h"

struct played_stack;

struct played_module {
	/*
	 * must be first: pointers to struct mapping are converted to pointers to struct
	 * played_module
	 */
	struct mapping mapping;
	char *build_id; /* NULL if the file has no build id */
	uint32_t named; /* the module's number in played_names */
};

struct played_stacks {
	struct file_source files; /* opens the modules' files; pass this to the unwinder */
	struct file_source *local;
	struct table stacks, modules; /* by number: pointers to the stacks and modules */
	size_t count;
	size_t bytes;			  /* approximate memory usage of stacks and modules in
					     bytes */
	VEC(struct recorded_frame) shown; /* the frames of the most recently requested stack */
	struct recorded_stack shown_stack;
	struct played_names names; /* names in the trace; played_stacks_clear() does not remove
				      them */
	struct played_stack *at;   /* stack of the reported stop, or NULL */
	/* Opens the perf map of a process. If this op is NULL, there are no perf maps. */
	int (*open_perf_map)(void *ctx, pid_t pid, const char *path);
	void *perf_maps; /* passed to open_perf_map; borrowed */
};

/*
 * Initializes *p. `sysroot` is borrowed. It is the directory that replaces the root directory of
 * the recorded machine, or NULL.
 */
void played_stacks_init(struct played_stacks *p, const char *sysroot);
/* Frees the members of *p. All stacks obtained from p must have been released before. */
void played_stacks_deinit(struct played_stacks *p);
/* Frees stacks and modules. Stacks and modules with other references stay valid. */
void played_stacks_clear(struct played_stacks *p);

/*
 * These functions read the contents of MODULE, STACK and AT records. `in` is positioned after the
 * length of the record.
 */
void played_stacks_module(struct played_stacks *p, struct cursor *in);
void played_stacks_stack(struct played_stacks *p, struct cursor *in);
void played_stacks_at(struct played_stacks *p, struct cursor *in);

/*
 * Returns a new mapping of the module with this number, or NULL if there is no such module. The
 * mapping's addresses are not set. The caller releases the mapping with mapping_put().
 */
struct played_module *played_stacks_mapping(const struct played_stacks *p, uint64_t number);
/*
 * Returns the stack of the reported stop, or NULL if the stop has none. The stack is valid until
 * the next record is read.
 */
const struct recorded_stack *played_stacks_get(struct played_stacks *p);

#endif
