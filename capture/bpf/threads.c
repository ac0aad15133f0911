/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/threads.h"

#include <stdlib.h>

#include "util/mem.h"

void threads_deinit(struct threads *s)
{
	while (s->oldest)
		threads_drop(s, s->oldest);
	threads_free_gone(s);
	table_deinit(&s->by_tid);
}

static struct table_slot *slot_of(const struct threads *s, pid_t tid)
{
	return table_find(&s->by_tid, table_hash_number((uint64_t)tid), NULL);
}

struct thread *threads_find(const struct threads *s, pid_t tid)
{
	if (s->newest && s->newest->tcb.tid == tid)
		return s->newest;
	return table_get(&s->by_tid, (uint64_t)tid);
}

static void enter_table(struct threads *s, struct thread *t)
{
	table_add(&s->by_tid, table_hash_number((uint64_t)t->tcb.tid), (uintptr_t)t);
}

struct thread *threads_add(struct threads *s, pid_t tid, pid_t tgid, unsigned flags)
{
	struct thread *t = mem_zalloc(sizeof(*t));

	t->tcb.tid = tid;
	t->tcb.tgid = tgid;
	t->tcb.flags = flags;
	t->older = s->newest;
	if (s->newest)
		s->newest->newer = t;
	else
		s->oldest = t;
	s->newest = t;
	s->n++;
	if (flags & TCB_UNREPORTED)
		s->nunreported++;
	if (tgid && tgid != tid) {
		t->leader = threads_find(s, tgid);
		if (t->leader)
			t->leader->members++;
	}
	enter_table(s, t);
	return t;
}

/* Sets the member `leader` to NULL in all threads that have this leader. */
static void forget_leader(struct threads *s, const struct thread *leader)
{
	for (struct thread *t = s->oldest; t && leader->members; t = t->newer)
		if (t->leader == leader)
			t->leader = NULL;
}

void threads_drop(struct threads *s, struct thread *t)
{
	table_remove(&s->by_tid, slot_of(s, t->tcb.tid));
	if (t->leader)
		t->leader->members--;
	else
		forget_leader(s, t);
	if (t->tcb.flags & TCB_UNREPORTED)
		s->nunreported--;
	*(t->older ? &t->older->newer : &s->oldest) = t->newer;
	*(t->newer ? &t->newer->older : &s->newest) = t->older;
	s->n--;
	/* Keep the links of the thread, because the caller may be iterating over the list. */
	t->tcb.flags |= TCB_GONE;
	t->leader = s->gone;
	s->gone = t;
}

void threads_free_gone(struct threads *s)
{
	while (s->gone) {
		struct thread *t = s->gone;

		s->gone = t->leader;
		strbuf_deinit(&t->fds);
		free(t);
	}
}

void threads_make_leader(struct threads *s, struct thread *t, pid_t tid)
{
	table_remove(&s->by_tid, slot_of(s, t->tcb.tid));
	if (t->leader)
		t->leader->members--;
	t->leader = NULL;
	t->tcb.tid = t->tcb.tgid = tid;
	enter_table(s, t);
}
