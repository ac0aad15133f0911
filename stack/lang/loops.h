/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Assigns groups of interpreter frames to native frames. The frames of a group belong to the same
 * call of the interpreter's evaluation loop, the C function that executes bytecode. A native frame
 * belongs to the loop if its pc is in this function.
 */
#ifndef TRACER_STACK_LANG_LOOPS_H
#define TRACER_STACK_LANG_LOOPS_H

#include "stack/lang/reader.h"

/*
 * A search for the native frames of an evaluation loop. code contains the ELF addresses of the
 * loop's functions.
 */
struct lang_loops {
	struct lang_run *r;
	struct {
		uint64_t start, end;
	} code[2];
	bool generated;	   /* true if frames of generated code also belong to the loop */
	size_t next, last; /* indexes of native frames: the start of the next search, and the last
			      frame found */
	bool any;	   /* true if a frame has been found, so `last` is valid */
};

/* Returns the index of the evaluation loop's next native frame, or SIZE_MAX if there is none. */
static inline size_t lang_loop_find(const struct lang_loops *l)
{
	for (size_t i = l->next; i < l->r->n; i++) {
		const uint64_t at = l->r->native[i].pc - l->r->bias;

		if (l->generated && l->r->native[i].unnamed)
			return i;
		for (size_t k = 0; k < ARRAY_SIZE(l->code) && l->r->native[i].own; k++)
			if (at > l->code[k].start && at <= l->code[k].end)
				return i;
	}
	return SIZE_MAX;
}

/*
 * Advances to the evaluation loop's next native frame, to which the following interpreter frames
 * belong. If there is no next frame, stays at the last one. Returns false if the loop has no native
 * frames.
 */
static inline bool lang_loop_next(struct lang_loops *l)
{
	const size_t i = lang_loop_find(l);

	if (i == SIZE_MAX)
		return l->any;
	l->last = i;
	l->next = i + 1;
	l->any = true;
	return true;
}

/*
 * Stops reading language frames. The reason is shown at the native frame of the next call of the
 * evaluation loop. Does nothing if there is no such frame.
 */
static inline void lang_loop_stop(struct lang_loops *l, const char *reason)
{
	const size_t i = lang_loop_find(l);

	if (i != SIZE_MAX)
		lang_stop(l->r, i, reason);
}

#endif
