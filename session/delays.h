/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads whose resume is put off: -e inject=…:delay_enter= and delay_exit=. */
#ifndef TRACER_DELAYS_H
#define TRACER_DELAYS_H

#include <time.h>

#include "defs.h"
#include "util/vec.h"

struct tcb;

struct delay {
	struct tcb *tcb;
	struct timespec until; /* CLOCK_MONOTONIC */
};

/* {0} has none. Each must end, by its time or by its thread, before delays_deinit(). */
struct delays {
	VEC(struct delay) v;
};

void delays_deinit(struct delays *d);
/* A stopped thread is to be resumed after so many nanoseconds. */
void delays_add(struct delays *d, struct tcb *tcb, uint64_t ns);
/* The thread is gone. */
void delays_forget(struct delays *d, const struct tcb *tcb);
/* Resumes those whose time has come. */
void delays_end(struct delays *d);
/* When the next one ends, if that is before *at or any is false: into *at. true: *at is set. */
bool delays_deadline(const struct delays *d, bool any, struct timespec *at);

#endif
