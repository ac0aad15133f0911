/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A snapshot for --live: the calls of each thread and the time that the thread has spent in them.
 * The sink (sinks/live/live.h) makes a snapshot at each interval. The table (sinks/live/table.h)
 * shows the snapshot.
 */
#ifndef TRACER_SINKS_LIVE_SNAPSHOT_H
#define TRACER_SINKS_LIVE_SNAPSHOT_H

#include <sys/types.h>

#include "defs.h"
#include "util/vec.h"

#define LIVE_NAME 32
#define LIVE_TEXT 200

struct live_sums {
	uint64_t calls, errors;
	uint64_t bytes; /* transferred by read, write and similar calls */
	/*
	 * Elapsed time in calls, in nanoseconds. Includes the time so far of calls that have not
	 * ended.
	 */
	int64_t time;
};

/* The sums of a thread's calls with the same number. */
struct live_call {
	char name[LIVE_NAME];
	struct live_sums all, recent; /* since the start, and since the previous snapshot */
};

/*
 * A thread or, if tid is 0, the sums of ended threads: those of the running process tgid or, if
 * tgid is 0, those of all processes that have ended.
 */
struct live_thread {
	pid_t tid, tgid;
	char comm[16]; /* ends at a NUL or at the end of the array */
	bool ended;    /* true if the thread has ended since the previous snapshot */
	pid_t waker;   /* with --wakers: the thread that ended its last wait, or 0 */
	/* The current call, or "" if the thread is in none, and the time since its entry in ns. */
	char in_call[LIVE_NAME];
	int64_t in_call_for;
	struct live_sums all, recent;
	size_t first, ncalls; /* index in live_snapshot.calls of the thread's first call, and number
				 of its calls */
};

struct live_head {
	uint64_t number;	 /* 1 for the first snapshot of the run */
	int64_t since, interval; /* time since the start and since the last snapshot, in ns */
	uint64_t lost;		 /* number of events that are missing from all sums */
	bool last;		 /* true if tracing has ended */
};

struct live_snapshot {
	struct live_head head;
	VEC(struct live_thread) threads;
	VEC(struct live_call) calls;
};

/* The wait of a thread. */
struct live_wait {
	pid_t tid;	      /* the thread; 0 if it does not wait */
	pid_t holder;	      /* the thread that holds the lock that `tid` is waiting for, or 0 */
	pid_t joined;	      /* the thread that `tid` is waiting to join, or 0 */
	char text[LIVE_TEXT]; /* the call with its arguments; "" if unknown */
};

static inline void live_sums_add(struct live_sums *to, const struct live_sums *more)
{
	to->calls += more->calls;
	to->errors += more->errors;
	to->bytes += more->bytes;
	to->time += more->time;
}

static inline void live_snapshot_deinit(struct live_snapshot *s)
{
	vec_deinit(&s->threads);
	vec_deinit(&s->calls);
}

#endif
