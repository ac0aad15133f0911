/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills the list of --tui from the trace. Children read parts of the trace in the background; the
 * rows in memory are only a window of it. No function here waits for a child.
 */
#ifndef TRACER_TUI_BROWSER_H
#define TRACER_TUI_BROWSER_H

#include <poll.h>

#include "tui/command.h"
#include "tui/extent.h"
#include "tui/feeder.h"
#include "tui/job.h"
#include "tui/model.h"
#include "tui/tree.h"

/* The goal of a search. A row must match both parts. */
struct goal {
	const char *query; /* an expression, or NULL */
	const char *text;  /* a part of the row's text or thread name, or NULL */
};

struct browser {
	struct model model;
	struct command command;
	const struct live *live; /* the recording that the trace belongs to; NULL if complete */
	struct extent extent;	 /* of the live trace */
	int64_t began, newest;	 /* times of the first and the last event; 0 if unknown */

	/* Reads rows after the last one in memory. */
	struct job tail;
	bool tail_skips; /* rows up to and including `last` are dropped */
	struct row last; /* a copy */
	pid_t feeder;	 /* process that feeds the tail of a live trace, or 0 */
	/* Reads rows before the first one in memory. */
	struct job back;
	VEC(struct row) rows; /* rows that `back` has read; the oldest are dropped */
	int64_t back_from, back_to;
	bool back_is_end; /* `back` reads the end of the trace */
	/* Searches. */
	struct job find;
	int find_step; /* 1 or -1 */
	int64_t find_from;
	struct row here;   /* a copy of the row where the search began */
	struct row found;  /* the last match so far */
	struct goal goal;  /* owned */
	struct row wanted; /* select this row when it is read */
	/* Reads the stack of the selected row. */
	struct job detail;
	struct row shown;	   /* copy of the row to which `stack` belongs */
	struct strbuf stack;	   /* lines */
	bool in_stack;		   /* the lines being read belong to the stack of `shown` */
	struct timespec detail_at; /* time to start `detail` */
	bool detail_due;
	/* Counts events and lists processes. */
	struct job scan;
	struct tree tree;
	int64_t scanned; /* time up to which events have been counted */
	uint64_t calls, errors;
	bool counted; /* the counts are complete */
	/* Lists the calls that have not ended. */
	struct job running;
	VEC(struct row) waits;
	bool waits_known;

	char message[256]; /* message for the user, or "" */
	bool changed;	   /* the screen must be drawn again */
};

struct browser_config {
	char *const *line;	  /* the user's options, as words; ends with NULL */
	const char *const *paths; /* the traces that the options name; NULL if live */
	size_t npaths;
	const struct live *live; /* the recording that is running, or NULL */
	int64_t from, to;	 /* the part to show (CLOCK_REALTIME in nanoseconds) */
};

/* Starts to read. The configuration is borrowed during the call, except for `live`. */
void browser_init(struct browser *b, const struct browser_config *config);
void browser_deinit(struct browser *b);

/* Shows the start or the end of the trace, or the events at and after a time. */
void browser_start(struct browser *b);
void browser_end(struct browser *b);
void browser_goto(struct browser *b, int64_t time);
/* Must be called after the filter has changed. Stays at the same time. */
void browser_filter(struct browser *b);
/*
 * Searches for the next (step 1) or previous (step -1) row. Replaces a search that is running. If
 * `goal` is NULL, repeats the last one.
 */
void browser_find(struct browser *b, int step, const struct goal *goal);
/* Ends a search. Returns false if there is none. */
bool browser_cancel(struct browser *b);
/* Must be called when the selected row may have changed. */
void browser_moved(struct browser *b);
/* Starts to list calls that have not ended. */
void browser_list_running(struct browser *b);
/* Starts to count calls and to list processes. */
void browser_scan(struct browser *b);

/* Adds the descriptors to wait for to p, at most BROWSER_FDS. Returns their number. */
#define BROWSER_FDS 6
size_t browser_poll(struct browser *b, struct pollfd *p);
/* Returns the time in milliseconds after which browser_work() must be called, or -1. */
int browser_timeout(const struct browser *b);
/* For a live trace: finds out how much of it was written. */
void browser_update_extent(struct browser *b);
/* Reads what the children have written, and starts children that are needed. */
void browser_work(struct browser *b);

#endif
