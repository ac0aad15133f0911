/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of the browser (browser.h), and functions that its parts share. */
#ifndef TRACER_TUI_BROWSER_STATE_H
#define TRACER_TUI_BROWSER_STATE_H

#include "tui/command.h"
#include "tui/extent.h"
#include "tui/feeder.h"
#include "tui/job.h"
#include "tui/model.h"
#include "tui/tree.h"

/* Number of rows that are read beyond the screen, in both directions. */
#define BROWSER_AHEAD 300
/* Time for which rows are read before the keyboard is checked again, in nanoseconds. */
#define BROWSER_WORK_NS 30000000
/*
 * The length in nanoseconds of the first part of the trace to read backwards, if it is not known
 * how many rows a part contains.
 */
#define BACK_NS 20000000
/* If a part of the trace contains too few rows, a part that is this many times longer is read. */
#define BACK_GROWTH 8

/* The goal of a search. A row must match both parts. */
struct goal {
	const char *query; /* an expression, or NULL */
	const char *text;  /* a part of the row's text or thread name, or NULL */
};

typedef VEC(struct row) row_vec;

/* The number of failed calls that ended at or before `time`. */
struct mark {
	int64_t time;
	uint64_t errors;
};

typedef VEC(struct mark) mark_vec;

struct browser {
	struct model model;
	struct command command;
	const struct live *live;  /* the recording that the trace belongs to; NULL if the trace
				     is complete */
	struct extent extent;	  /* the times that the live trace covers */
	int64_t began, newest;	  /* times of the first and the last event; 0 if unknown */
	int64_t kept_from;	  /* events before this time were dropped, see tui/live.h */
	int64_t place;		  /* the time from which rows were read last, or 0 */
	struct timespec place_at; /* if a live trace still has no rows after `place` at this
				     time, show earlier rows */

	/* Reads rows after the last one in memory. */
	struct job tail;
	bool tail_skips; /* true if rows up to and including `last` are dropped */
	struct row last; /* a copy of the last row in memory when the tail was restarted */
	pid_t feeder;	 /* process that feeds the tail of a live trace, or 0 */
	/* Reads rows before the first one in memory. */
	struct job back;
	VEC(struct row) rows; /* rows that `back` has read; the oldest are dropped */
	int64_t back_from, back_to;
	bool back_is_end; /* true if `back` reads the end of the trace */
	/* Searches. */
	struct job find;
	int find_step;	/* direction of the search: 1 or -1 */
	int find_later; /* direction of a search that starts when rows have been read, or 0 */
	int64_t find_from, find_to; /* the part that `find` reads */
	struct row here;	    /* a copy of the row where the search began */
	struct row found;	    /* the last match so far */
	struct goal goal;	    /* the goal of the search; owned */
	struct row wanted;	    /* the row to select as soon as it is read */
	/* Reads the stack of the selected row. */
	struct job detail;
	struct row shown;	   /* copy of the row to which `stack` belongs */
	struct strbuf stack;	   /* lines of the stack of `shown` */
	bool in_stack;		   /* true if the lines being read belong to the stack of `shown` */
	struct timespec detail_at; /* time to start `detail` */
	bool detail_due;
	/* Counts events and lists processes. */
	struct job scan;
	struct tree tree;
	uint64_t calls, errors;
	bool counted;	/* true if the counts are complete */
	mark_vec marks; /* sorted by time; they cover the part of the trace that was counted */
	struct tree scan_tree; /* the data that `scan` has read so far; the next members are part
				  of it */
	uint64_t scan_calls, scan_errors;
	mark_vec scan_marks;
	bool scan_wanted; /* true if the trace has grown, so another scan is needed */
	struct timespec scan_began, scan_due; /* time when the last scan began, and earliest time
						 of the next scan of a live trace */
	/* Lists the calls that have not ended. */
	struct job running;
	row_vec waits;
	row_vec waits_read; /* the rows that `running` has read */
	bool waits_known;

	char message[256]; /* message for the user, or "" */
	bool changed;	   /* true if the screen must be drawn again */
};

/* Sets the message for the user. */
void browser_say(struct browser *b, const char *text);
/* If the job has failed, shows its message. */
void browser_say_failure(struct browser *b, struct job *j);
/*
 * Starts a job that writes events in this format, limited to the part, to the filter and, unless
 * `query` is NULL, to this query. `input` is as for job_start(). Sets part->where.
 */
void browser_run(struct browser *b, struct job *j, const char *format, struct part *part,
		 const char *query, int input);
/* Parses a line as a row. Returns false if the line is not a row, or if the filter hides it. */
bool browser_take_row(struct browser *b, struct row *r, const char *line, size_t n);

#endif
