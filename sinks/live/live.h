/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sink of --live: adds up the calls of each thread, and makes a snapshot of the sums at each
 * interval. The sums are kept in the tables of summaries (sinks/summary/rows.h).
 */
#ifndef TRACER_SINKS_LIVE_LIVE_H
#define TRACER_SINKS_LIVE_LIVE_H

#include "sinks/live/snapshot.h"
#include "sinks/live/table.h"
#include "sinks/sink.h"

struct live_board;

#define LIVE_WANTS (WANTS_TIMES | WANTS_COMM | WANTS_TGID)

struct live_config {
	struct live_board *board; /* where to put snapshots; NULL to write tables as text */
	/* The members below are for text. */
	struct live_view view;
	size_t top; /* maximum number of lines in a table */
	/* Called with each table. Returns 0 or -errno. */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

/* A thread and its current call. */
struct live_running {
	pid_t tid, tgid;
	char comm[16];
	bool kernel; /* true if this is a kernel thread, which makes no calls and is not shown */
	pid_t waker; /* the thread that last woke this one during a call, or 0 if unknown */
	const char *name; /* NULL if the thread is in no call; the members below are then 0 */
	unsigned abi;	  /* index in abis[] of linux/arch/abi.h */
	uint64_t nr;	  /* the number in a struct syscall_set */
	int64_t for_ns;	  /* time since the entry, in nanoseconds */
	/*
	 * True if the call began before tracing. The sink then receives an event for the call only
	 * if the call is still running when tracing ends. If this event is an EVENT_COUNTS, it
	 * contains only the time since the last snapshot.
	 */
	bool old;
};

/* Creates the sink, which copies `config`. Never returns NULL. */
struct sink *live_sink_create(const struct live_config *config);
/*
 * Stores the state of a thread for the next snapshot. Must be called before live_publish() for each
 * thread that is in a call.
 */
void live_running(struct sink *sink, const struct live_running *r);
/* Sets *wait to a description of the wait of thread `tid`. */
typedef void (*live_describe)(void *ctx, pid_t tid, struct live_wait *wait);
/*
 * Makes a snapshot and shows it. `now` is CLOCK_MONOTONIC in nanoseconds. `describe` is called only
 * if the snapshot is written as text (the board in the configuration is NULL): once for each row
 * that shows a call.
 */
void live_publish(struct sink *sink, int64_t now, live_describe describe, void *ctx);

#endif
