/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Paths used differently by two runs, and differences between their environments. */
#ifndef TRACER_SINKS_DIFF_PATHS_H
#define TRACER_SINKS_DIFF_PATHS_H

#include "sinks/diff/run.h"

enum path_difference_kind {
	PATH_FAILS_IN_B, /* some call with the path succeeded in A, none in B */
	PATH_FAILS_IN_A,
	PATH_FAILS_OTHERWISE, /* failed in both, with different errors */
	PATH_USED_IN_A,	      /* used only in A, with success */
	PATH_USED_IN_B,
	PATH_SOUGHT_IN_A, /* used only in A, without success */
	PATH_SOUGHT_IN_B
};

struct path_difference {
	enum path_difference_kind kind;
	uint32_t text;
	uint32_t order, folder; /* for path_differences_group() */
	struct run_path a, b;	/* the text is 0 in a run that has not used the path */
};

struct path_differences {
	/* sorted by kind; within a kind in the order of the first calls */
	VEC(struct path_difference) list;
};

/*
 * Finds the paths that two runs used differently. *p must be {0}; the caller frees it with
 * vec_deinit(&p->list). Paths that differ only in numbers and generated names count as the same.
 */
void path_differences_find(struct path_differences *p, const struct run *a, const struct run *b);

/*
 * Sorts by kind, and groups paths of one folder within a kind; otherwise the order is stable. texts
 * are those of the runs.
 */
void path_differences_group(struct path_differences *p, const struct texts *texts);

struct variable_difference {
	uint32_t a, b; /* texts NAME=VALUE; 0 if missing in that run */
};

struct variable_differences {
	/* first those of A in its order, then those that only B has */
	VEC(struct variable_difference) list;
};

/*
 * Compares the environments of the commands. *v must be {0}; the caller frees it with
 * vec_deinit(&v->list).
 */
void variable_differences_find(struct variable_differences *v, const struct run *a,
			       const struct run *b);

#endif
