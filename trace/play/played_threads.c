/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/played_threads.h"

#include <stdlib.h>

#include "util/mem.h"

#define THREADS_MAX 131072
/*
 * Approximate memory usage of a thread in bytes, including the data that the session and the sinks
 * store for it.
 */
#define THREAD_BYTES 1024

static uint64_t hash(pid_t tid)
{
	return table_hash_number((uint64_t)tid);
}

void played_threads_deinit(struct played_threads *p)
{
	played_threads_drop_all(p);
	played_threads_free(p);
	table_deinit(&p->by_tid);
}

bool played_threads_full(const struct played_threads *p)
{
	return p->count >= THREADS_MAX;
}

struct played_thread *played_threads_find(const struct played_threads *p, pid_t tid)
{
	return table_get(&p->by_tid, (uint64_t)tid);
}

struct played_thread *played_threads_add(struct played_threads *p, pid_t tid, unsigned flags)
{
	struct played_thread *t = mem_zalloc(sizeof(*t));

	t->tcb = p->like;
	t->tcb.tid = tid;
	t->tcb.flags = flags;
	t->older = p->newest;
	*(p->newest ? &p->newest->newer : &p->oldest) = t;
	p->newest = t;
	table_add(&p->by_tid, hash(tid), (uintptr_t)t);
	p->count++;
	return t;
}

static void unkey(struct played_threads *p, const struct played_thread *t)
{
	struct table_slot *slot = table_find(&p->by_tid, hash(t->tcb.tid), NULL);

	if (slot && slot->value == (uintptr_t)t)
		table_remove(&p->by_tid, slot);
}

void played_threads_keep(struct played_threads *p, struct played_thread *t, size_t kept)
{
	p->kept += kept - t->kept;
	t->kept = kept;
}

size_t played_threads_size(const struct played_threads *p)
{
	return p->kept + p->count * THREAD_BYTES;
}

void played_threads_drop(struct played_threads *p, struct played_thread *t)
{
	unkey(p, t);
	*(t->older ? &t->older->newer : &p->oldest) = t->newer;
	*(t->newer ? &t->newer->older : &p->newest) = t->older;
	played_threads_keep(p, t, 0);
	t->dead_next = p->dead;
	p->dead = t;
	p->count--;
}

void played_threads_drop_all(struct played_threads *p)
{
	while (p->newest)
		played_threads_drop(p, p->newest);
}

void played_threads_rekey(struct played_threads *p, struct played_thread *t, pid_t tid)
{
	unkey(p, t);
	t->tcb.tid = tid;
	table_add(&p->by_tid, hash(tid), (uintptr_t)t);
}

void played_threads_free(struct played_threads *p)
{
	while (p->dead) {
		struct played_thread *t = p->dead;

		p->dead = t->dead_next;
		free(t);
	}
}

static bool is_asked_for(const struct played_threads *p, pid_t id)
{
	for (size_t i = 0; i < p->nids; i++)
		if (p->ids[i] == id)
			return true;
	return !p->nids;
}

bool played_threads_chosen(const struct played_threads *p, struct played_thread *t)
{
	t->chosen = t->chosen || is_asked_for(p, t->tcb.tid) || is_asked_for(p, t->tcb.tgid);
	return t->chosen;
}
