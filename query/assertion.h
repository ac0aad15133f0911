/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --fail-on and --stop-on: what should not happen, and what ends tracing. */
#ifndef TRACER_QUERY_ASSERTION_H
#define TRACER_QUERY_ASSERTION_H

#include "defs.h"

struct query;

/* The status that tracer exits with if an event matches a --fail-on. */
#define FAIL_ON_STATUS 120

struct assertion {
	char *name;	     /* as it was given, or the expression; owned */
	struct query *query; /* owned */
	bool stops;	     /* --stop-on */
};

#endif
