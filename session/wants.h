/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Determines which calls and which memory a run needs, for engines that collect data without a
 * request at each stop. A run needs all calls that the filters may accept, calls that the session
 * itself needs, and the memory that decoding of these calls will read.
 */
#ifndef TRACER_SESSION_WANTS_H
#define TRACER_SESSION_WANTS_H

#include "capture/wants.h"
#include "select/syscall_set.h"

struct session;

struct wants {
	struct capture_wants wants; /* must be first: list() converts a pointer to this
					member to a struct wants * */
	struct session *session;
	/* calls that may be shown, or that --fail-on, --stop-on or --wakers need */
	struct syscall_set trace;
	bool compares; /* true if calls whose arguments cannot match --where are not needed */
};

/*
 * Fills in *w, which borrows s. Returns &w->wants. The list of calls is not created before an
 * engine requests it.
 */
const struct capture_wants *wants_of(struct wants *w, struct session *s);

#endif
