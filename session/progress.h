/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The progress line, which is shown on the terminal while events go to a file. It contains the
 * number of events, their rate, the number of threads, and the size of the log. When a trace is
 * read, it contains the percentage that has been read instead of the number of threads.
 */
#ifndef TRACER_SESSION_PROGRESS_H
#define TRACER_SESSION_PROGRESS_H

#include <time.h>

#include "defs.h"

struct progress {
	const char *path;     /* path of the log; NULL if no progress line is shown */
	struct timespec next; /* next time to show the line (CLOCK_MONOTONIC) */
	struct timespec last; /* time at which the line was last shown (CLOCK_MONOTONIC) */
	uint64_t shown;	      /* number of events in the line that was shown last */
	bool visible;
};

/*
 * Prepares the line. The line is shown only if stderr is a terminal and `path` is a file. The line
 * first appears after one second or, if a command uses the terminal, after ten seconds.
 */
void progress_init(struct progress *p, const char *path, bool has_command);
/*
 * Shows the line in place of the previous one. Must be called when the time p->next has passed.
 * `unwritten` is the number of bytes that will be written to the log later. A negative `percent`
 * means that the percentage is unknown. The line then shows the number of threads instead.
 */
void progress_show(struct progress *p, uint64_t events, size_t threads, int percent,
		   uint64_t unwritten);
/* Erases the line. Must be called before a message is printed and at the end. */
void progress_clear(struct progress *p);

#endif
