/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "capture/ptrace/tracee_set.h"

#include "capture/proc/cpu_clock.h"
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
		tracee_remove(set, set->newest);
	tracees_free_dead(set);
	free(set->hash);
}

static struct tracee **hash_slot(const struct tracees *set, pid_t tid)
{
	return &set->hash[(size_t)tid & set->hash_mask];
}

static void hash_add(struct tracees *set, struct tracee *t)
{
	struct tracee **slot = hash_slot(set, t->tcb.tid);

	t->hash_next = *slot;
	*slot = t;
}

static void hash_remove(struct tracees *set, struct tracee *t)
{
	struct tracee **p = hash_slot(set, t->tcb.tid);

	while (*p != t)
		p = &(*p)->hash_next;
	*p = t->hash_next;
}

static void hash_grow(struct tracees *set)
{
	size_t old = set->hash_mask + 1;
	struct tracee **from = set->hash;

	set->hash = mem_zalloc(old * 2 * sizeof(*set->hash));
	set->hash_mask = old * 2 - 1;
	for (size_t i = 0; i < old; i++) {
		for (struct tracee *t = from[i], *next; t; t = next) {
			next = t->hash_next;
			hash_add(set, t);
		}
	}
	free(from);
}

struct tracee *tracees_find(const struct tracees *set, pid_t tid)
{
	struct tracee *t = *hash_slot(set, tid);

	while (t && t->tcb.tid != tid)
		t = t->hash_next;
	return t;
}

struct tcb *tracees_find_tcb(const struct capture *c, pid_t tid)
{
	struct tracee *t = tracees_find((const struct tracees *)c, tid);

	return t ? &t->tcb : NULL;
}

size_t tracees_count(const struct capture *c)
{
	return ((const struct tracees *)c)->count;
}

struct tcb *tracees_next(const struct capture *c, const struct tcb *prev, enum capture_order order)
{
	const struct tracees *set = (const struct tracees *)c;
	struct tracee *t;

	if (prev)
		t = order == NEWEST_FIRST ? tracee_of(prev)->all_next : tracee_of(prev)->all_prev;
	else
		t = order == NEWEST_FIRST ? set->newest : set->oldest;
	return t ? &t->tcb : NULL;
}

struct tracee *tracee_create(struct tracees *set, pid_t tid, unsigned flags)
{
	struct tracee *t = mem_zalloc(sizeof(*t));

	t->tcb.tid = tid;
	t->tcb.facts = set->capture.facts;
	t->tcb.flags = flags;
	t->tcb.capture = &set->capture;
	t->set = set;
	t->guard = &set->guard;
	t->live_memory.ops = &tracee_memory_ops;
	t->tcb.memory = &t->live_memory;
	if (set->count++ > set->hash_mask)
		hash_grow(set);
	hash_add(set, t);
	t->all_next = set->newest;
	if (set->newest)
		set->newest->all_prev = t;
	else
		set->oldest = t;
	set->newest = t;
	/*
	 * While there is only one thread, wait4(2) can return its CPU time, which takes less time.
	 * Without -f, the process may have more threads that are not traced.
	 */
	if (set->config.want_cpu_time && !set->cpu_clock && (set->count > 1 || !set->config.follow))
		set->cpu_clock = cpu_clock_create(set->capture.procfs);
	return t;
}

void tracees_queue(struct tracees *set, struct tracee *t)
{
	t->tcb.flags |= TCB_QUEUED;
	t->queue_next = NULL;
	t->queue_prev = set->queue_last;
	if (set->queue_last)
		set->queue_last->queue_next = t;
	else
		set->queue_first = t;
	set->queue_last = t;
}

void tracees_unqueue(struct tracees *set, struct tracee *t)
{
	if (!(t->tcb.flags & TCB_QUEUED))
		return;
	t->tcb.flags &= ~TCB_QUEUED;
	if (t->queue_prev)
		t->queue_prev->queue_next = t->queue_next;
	else
		set->queue_first = t->queue_next;
	if (t->queue_next)
		t->queue_next->queue_prev = t->queue_prev;
	else
		set->queue_last = t->queue_prev;
}

void tracee_remove(struct tracees *set, struct tracee *t)
{
	tracees_unqueue(set, t);
	spin_stopped(t);
	if (t->tcb.flags & TCB_ORPHAN)
		set->orphans--;
	if (set->dying == t)
		set->dying = NULL;
	t->tcb.flags &= ~(TCB_STOPPED | TCB_ORPHAN);
	t->tcb.flags |= TCB_DEAD;
	hash_remove(set, t);
	if (t->all_prev)
		t->all_prev->all_next = t->all_next;
	else
		set->newest = t->all_next;
	if (t->all_next)
		t->all_next->all_prev = t->all_prev;
	else
		set->oldest = t->all_prev;
	set->count--;
	t->hash_next = set->dead;
	set->dead = t;
}

void tracees_free_dead(struct tracees *set)
{
	while (set->dead) {
		struct tracee *t = set->dead;

		set->dead = t->hash_next;
		free(t);
	}
}

void tracee_rekey(struct tracee *t, pid_t tid)
{
	hash_remove(t->set, t);
	t->tcb.tid = tid;
	hash_add(t->set, t);
}
