/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a run wants to know of calls, in the form in which engines take it that collect by
 * themselves: the calls that filters let pass or that the session needs to know of, and of each the
 * memory that decoding will look at.
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
 * Fills in *w, which borrows s with its plans and its row finder. Returns its first member. Nothing
 * is found out before an engine asks for the list.
 */
const struct capture_wants *wants_of(struct wants *w, struct session *s);

#endif
