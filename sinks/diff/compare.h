/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The differences between two runs of a program, independent of how they are displayed. */
#ifndef TRACER_SINKS_DIFF_COMPARE_H
#define TRACER_SINKS_DIFF_COMPARE_H

#include "sinks/diff/run.h"

/* Two matched threads, one from each run, or a thread without a match. */
struct track_pair {
	uint32_t a, b;	  /* indexes in the runs' tracks; RUN_NONE if missing in that run */
	uint32_t parent;  /* index of the parent's pair, or RUN_NONE */
	bool ends_differ; /* different exit status or signal */
	/* numbers of calls, by kind of difference */
	size_t both, only_a, only_b, results, data, numbers;
};

enum difference_kind {
	DIFFERENCE_ONLY_A,
	DIFFERENCE_ONLY_B,
	DIFFERENCE_RESULT, /* the same call gave another result */
	DIFFERENCE_DATA,   /* the same call transferred other data or stored something else */
	/* the calls differ only in numbers within names, or in generated names */
	DIFFERENCE_NUMBERS
};

struct difference {
	enum difference_kind kind;
	uint32_t pair; /* the pair of threads, as an index in pairs */
	/* Indexes of the calls in the pair's tracks; for a missing call, where it would be. */
	uint32_t a, b;
};

struct comparison {
	const struct run *a, *b;
	VEC(struct track_pair) pairs; /* parents before children */
	/* sorted by pair; within a pair in the order of the calls */
	VEC(struct difference) differences;
	size_t both; /* number of calls common to both */
};

/* Compares two runs, which are borrowed and share one set of texts. *c must be {0}. */
void compare(struct comparison *c, const struct run *a, const struct run *b);
void comparison_deinit(struct comparison *c);
/* Whether there is any difference worth reporting. */
bool comparison_differs(const struct comparison *c);

/* Returns the call of a difference in one run, or NULL if it is missing in that run. */
const struct run_call *difference_call(const struct comparison *c, const struct difference *d,
				       bool in_b);
/* Returns the track of a pair, preferably that of A, and sets *run to its run. */
const struct run_track *pair_track(const struct comparison *c, const struct track_pair *p,
				   const struct run **run);

#endif
