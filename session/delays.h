/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stopped threads that are resumed after a delay (-e inject=…:delay_enter= and delay_exit=). */
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
 * {0} has no delays. Before delays_deinit(), delays_end() or delays_forget() must have removed all
 * delays.
 */
struct delays {
	VEC(struct delay) v;
};

void delays_deinit(struct delays *d);
/* Lets delays_end() resume the stopped thread tcb after ns nanoseconds. */
void delays_add(struct delays *d, struct tcb *tcb, uint64_t ns);
/* Removes the delay of a thread that is gone, if it has one. */
void delays_forget(struct delays *d, const struct tcb *tcb);
/* Resumes the threads whose delay has passed. */
void delays_end(struct delays *d);
/*
 * Lowers *at to the time (CLOCK_MONOTONIC) at which the next delay ends. `any` must be true if *at
 * was already set. Returns true if it is set now.
 */
bool delays_deadline(const struct delays *d, bool any, struct timespec *at);

#endif
