/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The second check of a query: rejects constants that cannot occur in the calls that the query
 * matches.
 */
#ifndef TRACER_QUERY_NARROW_H
#define TRACER_QUERY_NARROW_H

#include "query/node.h"

/*
 * Rejects a constant that cannot occur in any call that the query can match. For example, name ==
 * openat && flags has MAP_SHARED is rejected, because MAP_SHARED is not a flag of openat. The query
 * must have passed query_check(). On a mistake, calls query_fail() and returns false.
 */
bool query_narrow(struct query *q);

#endif
