/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the critical path of a run, backwards from the end of the run. At a wait, the path
 * continues in the thread that ended the wait.
 */
#ifndef TRACER_SINKS_PATH_WALK_H
#define TRACER_SINKS_PATH_WALK_H

#include "sinks/path/history.h"

/* Time that a thread spent in a call or, if `name` is NULL, between two calls. */
struct path_step {
	uint32_t thread; /* 1 + index of the thread, as in struct past_call */
	const char *name;
	bool waited; /* true if the call waited, but not for a thread; `cause` is then the reason */
	enum wake_cause cause;
	int64_t begin, end;
	/*
	 * The thread that waited for this thread, and the call in which it waited. 0 and NULL if
	 * the path did not reach this thread through a wait.
	 */
	uint32_t waiter;
	const char *waiter_call;
	bool inferred; /* true if tracer inferred from the order of calls that this thread ended the
			  wait */
};

struct path {
	VEC(struct path_step) steps; /* in reverse order: the last step of the run comes first */
	/*
	 * Numbers of waits that the path follows to a waker. `reported` counts waits whose waker
	 * the kernel reported, and `inferred` counts waits whose waker tracer inferred.
	 */
	size_t reported, inferred;
};

/*
 * Adds the steps of the critical path to `p`, which must be empty. Each step begins at the end of
 * the next element, so the durations of the steps add up to the duration of the run.
 */
void path_walk(const struct history *h, struct path *p);

/* Returns the name of a thread at `time`, or "" if the name is unknown. */
const char *path_comm(const struct history *h, uint32_t thread, int64_t time);

#endif
