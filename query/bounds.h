/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds on the results and durations of the calls that a query can match. */
#ifndef TRACER_QUERY_BOUNDS_H
#define TRACER_QUERY_BOUNDS_H

#include "query/query.h"

struct query_bounds {
	/* `fails` is true if failing calls can match, `succeeds` if successful calls can match */
	bool fails, succeeds;
	int64_t ret_min, ret_max; /* bounds on the results of successful calls that can match */
	/* bounds on the durations of calls that can match, in nanoseconds */
	uint64_t ns_min, ns_max;
};

/* The bounds for a query that every call can match. */
#define QUERY_BOUNDS_NONE ((struct query_bounds){true, true, INT64_MIN, INT64_MAX, 0, UINT64_MAX})

/*
 * Returns bounds that contain all calls that the query can match, including calls that have not
 * returned yet.
 */
struct query_bounds query_bounds(const struct query *q);
/* Returns true if the bounds contain every call. */
bool query_bounds_contain_all(const struct query_bounds *b);
/* Restricts the bounds *a to the calls that *b also contains. */
void query_bounds_and(struct query_bounds *a, const struct query_bounds *b);

#endif
