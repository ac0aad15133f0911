/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <time.h>

#include "tracee_spin.h"

#define SCORE_MAX  15
#define SCORE_MIN  4 /* below this a tracee is asked for only now and then */
#define SCORE_INIT 8
#define RETRY	   32 /* one in so many, to learn that things have changed */

#define FAIR_EVERY 8

#define MANY	      64
#define FEW_QUESTIONS 8

/* Stops that are timed together; windows until another way is tried, and of a trial. */
#define WINDOW	 128
#define GLANCE	 16
#define STAY_MIN 8
#define STAY_MAX 256
#define TRIAL	 3

/* Windows until it is looked whether the tracee is still where we are near it. */
#define LOOK_EVERY 16
/* Windows without an attempt at being near after one that came to nothing, or went wrong. */
#define SOON	    4
#define PENALTY	    64
#define PENALTY_MAX 8192

void spin_init(struct spin *spin, unsigned max)
{
	*spin = (struct spin){
		.max = max,
		.limit = max,
		.way = max > 0 ? SPIN_ASK : SPIN_SLEEP,
		.best = max > 0 ? SPIN_ASK : SPIN_SLEEP,
		.tried = SPIN_ASK,
		.stay = 2,
		.near_penalty = PENALTY,
	};
}

static void list_add(struct run_list *list, struct tcb *tcb)
{
	tcb->run_list = list;
	tcb->run_next = NULL;
	tcb->run_prev = list->last;
	if (list->last)
		list->last->run_next = tcb;
	else
		list->first = tcb;
	list->last = tcb;
}

static void list_remove(struct tcb *tcb)
{
	struct run_list *list = tcb->run_list;

	if (tcb->run_prev)
		tcb->run_prev->run_next = tcb->run_next;
	else
		list->first = tcb->run_next;
	if (tcb->run_next)
		tcb->run_next->run_prev = tcb->run_prev;
	else
		list->last = tcb->run_prev;
	tcb->run_list = NULL;
}

/* In a syscall and out of it a thread behaves differently: one score for each. */
static uint8_t *score(struct tcb *tcb)
{
	uint8_t *s = &tcb->spin_score[!!(tcb->flags & TCB_IN_SYSCALL)];

	if (!*s)
		*s = SCORE_INIT;
	return s;
}

void spin_running(struct spin *spin, struct tcb *tcb)
{
	bool hot = spin->limit && !(tcb->flags & TCB_GROUP_STOP);

	if (hot && unlikely(*score(tcb) < SCORE_MIN))
		hot = ++spin->passed_over % RETRY == 0;
	tcb->spin_misses = 0;
	if (tcb->tid != spin->last) {
		spin->last = tcb->tid;
		spin->changes++;
	}
	list_add(hot ? &spin->hot : &spin->cold, tcb);
}

void spin_stopped(struct tcb *tcb)
{
	if (tcb->run_list)
		list_remove(tcb);
}

void spin_hit(struct spin *spin, struct tcb *tcb)
{
	uint8_t *s = score(tcb);

	*s = *s + 3 > SCORE_MAX ? SCORE_MAX : *s + 3;
	spin->hit_tries += spin->asked - spin->hit_tries / 16;
}

void spin_missed(struct spin *spin, struct tcb *tcb)
{
	struct run_list *to = &spin->hot;

	if (++tcb->spin_misses >= spin->limit || spin->asked >= spin->limit) {
		uint8_t *s = score(tcb);

		*s = *s > 1 ? *s - 1 : 1;
		if (tcb->spin_misses >= spin->limit)
			to = &spin->cold;
	}
	if (to != tcb->run_list || tcb->run_next) {
		list_remove(tcb);
		list_add(to, tcb);
	}
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool near_possible(const struct spin *spin)
{
	return !spin->near_wait && spin->changes <= WINDOW / 8;
}

/* The way to try after spin->best has been used for a while. */
static enum spin_way way_to_try(const struct spin *spin)
{
	enum spin_way way = spin->tried;

	do
		way = (way + 1) % SPIN_WAYS;
	while (way == spin->best || (way == SPIN_NEAR && !near_possible(spin)));
	return way;
}

/* At the same price the CPU is left to others. */
static bool way_pays(const struct spin *spin, enum spin_way way, enum spin_way than)
{
	uint64_t a = spin->cost[way], b = spin->cost[than];

	return way < than ? a * 15 < b * 16 : a * 16 < b * 15;
}

static enum spin_way best_but_near(const struct spin *spin)
{
	return way_pays(spin, SPIN_SLEEP, SPIN_ASK) ? SPIN_SLEEP : SPIN_ASK;
}

/*
 * Asking pays where another CPU is idle for the tracee, and costs where
 * something else wants ours, a tracee above all. No count of CPUs and no load
 * average tells which it is, but the clock does.
 */
static void window_end(struct spin *spin)
{
	uint64_t now = now_ns(), cost = (now - spin->started) / WINDOW;
	uint64_t *known = &spin->cost[spin->way];

	/* Where a tracee runs takes as long to ask as several of its stops. */
	spin->look = cost > *known + *known / 4 || spin->windows % LOOK_EVERY == 0;
	/* The first window after a change is spent on settling. */
	if (spin->started && spin->windows++) {
		if (!*known)
			*known = cost;
		else if (cost < *known * 4)
			*known = (*known * 3 + cost) / 4;
		else
			/* A tracee that slept says little about any way. */
			*known += *known / 8;
	}
	spin->started = spin->glanced = now;
	spin->in_place = false;
	if (spin->near_wait)
		spin->near_wait--;
	/* Twice what it usually takes, but not so little that nothing is learned. */
	spin->limit = spin->hit_tries / 16 * 2 + 16;
	if (spin->limit > spin->max)
		spin->limit = spin->max;
	if (spin->way == SPIN_NEAR && !near_possible(spin)) {
		spin->way = spin->best = best_but_near(spin);
		spin->windows = 0;
		spin->stay = STAY_MIN;
	} else if (spin->way == spin->best) {
		if (spin->windows >= spin->stay) {
			spin->windows = 0;
			spin->way = spin->tried = way_to_try(spin);
		}
	} else if (spin->windows >= TRIAL) {
		spin->windows = 0;
		if (way_pays(spin, spin->way, spin->best)) {
			spin->best = spin->way;
			spin->stay = STAY_MIN;
		} else {
			spin->way = spin->best;
			spin->stay = spin->stay * 2 > STAY_MAX ? STAY_MAX : spin->stay * 2;
		}
	}
	spin->changes = 0;
}

void spin_not_near(struct spin *spin, bool bad)
{
	spin->near_wait = bad ? spin->near_penalty : SOON;
	if (bad && spin->near_penalty < PENALTY_MAX)
		spin->near_penalty *= 2;
	if (spin->way != SPIN_NEAR)
		return;
	if (spin->best == SPIN_NEAR)
		spin->best = best_but_near(spin);
	spin->way = spin->best;
	spin->windows = 0;
}

/*
 * The scheduler's tick may move a tracee to the CPU that seems idle: stops cost
 * twice as much then, until it is followed.
 */
static void glance(struct spin *spin)
{
	uint64_t now = now_ns(), cost = (now - spin->glanced) / GLANCE;

	spin->glanced = now;
	spin->look = cost > spin->cost[SPIN_NEAR] + spin->cost[SPIN_NEAR] / 2;
}

bool spin_begin(struct spin *spin, size_t tracees)
{
	spin->asked = 0;
	spin->questions = spin->way == SPIN_ASK ? spin->limit : 0;
	/* Where wait4(-1) has so many to look at, a few questions are always cheaper. */
	if (tracees >= MANY && spin->questions < FEW_QUESTIONS && spin->limit)
		spin->questions = FEW_QUESTIONS;
	if (likely(++spin->rounds % GLANCE || !spin->max))
		return false;
	if (spin->rounds % WINDOW) {
		if (spin->way != SPIN_NEAR || spin->in_place)
			return false;
		glance(spin);
		return spin->look;
	}
	window_end(spin);
	return true;
}

struct tcb *spin_next(struct spin *spin)
{
	if (spin->asked >= spin->questions)
		return NULL;
	spin->asked++;
	return spin->hot.first;
}

struct tcb *spin_fair(struct spin *spin)
{
	struct tcb *tcb = spin->cold.first;

	if (!tcb || spin->rounds % FAIR_EVERY)
		return NULL;
	if (tcb->run_next) {
		list_remove(tcb);
		list_add(&spin->cold, tcb);
	}
	return tcb;
}
