/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The recording of --tui and --live: a process that traces. With --tui, it writes a trace, which is
 * temporary unless --write-trace is given. With --live, it puts snapshots on a board. It detaches
 * from the tracees and ends when tracer ends, even if tracer is killed.
 */
#ifndef TRACER_TUI_LIVE_H
#define TRACER_TUI_LIVE_H

#include "tui/feeder.h"

struct live_board;
struct lock_board;
struct options;

/* The recorder, and the files that it writes. */
struct recording {
	struct live live;
	struct lock_board *locks; /* with --tui: holders of locks, from the recorder; NULL if memory
				     is short */
	struct live_board *board; /* with --live: where snapshots are put; otherwise NULL */
	int output;	  /* file with the terminal output of the program and the recorder, or -1 */
	uint64_t dropped; /* number of bytes at the start of the recording that were dropped */
	int64_t kept_from; /* if bytes were dropped: CLOCK_REALTIME of the first event that is left,
			      in nanoseconds */
	uint64_t limit;	   /* maximum size of the temporary trace */
	bool kept; /* true if the user wants the trace (--write-trace), so nothing is dropped */
};

/*
 * Starts the recorder. Output of the program to the terminal goes to a temporary file. The program
 * has no controlling terminal. If its standard input is the terminal, /dev/null replaces it. On
 * failure, prints a message and returns false.
 */
bool live_start(struct recording *r, const struct options *o);
/* If the temporary trace has become too large, drops its oldest part. */
void live_limit(struct recording *r);
/*
 * Ends the recording. The tracees continue. Copies the output of the program to standard output.
 * Returns the exit status of the recorder, or 0 if the program is still running. If a signal has
 * killed the program, ends tracer with the same signal.
 */
int live_end(struct recording *r);

#endif
