/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The second check of a query: checks that the constants in the query can occur in the calls that
 * the query matches.
 */
#ifndef TRACER_QUERY_NARROW_H
#define TRACER_QUERY_NARROW_H

#include "query/node.h"

/*
 * Rejects a constant that is meaningless in all calls that the query can match. Example: name ==
 * openat && flags has MAP_SHARED is rejected, because the flags of openat do not include
 * MAP_SHARED. The query must have passed query_check(). On a mistake, calls query_fail() and
 * returns false.
 */
bool query_narrow(struct query *q);

#endif
