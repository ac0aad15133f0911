/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls and the memory that a run needs, for engines that collect data by themselves. These are
 * the calls that filters let pass or that the session itself needs, and for each the memory that
 * decoding will read.
 */
#ifndef TRACER_SESSION_WANTS_H
#define TRACER_SESSION_WANTS_H

#include "capture/wants.h"
#include "select/syscall_set.h"

struct session;

struct wants {
	struct capture_wants wants; /* first */
	struct session *session;
	struct syscall_set trace; /* calls that may be shown */
};

/*
 * Fills in *w, which borrows s with its plans and its row finder. Returns &w->wants. The list of
 * calls is made only when an engine requests it.
 */
const struct capture_wants *wants_of(struct wants *w, struct session *s);

#endif
