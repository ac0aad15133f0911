/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs of frames that belong to one call of an interpreter's loop each, and the native frames of
 * those calls, which are told by the function that they are in.
 */
#ifndef TRACER_STACK_LANG_LOOPS_H
#define TRACER_STACK_LANG_LOOPS_H

#include "stack/lang/reader.h"

/* The native frames that run the loop; ranges of ELF addresses. */
struct lang_loops {
	struct lang_run *r;
	struct {
		uint64_t start, end;
	} code[2];
	size_t next, last; /* native frames: where to look for the next call, and the last one */
	bool any;	   /* last is set */
};

/* The next native frame in the loop, or SIZE_MAX. */
static inline size_t lang_loop_find(const struct lang_loops *l)
{
	for (size_t i = l->next; i < l->r->n; i++) {
		const uint64_t at = l->r->native[i].pc - l->r->bias;

		for (size_t k = 0; k < ARRAY_SIZE(l->code) && l->r->native[i].own; k++)
			if (at > l->code[k].start && at <= l->code[k].end)
				return i;
	}
	return SIZE_MAX;
}

/* Begins with the frames of the next call of the loop. Returns false if there is no native one. */
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

/* Stops with a reason at the call of the loop that would have been next. */
static inline void lang_loop_stop(struct lang_loops *l, const char *reason)
{
	const size_t i = lang_loop_find(l);

	if (i != SIZE_MAX)
		lang_stop(l->r, i, reason);
}

#endif
