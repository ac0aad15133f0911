/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses which running tracee stops next. Polling such a tracee a few times by wait4(2) with
 * WNOHANG finds most stops of a busy tracee without sleeping. Polling one tid is cheap, while
 * wait4(-1) makes the kernel examine every tracee.
 *
 * This file only does the bookkeeping; tracee.c polls. A question is one such poll. All operations
 * are O(1).
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_SPIN_H
#define TRACER_CAPTURE_PTRACE_TRACEE_SPIN_H

#include "defs.h"

struct tracee;

/* A list of running tracees; the first has run for the longest time. */
struct run_list {
	struct tracee *first, *last;
};

struct spin {
	struct run_list hot;  /* tracees that are expected to stop soon */
	struct run_list cold; /* all other running tracees: they sleep or compute */
	unsigned max;	      /* maximum number of questions before a sleep; 0: none */
	unsigned limit;	      /* like max, but learned from earlier rounds */
	unsigned questions;   /* maximum number of questions in this round */
	unsigned asked;	      /* questions since the last stop or sleep */
	unsigned hit_tries;   /* average number of questions until a stop, times 16 */
	unsigned rounds;      /* rounds so far, for spin_fair() */
	unsigned passed_over; /* resumed tracees that were put in cold because of a low score */
	bool few;	      /* there are so few tracees that wait4(-1) is cheap */
};

/* Begins without tracees; max is the field of struct spin. */
void spin_init(struct spin *spin, unsigned max);

/* A tracee was resumed. */
void spin_running(struct spin *spin, struct tracee *t);
/* A tracee stopped or is gone. */
void spin_stopped(struct tracee *t);

/*
 * Begins a round of questions. tracees is the number of all tracees. If ask is false, the round has
 * questions only where they are cheaper than a sleep.
 */
void spin_begin(struct spin *spin, size_t tracees, bool ask);
/* Whom to poll next: a tid, -1 for any tracee, or 0 to sleep. */
pid_t spin_next(struct spin *spin);
/* The last question found a stop of t (NULL: of an unknown thread). */
void spin_hit(struct spin *spin, struct tracee *t);
/* The last question found no stop. */
void spin_missed(struct spin *spin);
/* Returns now and then a tracee that was not polled for a long time and is due; otherwise NULL. */
struct tracee *spin_fair(struct spin *spin);

#endif
