/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stopped threads that must be resumed after a delay (-e inject=…:delay_enter= and delay_exit=). */
#ifndef TRACER_SESSION_DELAYS_H
#define TRACER_SESSION_DELAYS_H

#include <time.h>

#include "defs.h"
#include "util/vec.h"

struct tcb;

struct delay {
	struct tcb *tcb;
	struct timespec until; /* time at which the delay ends (CLOCK_MONOTONIC) */
};

/*
 * The pending delays; initially {0}. All delays must have been removed with delays_end() or
 * delays_forget() before delays_deinit() is called.
 */
struct delays {
	VEC(struct delay) v;
};

void delays_deinit(struct delays *d);
/* Schedules the stopped thread tcb to be resumed by delays_end() after ns nanoseconds. */
void delays_add(struct delays *d, struct tcb *tcb, uint64_t ns);
/* If the thread has a delay, removes it. Must be called for a thread that is gone. */
void delays_forget(struct delays *d, const struct tcb *tcb);
/* Resumes all threads whose delays have ended. */
void delays_end(struct delays *d);
/*
 * Sets *at to the time (CLOCK_MONOTONIC) at which the next delay ends, if that is earlier than *at.
 * `any` must be true if *at already contains a time. Returns true if *at contains a time now.
 */
bool delays_deadline(const struct delays *d, bool any, struct timespec *at);

#endif
