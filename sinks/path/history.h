/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records when each thread ran and waited. --critical-path finds its path in this data. */
#ifndef TRACER_SINKS_PATH_HISTORY_H
#define TRACER_SINKS_PATH_HISTORY_H

#include "event/event.h"
#include "event/wakeup.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * A call of a thread. Times are CLOCK_MONOTONIC in nanoseconds. A thread is stored as its index
 * plus 1, or as 0 if there is none.
 */
struct past_call {
	int64_t begin, end;
	const char *name;
	bool waited;	       /* true if the call waited; the next members are then valid */
	bool inferred;	       /* true if the waker was inferred from the order of calls */
	enum wake_cause cause; /* the cause that ended the wait */
	uint32_t waker;	       /* the thread that ended the wait, or 0 */
	int64_t woken_at;      /* time at which the wait was ended */
};

struct past_name {
	int64_t begin;
	char comm[16]; /* name of the thread */
};

struct past_thread {
	pid_t tid, tgid;
	/* the thread that created this thread, or 0 if tracer did not see the creation */
	uint32_t parent;
	bool ended;
	/* time at which the thread was created, or INT64_MIN if tracer did not see the creation */
	int64_t begin;
	int64_t end;		     /* time of the thread's last event */
	VEC(struct past_name) names; /* in chronological order */
	VEC(struct past_call) calls; /* in chronological order */
};

/* The history; initially {0}. */
struct history {
	VEC(struct past_thread) threads;
	struct table by_tid; /* maps a tid to the most recent thread with this tid */
	int64_t begin, end;  /* times of the first and last event of the run */
	bool any;	     /* true if there was an event; `begin` and `end` are then valid */
	/*
	 * Numbers of waits that a thread of the run ended. `reported` counts waits whose waker the
	 * kernel reported, and `inferred` counts waits whose waker tracer inferred.
	 */
	size_t reported, inferred;
};

/* Adds a call that has ended or is unfinished, or a process event. Ignores other events. */
void history_add(struct history *h, const struct event *e);
/* Records that the thread with the id `from` now has the id e->tid. */
void history_move(struct history *h, const struct event *e, pid_t from);
/* Returns the most recent thread with this tid, stored as in struct past_call. */
uint32_t history_thread(const struct history *h, pid_t tid);
void history_deinit(struct history *h);

#endif
