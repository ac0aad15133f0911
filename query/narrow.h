/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The second check of a query: constants against the calls that it is about. */
#ifndef TRACER_QUERY_NARROW_H
#define TRACER_QUERY_NARROW_H

#include "query/node.h"

/*
 * Many calls have an argument called flags, with different constants. Refuses a constant that no
 * call has for which the checked query may be true: name == openat && flags has MAP_SHARED.
 */
bool query_narrow(struct query *q);

#endif
