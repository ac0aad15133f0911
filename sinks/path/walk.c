/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/path/walk.h"

/* Maximum number of successive moves between threads at the same point in time. */
#define IDLE_MAX 64

struct walk {
	const struct history *h;
	struct path *path;
	uint32_t thread;
	int64_t time;
	/*
	 * True if the walk has just moved to this thread, because a call of the thread created
	 * another thread or ended its wait at this time. If the call itself waited, it is unknown
	 * whether its own wait was before or after that time, so the call is treated as one that
	 * did not wait.
	 */
	bool arrived;
	/* the wait that led the walk to the current thread, as in struct path_step */
	uint32_t waiter;
	const char *waiter_call;
	bool inferred;
};

static const struct past_thread *thread_of(const struct walk *w)
{
	return &w->h->threads.v[w->thread - 1];
}

/* Returns the last call of a thread that began before `time`, or NULL. */
static const struct past_call *call_before(const struct past_thread *th, int64_t time)
{
	size_t low = 0, high = th->calls.n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (th->calls.v[mid].begin < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &th->calls.v[low - 1] : NULL;
}

/* Adds a step from `begin` to the current time of the walk, and moves the walk to `begin`. */
static void step(struct walk *w, int64_t begin, const struct past_call *c)
{
	struct path_step *s;

	w->arrived = false;
	if (begin < w->h->begin)
		begin = w->h->begin;
	if (begin >= w->time)
		return;
	s = vec_push(&w->path->steps);
	*s = (struct path_step){.thread = w->thread,
				.begin = begin,
				.end = w->time,
				.waiter = w->waiter,
				.waiter_call = w->waiter_call,
				.inferred = w->inferred};
	if (c) {
		s->name = c->name;
		s->waited = c->waited;
		s->cause = c->cause;
	}
	w->time = begin;
}

/*
 * Adds a step for a call. If another thread ended the wait of the call, the step covers only the
 * time after the wake-up, and the walk moves to that thread.
 */
static void walk_call(struct walk *w, const struct past_call *c)
{
	int64_t at = c->woken_at < w->time ? c->woken_at : w->time;
	struct past_call rest = *c;

	if (w->arrived || !c->waited || !c->waker || c->waker == w->thread || at <= c->begin) {
		rest.waited &= !c->waker;
		step(w, c->begin, &rest);
		return;
	}
	/* The time between the wake-up and the end of the call counts as time in the call. */
	rest.waited = false;
	step(w, at, &rest);
	w->waiter = w->thread;
	w->waiter_call = c->name;
	w->inferred = c->inferred;
	if (c->inferred)
		w->path->inferred++;
	else
		w->path->reported++;
	w->thread = c->waker;
	w->arrived = true;
}

/*
 * Adds a step back to the creation of this thread, and moves to the thread that created it. Returns
 * false if the walk cannot go back further, for example because the creator is unknown.
 */
static bool walk_birth(struct walk *w)
{
	const struct past_thread *th = thread_of(w);

	step(w, th->begin, NULL);
	if (!th->parent || th->begin <= w->h->begin || th->begin < w->time)
		return false;
	w->thread = th->parent;
	w->arrived = true;
	w->waiter = 0;
	w->waiter_call = NULL;
	w->inferred = false;
	return true;
}

static uint32_t last_thread(const struct history *h)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < h->threads.n; i++)
		if (!last || h->threads.v[i].end > h->threads.v[last - 1].end)
			last = i + 1;
	return last;
}

void path_walk(const struct history *h, struct path *p)
{
	struct walk w = {.h = h, .path = p, .thread = last_thread(h), .time = h->end};

	/*
	 * In a recording, times may go backwards. This limit keeps the loop from running forever.
	 */
	for (unsigned idle = 0; w.thread && w.time > h->begin && idle < IDLE_MAX; idle++) {
		const int64_t before = w.time;
		const struct past_call *c = call_before(thread_of(&w), w.time);

		if (!c) {
			if (!walk_birth(&w))
				break;
		} else if (c->end < w.time) {
			step(&w, c->end, NULL);
		} else {
			walk_call(&w, c);
		}
		if (w.time < before)
			idle = 0;
	}
	if (w.thread)
		step(&w, h->begin, NULL);
}

const char *path_comm(const struct history *h, uint32_t thread, int64_t time)
{
	const struct past_thread *th = &h->threads.v[thread - 1];
	const char *comm = th->names.n ? th->names.v[0].comm : "";

	for (size_t i = 1; i < th->names.n && th->names.v[i].begin <= time; i++)
		comm = th->names.v[i].comm;
	return comm;
}
