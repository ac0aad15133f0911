/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stacks of a trace that is read, and the files that they have frames in. */
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
	struct mapping mapping; /* must be first: who opens files has a pointer to it */
	char *build_id;		/* NULL: the file has none */
	uint32_t named;		/* its number in the names of struct played_stacks */
};

struct played_stacks {
	struct file_source files; /* opens the modules' files; pass this one to the unwinder */
	struct file_source *local;
	struct table stacks, modules; /* by their numbers: pointers */
	size_t count;
	size_t bytes;			  /* of memory that stacks and modules take, about */
	VEC(struct recorded_frame) shown; /* the frames of the stack that was asked for last */
	struct recorded_stack shown_stack;
	struct played_names names; /* that the trace brings along; they are not forgotten */
	struct played_stack *at;   /* of the stop that is reported, or NULL */
	/* Opens the perf map of a process; NULL: there are none. */
	int (*open_perf_map)(void *ctx, pid_t pid, const char *path);
	void *perf_maps; /* for open_perf_map; borrowed */
};

/* sysroot is the folder that takes the place of the recorded root, or NULL; borrowed. */
void played_stacks_init(struct played_stacks *p, const char *sysroot);
/* All stacks that were made of them must have been released. */
void played_stacks_deinit(struct played_stacks *p);
/* Forgets stacks and modules; those that are in use elsewhere stay valid. */
void played_stacks_clear(struct played_stacks *p);

/* Take what RECORD_MODULE, RECORD_STACK and RECORD_AT have behind their length. */
void played_stacks_module(struct played_stacks *p, struct cursor *in);
void played_stacks_stack(struct played_stacks *p, struct cursor *in);
void played_stacks_at(struct played_stacks *p, struct cursor *in);

/* A new mapping of the module with that number, without addresses; NULL: there is no such module.
 */
struct played_module *played_stacks_mapping(const struct played_stacks *p, uint64_t number);
/* The stack of the stop that is reported; NULL: it has none. Valid until the next record. */
const struct recorded_stack *played_stacks_get(struct played_stacks *p);

#endif
