/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When each thread ran and waited: the data from which --critical-path finds its path. */
#ifndef TRACER_SINKS_PATH_HISTORY_H
#define TRACER_SINKS_PATH_HISTORY_H

#include "event/event.h"
#include "event/wakeup.h"
#include "util/table.h"
#include "util/vec.h"

/* Times are CLOCK_MONOTONIC in nanoseconds. A thread is the index of its element plus 1, or 0. */
struct past_call {
	int64_t begin, end;
	const char *name;
	bool waited;	       /* the following members are valid */
	enum wake_cause cause; /* what ended the wait */
	uint32_t waker;	       /* the thread that did, or 0 */
	int64_t woken_at;      /* the time when it did */
};

struct past_name {
	int64_t begin;
	char comm[16]; /* as in struct event */
};

struct past_thread {
	pid_t tid, tgid;
	uint32_t parent; /* the thread that created it; 0 if that was not seen */
	bool ended;
	int64_t begin;		     /* INT64_MIN if its creation was not seen */
	int64_t end;		     /* the time of its last event so far */
	VEC(struct past_name) names; /* in the order of time */
	VEC(struct past_call) calls; /* in the order of time */
};

/* {0} is empty. */
struct history {
	VEC(struct past_thread) threads;
	struct table by_tid; /* the latest thread with each tid */
	int64_t begin, end;  /* of the run: the times of its first and last event */
	bool any;	     /* there was an event, so begin and end are valid */
};

/* Adds a call that has ended or is unfinished, or a process event. Ignores other events. */
void history_add(struct history *h, const struct event *e);
/* The thread `from` now has the id e->tid. */
void history_move(struct history *h, const struct event *e, pid_t from);
void history_deinit(struct history *h);

#endif
