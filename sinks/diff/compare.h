/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The differences between two runs of a program, independent of the output format. */
#ifndef TRACER_SINKS_DIFF_COMPARE_H
#define TRACER_SINKS_DIFF_COMPARE_H

#include "sinks/diff/run.h"

/* Two matching threads, one from each run, or a single thread without a match. */
struct track_pair {
	uint32_t a, b; /* indexes in run.tracks of A and of B; RUN_NONE if the thread is missing in
			  that run */
	uint32_t parent;  /* index of the pair that contains the parents, or RUN_NONE */
	bool ends_differ; /* true if the exit statuses or fatal signals differ */
	/*
	 * `both` is the number of calls that occur in both runs. The other members are the numbers
	 * of differences of each kind.
	 */
	size_t both, only_a, only_b, results, data, numbers;
};

enum difference_kind {
	DIFFERENCE_ONLY_A,
	DIFFERENCE_ONLY_B,
	DIFFERENCE_RESULT, /* the same call returned a different result */
	/* the same call transferred different data, or stored a different value in memory */
	DIFFERENCE_DATA,
	/* the calls differ only in generated names, or in numbers that are part of a name */
	DIFFERENCE_NUMBERS
};

struct difference {
	enum difference_kind kind;
	uint32_t pair; /* index of the pair of threads in `pairs` */
	/*
	 * Indexes of the calls in the two tracks. For a call that is missing in a track, the index
	 * at which the call would be inserted.
	 */
	uint32_t a, b;
};

struct comparison {
	const struct run *a, *b;
	VEC(struct track_pair) pairs; /* a pair of parents precedes the pairs of their children */
	/* sorted by pair; within a pair, in the order of the calls */
	VEC(struct difference) differences;
	size_t both; /* number of calls that occur in both runs */
};

/*
 * Compares two runs. The runs are borrowed, and must use the same struct texts. *c must be
 * initialized with {0}.
 */
void compare(struct comparison *c, const struct run *a, const struct run *b);
void comparison_deinit(struct comparison *c);
/* Returns true if there is any difference worth reporting. */
bool comparison_differs(const struct comparison *c);

/* Returns the call in one of the runs, or NULL if the call is missing in that run. */
const struct run_call *difference_call(const struct comparison *c, const struct difference *d,
				       bool in_b);
/*
 * Returns the track of a pair in run A or, if the track is missing in A, in run B. Sets *run to
 * this run.
 */
const struct run_track *pair_track(const struct comparison *c, const struct track_pair *p,
				   const struct run **run);

#endif
