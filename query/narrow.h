/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The second check of a query: do the constants occur in the calls that can match? */
#ifndef TRACER_QUERY_NARROW_H
#define TRACER_QUERY_NARROW_H

#include "query/node.h"

/*
 * Many calls have an argument called flags, with different constants. Refuses a constant that has
 * no meaning in any call for which the query may be true, such as in name == openat && flags has
 * MAP_SHARED. The query must have passed query_check(). Returns false after query_fail().
 */
bool query_narrow(struct query *q);

#endif
