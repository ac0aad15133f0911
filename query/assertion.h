/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The expressions of --fail-on (events that must not happen) and --stop-on (events that end
 * tracing).
 */
#ifndef TRACER_QUERY_ASSERTION_H
#define TRACER_QUERY_ASSERTION_H

#include "defs.h"

struct query;

/* The exit status of tracer if an event matches a --fail-on. */
#define FAIL_ON_STATUS 120

struct assertion {
	char *name;	     /* the given name or, if there is none, the expression; owned */
	struct query *query; /* owned */
	bool stops;	     /* --stop-on */
};

#endif
