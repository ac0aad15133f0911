/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "capture/ptrace/tracee_set.h"
#include "capture/ptrace/tracee_mem.h"
#include "util/mem.h"

#define HASH_INITIAL 64

void tracees_table_init(struct tracees *set)
{
	set->hash = mem_zalloc(HASH_INITIAL * sizeof(*set->hash));
	set->hash_mask = HASH_INITIAL - 1;
}

void tracees_table_deinit(struct tracees *set)
{
	while (set->newest)
		tcb_remove(set, set->newest);
	tracees_free_dead(set);
	free(set->hash);
}

static struct tcb **hash_slot(const struct tracees *set, pid_t tid)
{
	return &set->hash[(size_t)tid & set->hash_mask];
}

static void hash_add(struct tracees *set, struct tcb *tcb)
{
	struct tcb **slot = hash_slot(set, tcb->tid);

	tcb->hash_next = *slot;
	*slot = tcb;
}

static void hash_remove(struct tracees *set, struct tcb *tcb)
{
	struct tcb **p = hash_slot(set, tcb->tid);

	while (*p != tcb)
		p = &(*p)->hash_next;
	*p = tcb->hash_next;
}

static void hash_grow(struct tracees *set)
{
	size_t old = set->hash_mask + 1;
	struct tcb **from = set->hash;

	set->hash = mem_zalloc(old * 2 * sizeof(*set->hash));
	set->hash_mask = old * 2 - 1;
	for (size_t i = 0; i < old; i++) {
		for (struct tcb *tcb = from[i], *next; tcb; tcb = next) {
			next = tcb->hash_next;
			hash_add(set, tcb);
		}
	}
	free(from);
}

struct tcb *tracees_find(const struct tracees *set, pid_t tid)
{
	struct tcb *tcb = *hash_slot(set, tid);

	while (tcb && tcb->tid != tid)
		tcb = tcb->hash_next;
	return tcb;
}

size_t tracees_count(const struct tracees *set)
{
	return set->count;
}

struct tcb *tracees_next(const struct tracees *set, const struct tcb *prev)
{
	return prev ? prev->all_next : set->newest;
}

struct tcb *tracees_by_age(const struct tracees *set, const struct tcb *prev)
{
	return prev ? prev->all_prev : set->oldest;
}

struct tcb *tcb_create(struct tracees *set, pid_t tid, unsigned flags)
{
	struct tcb *tcb = mem_zalloc(sizeof(*tcb));

	tcb->tid = tid;
	tcb->flags = flags;
	tcb->set = set;
	tcb->live_memory.ops = &tracee_memory_ops;
	tcb->memory = &tcb->live_memory;
	if (set->count++ > set->hash_mask)
		hash_grow(set);
	hash_add(set, tcb);
	tcb->all_next = set->newest;
	if (set->newest)
		set->newest->all_prev = tcb;
	else
		set->oldest = tcb;
	set->newest = tcb;
	return tcb;
}

void tracees_queue(struct tracees *set, struct tcb *tcb)
{
	tcb->flags |= TCB_QUEUED;
	tcb->queue_next = NULL;
	tcb->queue_prev = set->queue_last;
	if (set->queue_last)
		set->queue_last->queue_next = tcb;
	else
		set->queue_first = tcb;
	set->queue_last = tcb;
}

void tracees_unqueue(struct tracees *set, struct tcb *tcb)
{
	if (!(tcb->flags & TCB_QUEUED))
		return;
	tcb->flags &= ~TCB_QUEUED;
	if (tcb->queue_prev)
		tcb->queue_prev->queue_next = tcb->queue_next;
	else
		set->queue_first = tcb->queue_next;
	if (tcb->queue_next)
		tcb->queue_next->queue_prev = tcb->queue_prev;
	else
		set->queue_last = tcb->queue_prev;
}

void tcb_remove(struct tracees *set, struct tcb *tcb)
{
	tracees_unqueue(set, tcb);
	spin_stopped(tcb);
	if (tcb->flags & TCB_ORPHAN)
		set->orphans--;
	if (set->dying == tcb)
		set->dying = NULL;
	tcb->flags &= ~(TCB_STOPPED | TCB_ORPHAN);
	tcb->flags |= TCB_DEAD;
	hash_remove(set, tcb);
	if (tcb->all_prev)
		tcb->all_prev->all_next = tcb->all_next;
	else
		set->newest = tcb->all_next;
	if (tcb->all_next)
		tcb->all_next->all_prev = tcb->all_prev;
	else
		set->oldest = tcb->all_prev;
	set->count--;
	tcb->hash_next = set->dead;
	set->dead = tcb;
}

void tracees_free_dead(struct tracees *set)
{
	while (set->dead) {
		struct tcb *tcb = set->dead;

		set->dead = tcb->hash_next;
		free(tcb);
	}
}

void tcb_rekey(struct tcb *tcb, pid_t tid)
{
	hash_remove(tcb->set, tcb);
	tcb->tid = tid;
	hash_add(tcb->set, tcb);
}
