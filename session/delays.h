/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stopped threads that will be resumed later: -e inject=…:delay_enter= and delay_exit=. */
#ifndef TRACER_SESSION_DELAYS_H
#define TRACER_SESSION_DELAYS_H

#include <time.h>

#include "defs.h"
#include "util/vec.h"

struct tcb;

struct delay {
	struct tcb *tcb;
	struct timespec until; /* CLOCK_MONOTONIC */
};

/*
 * {0} has no delays. Before delays_deinit(), each delay must have ended by delays_end() or
 * delays_forget().
 */
struct delays {
	VEC(struct delay) v;
};

void delays_deinit(struct delays *d);
/* Has delays_end() resume the stopped thread tcb ns nanoseconds from now. */
void delays_add(struct delays *d, struct tcb *tcb, uint64_t ns);
/* Drops the delay of a thread that is gone, if it has one. */
void delays_forget(struct delays *d, const struct tcb *tcb);
/* Resumes the threads whose time has come. */
void delays_end(struct delays *d);
/*
 * Finds the time (CLOCK_MONOTONIC) at which the next delay ends and puts it into *at, unless any is
 * true and *at is earlier. Returns true if *at is set, by this call or (any) before it.
 */
bool delays_deadline(const struct delays *d, bool any, struct timespec *at);

#endif
