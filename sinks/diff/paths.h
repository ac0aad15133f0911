/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds paths that two runs used differently, and differences between their environments. */
#ifndef TRACER_SINKS_DIFF_PATHS_H
#define TRACER_SINKS_DIFF_PATHS_H

#include "sinks/diff/run.h"

enum path_difference_kind {
	/* a call with the path succeeded in A, but all calls with it failed in B */
	PATH_FAILS_IN_B,
	PATH_FAILS_IN_A,
	/* all calls with the path failed in both runs, with different errors */
	PATH_FAILS_OTHERWISE,
	PATH_USED_IN_A, /* a call with the path succeeded in A; B did not use the path */
	PATH_USED_IN_B,
	PATH_SOUGHT_IN_A, /* all calls with the path failed in A; B did not use the path */
	PATH_SOUGHT_IN_B
};

struct path_difference {
	enum path_difference_kind kind;
	uint32_t text;
	uint32_t order, folder; /* sort keys, used only by path_differences_group() */
	struct run_path a, b;	/* `text` is 0 for a run that did not use the path */
};

struct path_differences {
	/*
	 * First the paths of A, then those that only B has, each in the order of the first calls.
	 * path_differences_group() changes this order.
	 */
	VEC(struct path_difference) list;
};

/*
 * Finds the paths that two runs used differently. *p must be {0}. The caller frees it with
 * vec_deinit(&p->list). Paths that differ only in numbers or generated names are considered equal.
 */
void path_differences_find(struct path_differences *p, const struct run *a, const struct run *b);

/*
 * Sorts the differences by kind and, within a kind, groups the paths of each folder. The sort is
 * stable. `texts` contains the strings of both runs.
 */
void path_differences_group(struct path_differences *p, const struct texts *texts);

struct variable_difference {
	uint32_t a, b; /* index in run.texts of NAME=VALUE, or 0 in a run without this variable */
};

struct variable_differences {
	/* the variables of A in the order of A, followed by the variables that only B has */
	VEC(struct variable_difference) list;
};

/*
 * Compares the environments of the two commands. *v must be {0}. The caller frees it with
 * vec_deinit(&v->list).
 */
void variable_differences_find(struct variable_differences *v, const struct run *a,
			       const struct run *b);

#endif
