/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The critical paths of two runs (sinks/path/), and how much longer each activity on them took in
 * one run than in the other.
 */
#ifndef TRACER_SINKS_DIFF_CRITICAL_H
#define TRACER_SINKS_DIFF_CRITICAL_H

#include "sinks/diff/compare.h"
#include "sinks/path/history.h"

/*
 * Sets r->critical to the critical path of the recorded history. tracks[i] is the index of the
 * track of thread i + 1 of the history, or RUN_NONE. `tracks` has ntracks elements.
 */
void critical_collect(struct run *r, const struct history *h, const uint32_t *tracks,
		      size_t ntracks);

/* The time of one activity on the critical paths. Times are in nanoseconds. */
struct critical_change {
	uint32_t pair;	   /* index of the pair of threads in comparison.pairs, or RUN_NONE if the
			      thread is unknown */
	const char *call;  /* name of the call, or NULL, as in struct critical_time */
	const char *cause; /* what ended the waits, or NULL, as in struct critical_time */
	int64_t a, b;
	/*
	 * The longest uninterrupted part of this time, as in struct critical_time, except that the
	 * waiter is the index of a pair.
	 */
	uint32_t waiter;
	const char *waiter_call;
	bool inferred;
	int64_t longest;
};

struct critical_changes {
	/*
	 * If B took longer, the activities whose time increased most come first, otherwise those
	 * whose time decreased most.
	 */
	VEC(struct critical_change) list;
	int64_t a, b; /* durations of the runs: the sums of `a` and of `b` over the list */
};

/*
 * Compares the critical paths of two runs. *c must be {0}. The caller frees it with
 * vec_deinit(&c->list).
 */
void critical_compare(struct critical_changes *c, const struct comparison *comparison);

#endif
