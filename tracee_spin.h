/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which running tracee is likely to stop next, and how to wait for it. Half of
 * what a stop costs is the wake-up of the tracer; one that asks with WNOHANG for
 * a while finds most stops of a busy tracee without sleeping, and one that shares
 * the tracee's CPU wakes up at little cost. And asking for one tid costs the
 * kernel nothing, where wait4(-1) looks at every tracee there is.
 *
 * Only bookkeeping: tracee.c asks and follows. All operations are O(1).
 */
#ifndef TRACER_TRACEE_SPIN_H
#define TRACER_TRACEE_SPIN_H

#include "tracee.h"

/* Running tracees, the one that runs longest first. */
struct run_list {
	struct tcb *first, *last;
};

/* How to wait for a stop; the earlier a way stands here, the less CPU time it takes. */
enum spin_way {
	SPIN_NEAR,  /* on the CPU of the one tracee that makes the stops */
	SPIN_SLEEP, /* at once */
	SPIN_ASK,   /* after some questions */
	SPIN_WAYS,
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
	/*
	 * What a stop costs each way, in nanoseconds, as measured in turns: the one
	 * that pays is used.
	 */
	enum spin_way way, best, tried;
	unsigned windows, stay;
	uint64_t started, cost[SPIN_WAYS];
	/* Near is possible for one tracee at a time, and not tried again too soon. */
	pid_t last;
	unsigned changes, near_wait, near_penalty;
	bool look;     /* it may have moved to another CPU */
	bool in_place; /* it has not, in this window: its calls just take longer */
	uint64_t glanced;
};

void spin_init(struct spin *spin, unsigned max);

/* A tracee goes on, or no longer runs: it has stopped, or is gone. */
void spin_running(struct spin *spin, struct tcb *tcb);
void spin_stopped(struct tcb *tcb);
/* Its stop was found by asking: worth asking again. */
void spin_hit(struct spin *spin, struct tcb *tcb);
/* It had not stopped. */
void spin_missed(struct spin *spin, struct tcb *tcb);

/*
 * Starts a round of questions, with so many tracees in all; then the tracee to
 * ask for next, or NULL: sleep. true: the way may have changed, or the tracee to
 * be near.
 */
bool spin_begin(struct spin *spin, size_t tracees);
struct tcb *spin_next(struct spin *spin);
/* A tracee that is asked for so that it is not forgotten, every now and then; or NULL. */
struct tcb *spin_fair(struct spin *spin);

/*
 * Near was not possible, or bad: it is not tried for some time; after bad times
 * twice as long each time.
 */
void spin_not_near(struct spin *spin, bool bad);

#endif