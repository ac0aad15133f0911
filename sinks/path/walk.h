/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks the critical path of a run: from its end backwards over the threads that ended waits. */
#ifndef TRACER_SINKS_PATH_WALK_H
#define TRACER_SINKS_PATH_WALK_H

#include "sinks/path/history.h"

/* Time that a thread spent in a call or, if name is NULL, between calls. */
struct path_step {
	uint32_t thread; /* as in struct past_call */
	const char *name;
	bool waited; /* the call waited for something that is not a thread: cause */
	enum wake_cause cause;
	int64_t begin, end;
};

struct path {
	VEC(struct path_step) steps; /* the last step of the run is the first element */
};

/*
 * Adds the steps of the critical path to p, which must be empty. Each step begins where the next
 * element ends, so that their durations add up to the duration of the run.
 */
void path_walk(const struct history *h, struct path *p);

/* Returns the name of a thread at a time; "" if it is unknown. */
const char *path_comm(const struct history *h, uint32_t thread, int64_t time);

#endif
