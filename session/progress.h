/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The progress line on the terminal while events go to a file. It shows the number of events, their
 * rate, the number of threads, and the size of the log.
 */
#ifndef TRACER_SESSION_PROGRESS_H
#define TRACER_SESSION_PROGRESS_H

#include <time.h>

#include "defs.h"

struct progress {
	const char *path;     /* of the log; NULL: no line is shown */
	struct timespec next; /* when the line is due, CLOCK_MONOTONIC */
	struct timespec last;
	uint64_t shown; /* events, at the last line */
	bool visible;
};

/*
 * Prepares the line. It is shown only if stderr is a terminal and path names a file: after one
 * second if we attached to processes, after ten if a command uses the terminal.
 */
void progress_init(struct progress *p, const char *path, bool attached);
/*
 * Writes the line, in place of the one before. To be called when next has passed. unwritten: the
 * bytes that are not in the log yet but will be.
 */
void progress_show(struct progress *p, uint64_t events, size_t threads, uint64_t unwritten);
/* Erases the line, before a message or at the end. */
void progress_clear(struct progress *p);

#endif
