/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of --live: sorts the threads of a snapshot and formats them as lines of text. */
#ifndef TRACER_SINKS_LIVE_TABLE_H
#define TRACER_SINKS_LIVE_TABLE_H

#include "sinks/live/snapshot.h"
#include "util/strbuf.h"

enum live_key {
	LIVE_BY_TIME,
	LIVE_BY_CALLS,
	LIVE_BY_ERRORS,
	LIVE_BY_BYTES,
	LIVE_BY_WAIT, /* the time since the entry of the current call */
	LIVE_BY_NAME,
	LIVE_BY_PID
};

struct live_view {
	enum live_key key;
	bool folded;	  /* true: one line per process; false: one line per thread */
	bool since_start; /* true: sums since the start; false: sums of the interval */
};

/* A line: a thread, a process, or a call of one of these. */
struct live_line {
	pid_t tid, tgid; /* tid is 0 for a process, a call, or the sum of ended threads */
	char name[LIVE_NAME];
	size_t threads; /* number of threads of a process; 0 if the line is not a process */
	bool ended;
	char in_call[LIVE_NAME];
	int64_t in_call_for;
	pid_t in_call_tid;    /* the thread to which in_call belongs */
	pid_t waker;	      /* the waker of in_call_tid, as in struct live_thread */
	char most[LIVE_NAME]; /* the call with the largest part of the time, or "" */
	struct live_sums sums;
};

typedef VEC(struct live_line) live_lines;

/* Replaces the lines by those of the snapshot, sorted. */
void live_table_threads(live_lines *lines, const struct live_snapshot *s,
			const struct live_view *view);
/*
 * Replaces the lines by the calls of a thread or, if tid is 0, of the threads of process tgid,
 * sorted.
 */
void live_table_calls(live_lines *lines, const struct live_snapshot *s,
		      const struct live_view *view, pid_t tgid, pid_t tid);
/* Returns the name of a key, such as "time" or "calls". */
const char *live_key_name(enum live_key key);
/*
 * Append the headings, and a line, without newlines. `width` is the available width in characters.
 * If it is small, some columns are omitted. `wait` may be NULL.
 */
void live_table_head(struct strbuf *b, const struct live_view *view, size_t width);
void live_table_line(struct strbuf *b, const struct live_line *line, const struct live_wait *wait,
		     const struct live_snapshot *s, const struct live_view *view, size_t width);
/* Like live_table_head() and live_table_line(), but for the calls of a thread or process. */
void live_calls_head(struct strbuf *b, const struct live_view *view);
void live_calls_line(struct strbuf *b, const struct live_line *line, const struct live_snapshot *s,
		     const struct live_view *view);

#endif
