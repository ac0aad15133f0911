/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Expressions given by --fail-on (events that must not occur) and --stop-on (events that end
 * tracing).
 */
#ifndef TRACER_QUERY_ASSERTION_H
#define TRACER_QUERY_ASSERTION_H

#include "defs.h"

struct query;

/* The exit status of tracer if a --fail-on expression matched. */
#define FAIL_ON_STATUS 120

struct assertion {
	char *name;	     /* the name given by the user or, by default, the expression; owned */
	struct query *query; /* the compiled expression; owned */
	bool stops;	     /* true for --stop-on, false for --fail-on */
};

#endif
