/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What differs between two runs of a program. Nothing here knows how that is shown. */
#ifndef TRACER_SINKS_DIFF_COMPARE_H
#define TRACER_SINKS_DIFF_COMPARE_H

#include "sinks/diff/run.h"

/* A matched pair of threads, one from each run. */
struct track_pair {
	uint32_t a, b;	  /* places in the runs' tracks; RUN_NONE: only the other one has it */
	uint32_t parent;  /* the pair that has started it, RUN_NONE: none */
	bool ends_differ; /* other exit status, other signal */
	size_t both, only_a, only_b, results, data, numbers; /* calls, by what is said of them */
};

enum difference_kind {
	DIFFERENCE_ONLY_A,
	DIFFERENCE_ONLY_B,
	DIFFERENCE_RESULT, /* the same call gave another result */
	DIFFERENCE_DATA,   /* the same call moved other data, or told something else */
	DIFFERENCE_NUMBERS /* the same but for numbers in names, and made-up names */
};

struct difference {
	enum difference_kind kind;
	uint32_t pair; /* in pairs */
	uint32_t a, b; /* calls of its tracks; of what the other run lacks, where it would be */
};

struct comparison {
	const struct run *a, *b;
	VEC(struct track_pair) pairs;	    /* parents before children */
	VEC(struct difference) differences; /* by pair, in the order of their calls */
	size_t both;			    /* calls that both have */
};

/* Compares two runs, which are borrowed and have one set of texts. {0} before. */
void compare(struct comparison *c, const struct run *a, const struct run *b);
void comparison_deinit(struct comparison *c);
/* Whether anything is different that is told of. */
bool comparison_differs(const struct comparison *c);

/* The call of a difference in one run; NULL: that run lacks it. */
const struct run_call *difference_call(const struct comparison *c, const struct difference *d,
				       bool in_b);
/* The track that a pair has, preferably that of A. *run is whose it is. */
const struct run_track *pair_track(const struct comparison *c, const struct track_pair *p,
				   const struct run **run);

#endif
