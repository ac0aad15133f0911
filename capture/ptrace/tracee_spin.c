/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/ptrace/tracee_spin.h"

#include "capture/ptrace/tracee_thread.h"

#define SCORE_MAX  15
#define SCORE_MIN  4 /* with a lower score, a tracee is polled only rarely */
#define SCORE_INIT 8
/* Every RETRY-th resumed tracee with a score below SCORE_MIN is polled, to update its score. */
#define RETRY 32

#define FAIR_EVERY 8

/* With at most FEW tracees, wait4(-1) costs no more than wait4() for one tid. */
#define FEW	  16
#define MANY	  64
#define FEW_POLLS 8

void spin_init(struct spin *spin, unsigned max)
{
	*spin = (struct spin){.max = max, .limit = max};
}

static void list_add(struct run_list *list, struct tracee *t)
{
	t->run_list = list;
	t->run_next = NULL;
	t->run_prev = list->last;
	if (list->last)
		list->last->run_next = t;
	else
		list->first = t;
	list->last = t;
}

static void list_remove(struct tracee *t)
{
	struct run_list *list = t->run_list;

	if (t->run_prev)
		t->run_prev->run_next = t->run_next;
	else
		list->first = t->run_next;
	if (t->run_next)
		t->run_next->run_prev = t->run_prev;
	else
		list->last = t->run_prev;
	t->run_list = NULL;
}

/*
 * Returns a pointer to the thread's current score. A thread has one score for inside syscalls and
 * one for outside.
 */
static uint8_t *score(struct tracee *t)
{
	uint8_t *s = &t->spin_score[!!(t->tcb.flags & TCB_IN_SYSCALL)];

	if (!*s)
		*s = SCORE_INIT;
	return s;
}

void spin_running(struct spin *spin, struct tracee *t)
{
	bool hot = spin->limit && !(t->tcb.flags & TCB_GROUP_STOP);

	if (hot && unlikely(*score(t) < SCORE_MIN))
		hot = ++spin->passed_over % RETRY == 0;
	t->spin_misses = 0;
	list_add(hot ? &spin->hot : &spin->cold, t);
}

void spin_stopped(struct tracee *t)
{
	if (t->run_list)
		list_remove(t);
}

/*
 * Updates the average number of polls until a stop with a round of `tries` polls. Sets the limit to
 * twice this average plus 16, but at most to spin->max.
 */
static void learn_limit(struct spin *spin, unsigned tries)
{
	spin->hit_tries += tries - spin->hit_tries / 16;
	spin->limit = spin->hit_tries / 16 * 2 + 16;
	if (spin->limit > spin->max)
		spin->limit = spin->max;
}

void spin_hit(struct spin *spin, struct tracee *t)
{
	uint8_t *s = t ? score(t) : NULL;

	if (s)
		*s = *s + 3 > SCORE_MAX ? SCORE_MAX : *s + 3;
	learn_limit(spin, spin->polls);
}

void spin_missed(struct spin *spin)
{
	struct tracee *t = spin->hot.first;
	struct run_list *to = &spin->hot;

	if (++t->spin_misses >= spin->max_polls || spin->polls >= spin->max_polls) {
		uint8_t *s = score(t);

		*s = *s > 1 ? *s - 1 : 1;
		/*
		 * No stop was found, but a few more polls might have found one, so raise the limit.
		 */
		learn_limit(spin, spin->max);
		if (t->spin_misses >= spin->max_polls)
			to = &spin->cold;
	}
	if (to != t->run_list || t->run_next) {
		list_remove(t);
		list_add(to, t);
	}
}

void spin_begin(struct spin *spin, size_t tracees, bool poll)
{
	spin->rounds++;
	spin->polls = 0;
	spin->max_polls = poll ? spin->limit : 0;
	spin->few = tracees <= FEW;
	/* With this many tracees, wait4(-1) is so slow that a few polls always cost less. */
	if (tracees >= MANY && spin->max_polls < FEW_POLLS && spin->limit)
		spin->max_polls = FEW_POLLS;
}

pid_t spin_next(struct spin *spin)
{
	if (!spin->hot.first || spin->polls >= spin->max_polls)
		return 0;
	spin->polls++;
	return spin->few ? -1 : spin->hot.first->tcb.tid;
}

struct tracee *spin_fair(struct spin *spin)
{
	struct run_list *list = &spin->hot;
	struct tracee *t;

	if (spin->rounds % FAIR_EVERY)
		return NULL;
	if (!list->first || (spin->cold.first && spin->rounds / FAIR_EVERY % 2))
		list = &spin->cold;
	t = list->first;
	if (t && t->run_next) {
		list_remove(t);
		list_add(list, t);
	} else if (!spin->hot.first || !spin->cold.first) {
		/* There is at most one running tracee, so no tracee starves. */
		return NULL;
	}
	return t;
}
