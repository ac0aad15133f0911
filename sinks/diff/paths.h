/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Paths that two runs have used in different ways, and variables that they had. */
#ifndef TRACER_SINKS_DIFF_PATHS_H
#define TRACER_SINKS_DIFF_PATHS_H

#include "sinks/diff/run.h"

enum path_difference_kind {
	PATH_FAILS_IN_B, /* some call with it has worked in A, none in B */
	PATH_FAILS_IN_A,
	PATH_FAILS_OTHERWISE, /* in both, with different errors */
	PATH_USED_IN_A,	      /* only there, with success */
	PATH_USED_IN_B,
	PATH_SOUGHT_IN_A, /* only there, without success */
	PATH_SOUGHT_IN_B
};

struct path_difference {
	enum path_difference_kind kind;
	uint32_t text;
	uint32_t order, folder; /* for path_differences_group() */
	struct run_path a, b;	/* text 0: that run has not used it */
};

struct path_differences {
	VEC(struct path_difference) list; /* those of one kind in the order of their first calls */
};

/*
 * {0} before; vec_deinit(&p->list) frees it. Paths that differ in numbers and made-up names alone
 * are the same.
 */
void path_differences_find(struct path_differences *p, const struct run *a, const struct run *b);

/*
 * Sorts them by kind, and within a kind so that those in one folder follow each other; otherwise
 * the order stays. texts are those of the runs.
 */
void path_differences_group(struct path_differences *p, const struct texts *texts);

struct variable_difference {
	uint32_t a, b; /* texts NAME=VALUE; 0: that run does not have it */
};

struct variable_differences {
	VEC(struct variable_difference) list; /* in the order of A, then those that only B has */
};

/* Of the environments of the commands. {0} before; vec_deinit(&v->list) frees it. */
void variable_differences_find(struct variable_differences *v, const struct run *a,
			       const struct run *b);

#endif
