/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/path/history.h"

#include <string.h>

#include "linux/syscall_desc.h"
#include "util/clock.h"

uint32_t history_thread(const struct history *h, pid_t tid)
{
	const struct table_slot *slot =
		table_find(&h->by_tid, table_hash_number((uint64_t)tid), NULL);

	return slot ? (uint32_t)slot->value : 0;
}

static void set(struct history *h, pid_t tid, uint32_t thread)
{
	const uint64_t hash = table_hash_number((uint64_t)tid);
	struct table_slot *slot = table_find(&h->by_tid, hash, NULL);

	if (slot)
		slot->value = thread;
	else
		table_add(&h->by_tid, hash, thread);
}

/* Returns the running thread with this tid. Adds a thread if there is none. */
static uint32_t find_running(struct history *h, pid_t tid)
{
	uint32_t thread = history_thread(h, tid);

	if (thread && !h->threads.v[thread - 1].ended)
		return thread;
	*vec_push(&h->threads) = (struct past_thread){.tid = tid, .tgid = tid, .begin = INT64_MIN};
	thread = (uint32_t)h->threads.n;
	set(h, tid, thread);
	return thread;
}

/* Extends the time span of the run to include `time`. */
static void see(struct history *h, int64_t time)
{
	if (!h->any || time < h->begin)
		h->begin = time;
	if (!h->any || time > h->end)
		h->end = time;
	h->any = true;
}

/* Returns the thread of an event, and records its name at `time`. */
static struct past_thread *thread_of(struct history *h, const struct event *e, int64_t time)
{
	const uint32_t thread = find_running(h, e->tid);
	struct past_thread *th = &h->threads.v[thread - 1];
	struct past_name *last = th->names.n ? &th->names.v[th->names.n - 1] : NULL;

	th->tgid = e->tgid ? e->tgid : e->tid;
	if (last && !memcmp(last->comm, e->comm, sizeof(last->comm)))
		return th;
	last = vec_push(&th->names);
	*last = (struct past_name){.begin = time};
	memcpy(last->comm, e->comm, sizeof(last->comm));
	return th;
}

static void add_call(struct history *h, const struct syscall_event *e)
{
	const int64_t begin = (int64_t)timespec_ns(e->base.mono);
	const int64_t end = begin + (int64_t)timespec_ns(e->base.duration);
	struct past_thread *th = thread_of(h, &e->base, begin);
	struct past_call *c;

	/* In a recording, times may go backwards. Ignore a call that overlaps the last one. */
	if (th->calls.n && begin < th->calls.v[th->calls.n - 1].end)
		return;
	see(h, begin);
	see(h, end);
	th->end = end > th->end ? end : th->end;
	c = vec_push(&th->calls);
	*c = (struct past_call){.begin = begin,
				.end = end,
				.name = e->row < 0 ? "unknown" : syscall_descs[e->row].name};
	if (!e->woken)
		return;
	c->waited = true;
	c->cause = e->woken->cause;
	c->waker = e->woken->tid ? history_thread(h, e->woken->tid) : 0;
	c->woken_at = e->woken->at;
	c->inferred = e->woken->inferred;
	if (!c->waker)
		return;
	if (c->inferred)
		h->inferred++;
	else
		h->reported++;
}

static void add_process(struct history *h, const struct process_event *e)
{
	const int64_t now = (int64_t)timespec_ns(e->base.mono);
	struct past_thread *th = thread_of(h, &e->base, now);
	const uint32_t parent = (uint32_t)(th - h->threads.v) + 1;
	uint32_t child;

	see(h, now);
	th->end = now > th->end ? now : th->end;
	switch (e->kind) {
	case PROCESS_EXITED:
	case PROCESS_KILLED:
	case PROCESS_SUPERSEDED:
		th->ended = true;
		break;
	case PROCESS_FORKED:
		/*
		 * find_running() may reallocate h->threads.v, so get the pointer to the thread
		 * after the call.
		 */
		child = find_running(h, e->code);
		th = &h->threads.v[child - 1];
		th->parent = parent;
		th->begin = now;
		th->end = now > th->end ? now : th->end;
		break;
	default:
		break;
	}
}

void history_add(struct history *h, const struct event *e)
{
	if (e->kind == EVENT_SYSCALL || e->kind == EVENT_UNFINISHED)
		add_call(h, event_syscall(e));
	else if (e->kind == EVENT_PROCESS)
		add_process(h, event_process(e));
}

void history_move(struct history *h, const struct event *e, pid_t from)
{
	const uint32_t thread = history_thread(h, from);

	if (!thread)
		return;
	h->threads.v[thread - 1].tid = e->tid;
	set(h, e->tid, thread);
}

void history_deinit(struct history *h)
{
	vec_for_each (&h->threads, th) {
		vec_deinit(&th->names);
		vec_deinit(&th->calls);
	}
	vec_deinit(&h->threads);
	table_deinit(&h->by_tid);
}
