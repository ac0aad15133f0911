/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The second check of a query: can its constants occur in any call that it matches? */
#ifndef TRACER_QUERY_NARROW_H
#define TRACER_QUERY_NARROW_H

#include "query/node.h"

/*
 * Rejects a constant that is meaningless in all calls that the query can match. Example: many calls
 * have an argument called flags, but openat has no MAP_SHARED, so name == openat && flags has
 * MAP_SHARED is rejected. The query must have passed query_check(). On a mistake, calls
 * query_fail() and returns false.
 */
bool query_narrow(struct query *q);

#endif
