/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Paths used differently by two runs, and differences between their environments. */
#ifndef TRACER_SINKS_DIFF_PATHS_H
#define TRACER_SINKS_DIFF_PATHS_H

#include "sinks/diff/run.h"

enum path_difference_kind {
	PATH_FAILS_IN_B, /* some call with it succeeded in A, none in B */
	PATH_FAILS_IN_A,
	PATH_FAILS_OTHERWISE, /* in both, with different errors */
	PATH_USED_IN_A,	      /* used only in A, with success */
	PATH_USED_IN_B,
	PATH_SOUGHT_IN_A, /* used only in A, without success */
	PATH_SOUGHT_IN_B
};

struct path_difference {
	enum path_difference_kind kind;
	uint32_t text;
	uint32_t order, folder; /* for path_differences_group() */
	struct run_path a, b;	/* text 0: that run has not used it */
};

struct path_differences {
	VEC(struct path_difference) list; /* of each kind, in the order of the first calls */
};

/*
 * *p must be {0}; vec_deinit(&p->list) frees it. Paths that differ only in numbers and made-up
 * names count as the same.
 */
void path_differences_find(struct path_differences *p, const struct run *a, const struct run *b);

/*
 * Sorts by kind, and groups paths of one folder within a kind; otherwise the order is stable. texts
 * are those of the runs.
 */
void path_differences_group(struct path_differences *p, const struct texts *texts);

struct variable_difference {
	uint32_t a, b; /* texts NAME=VALUE; 0: missing in that run */
};

struct variable_differences {
	VEC(struct variable_difference) list; /* in the order of A, then those that only B has */
};

/* Compares the environments of the commands. *v must be {0}; vec_deinit(&v->list) frees it. */
void variable_differences_find(struct variable_differences *v, const struct run *a,
			       const struct run *b);

#endif
