/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/ptrace/tracee_spin.h"

#define SCORE_MAX  15
#define SCORE_MIN  4 /* below this a tracee is asked for only now and then */
#define SCORE_INIT 8
#define RETRY	   32 /* one in so many, to learn that things have changed */

#define FAIR_EVERY 8

/* Up to so many tracees wait4(-1) costs no more than asking for one. */
#define FEW	      16
#define MANY	      64
#define FEW_QUESTIONS 8

void spin_init(struct spin *spin, unsigned max)
{
	*spin = (struct spin){.max = max, .limit = max};
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
	list_add(hot ? &spin->hot : &spin->cold, tcb);
}

void spin_stopped(struct tcb *tcb)
{
	if (tcb->run_list)
		list_remove(tcb);
}

/* Twice what a hit usually takes, but not so little that nothing is learned. */
static void learn_limit(struct spin *spin, unsigned tries)
{
	spin->hit_tries += tries - spin->hit_tries / 16;
	spin->limit = spin->hit_tries / 16 * 2 + 16;
	if (spin->limit > spin->max)
		spin->limit = spin->max;
}

void spin_hit(struct spin *spin, struct tcb *tcb)
{
	uint8_t *s = tcb ? score(tcb) : NULL;

	if (s)
		*s = *s + 3 > SCORE_MAX ? SCORE_MAX : *s + 3;
	learn_limit(spin, spin->asked);
}

void spin_missed(struct spin *spin)
{
	struct tcb *tcb = spin->hot.first;
	struct run_list *to = &spin->hot;

	if (++tcb->spin_misses >= spin->questions || spin->asked >= spin->questions) {
		uint8_t *s = score(tcb);

		*s = *s > 1 ? *s - 1 : 1;
		/* It may have been just too few. */
		learn_limit(spin, spin->max);
		if (tcb->spin_misses >= spin->questions)
			to = &spin->cold;
	}
	if (to != tcb->run_list || tcb->run_next) {
		list_remove(tcb);
		list_add(to, tcb);
	}
}

void spin_begin(struct spin *spin, size_t tracees, bool ask)
{
	spin->rounds++;
	spin->asked = 0;
	spin->questions = ask ? spin->limit : 0;
	spin->few = tracees <= FEW;
	/* Where wait4(-1) has so many to look at, a few questions are always cheaper. */
	if (tracees >= MANY && spin->questions < FEW_QUESTIONS && spin->limit)
		spin->questions = FEW_QUESTIONS;
}

pid_t spin_next(struct spin *spin)
{
	if (!spin->hot.first || spin->asked >= spin->questions)
		return 0;
	spin->asked++;
	return spin->few ? -1 : spin->hot.first->tid;
}

struct tcb *spin_fair(struct spin *spin)
{
	struct run_list *list = &spin->hot;
	struct tcb *tcb;

	if (spin->rounds % FAIR_EVERY)
		return NULL;
	if (!list->first || (spin->cold.first && spin->rounds / FAIR_EVERY % 2))
		list = &spin->cold;
	tcb = list->first;
	if (tcb && tcb->run_next) {
		list_remove(tcb);
		list_add(list, tcb);
	} else if (!spin->hot.first || !spin->cold.first) {
		/* There is no other. */
		return NULL;
	}
	return tcb;
}
