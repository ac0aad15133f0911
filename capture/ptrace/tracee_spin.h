/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which running tracee is likely to stop next. Asking for it with WNOHANG a few
 * times finds most stops of a busy tracee without sleeping; and asking for one
 * tid costs the kernel nothing, where wait4(-1) looks at every tracee there is.
 *
 * Only bookkeeping: tracee.c asks. All operations are O(1).
 */
#ifndef TRACER_TRACEE_SPIN_H
#define TRACER_TRACEE_SPIN_H

#include "defs.h"

struct tracee;

/* Running tracees, the one that runs longest first. */
struct run_list {
	struct tracee *first, *last;
};

struct spin {
	struct run_list hot;  /* expected to stop soon */
	struct run_list cold; /* asleep, or computing */
	unsigned max;	      /* questions before going to sleep, at most; 0 never asks */
	unsigned limit;	      /* the same, as learned */
	unsigned questions;   /* of this round, at most */
	unsigned asked;	      /* since the last stop or sleep */
	unsigned hit_tries;   /* questions that a hit took, on average, times 16 */
	unsigned rounds, passed_over;
	bool few; /* tracees: all can be asked for at once */
};

void spin_init(struct spin *spin, unsigned max);

/* A tracee goes on, or no longer runs: it has stopped, or is gone. */
void spin_running(struct spin *spin, struct tracee *t);
void spin_stopped(struct tracee *t);

/* Starts a round of questions, with so many tracees in all. ask: they pay. */
void spin_begin(struct spin *spin, size_t tracees, bool ask);
/* The next one to ask for, as a tid or -1 for any of them; 0: sleep. */
pid_t spin_next(struct spin *spin);
/* That was answered: t has stopped. NULL: none that is known. */
void spin_hit(struct spin *spin, struct tracee *t);
/* It was not. */
void spin_missed(struct spin *spin);
/* Of several tracees one that is asked for so that it is not forgotten, every now and then; or
 * NULL. */
struct tracee *spin_fair(struct spin *spin);

#endif
