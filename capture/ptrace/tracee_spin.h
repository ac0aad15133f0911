/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Predicts which running tracee will stop next. Polling that tracee a few times with wait4(2) and
 * WNOHANG finds most stops of a busy tracee without sleeping. Polling one tid is cheap, whereas
 * wait4(-1) makes the kernel examine every tracee.
 *
 * This code only chooses the tracees to poll; tracee.c polls them. All operations are O(1).
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_SPIN_H
#define TRACER_CAPTURE_PTRACE_TRACEE_SPIN_H

#include "defs.h"

struct tracee;

/* A list of running tracees. The first tracee is polled next. */
struct run_list {
	struct tracee *first, *last;
};

struct spin {
	struct run_list hot; /* tracees that are expected to stop soon */
	/* all other running tracees, which are probably sleeping or computing */
	struct run_list cold;
	unsigned max;	      /* maximum number of polls before a sleep; 0 disables polling */
	unsigned limit;	      /* limit for polls, learned from earlier rounds; at most `max` */
	unsigned max_polls;   /* maximum number of polls in this round */
	unsigned polls;	      /* number of polls since the last stop or sleep */
	unsigned hit_tries;   /* average number of polls before a stop is found, times 16 */
	unsigned rounds;      /* number of rounds so far, for spin_fair() */
	unsigned passed_over; /* number of resumes so far of tracees whose score was too low for
				 the list `hot` */
	bool few;	      /* true if there are few tracees, so that wait4(-1) is cheap */
};

/* Initializes *spin without tracees. `max` is the initial value of the member with this name. */
void spin_init(struct spin *spin, unsigned max);

/* Must be called when a tracee was resumed. */
void spin_running(struct spin *spin, struct tracee *t);
/* Must be called when a tracee has stopped or is gone. */
void spin_stopped(struct tracee *t);

/*
 * Begins a round of polls. `tracees` is the total number of tracees. If `poll` is false, the round
 * has polls only if there are many tracees, because polling a few of them is then cheaper than
 * wait4(-1).
 */
void spin_begin(struct spin *spin, size_t tracees, bool poll);
/* Returns the tid to poll next, -1 to poll all tracees, or 0 to sleep. */
pid_t spin_next(struct spin *spin);
/*
 * Must be called if the last poll found a stop. t is the thread that stopped, or NULL if the thread
 * is unknown.
 */
void spin_hit(struct spin *spin, struct tracee *t);
/* Must be called if the last poll found no stop. */
void spin_missed(struct spin *spin);
/*
 * In some rounds, returns a tracee that has not been polled for a long time. The caller must poll
 * this tracee now, so that no tracee starves. In all other rounds, returns NULL.
 */
struct tracee *spin_fair(struct spin *spin);

#endif
