/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds of the results of the calls that a query can match. */
#ifndef TRACER_QUERY_BOUNDS_H
#define TRACER_QUERY_BOUNDS_H

#include "query/query.h"

struct query_bounds {
	bool fails, succeeds;	  /* calls that fail, or that succeed, can match */
	int64_t ret_min, ret_max; /* results of calls that succeed and can match */
	uint64_t ns_min, ns_max;  /* durations in nanoseconds of calls that can match */
};

/* The bounds if every call can match. */
#define QUERY_BOUNDS_NONE ((struct query_bounds){true, true, INT64_MIN, INT64_MAX, 0, UINT64_MAX})

/*
 * Returns bounds that contain all calls that the query can match. A call that has not returned may
 * match, too.
 */
struct query_bounds query_bounds(const struct query *q);
/* Returns true if every call is in *b. */
bool query_bounds_contain_all(const struct query_bounds *b);
/* Restricts *a to the calls that are also in *b. */
void query_bounds_and(struct query_bounds *a, const struct query_bounds *b);

#endif
