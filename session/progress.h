/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The progress line: on a terminal, while the events go to a file, how many
 * there were, how fast they come, of how many threads, how long the log is.
 */
#ifndef TRACER_PROGRESS_H
#define TRACER_PROGRESS_H

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
 * Ready to show: only where stderr is a terminal and path names a file. After
 * one second where we attached, after ten where the command owns the terminal.
 */
void progress_init(struct progress *p, const char *path, bool attached);
/* The line is due: writes it over the one before. */
void progress_show(struct progress *p, uint64_t events, size_t threads);
/* Takes the line off the terminal, before a message or the end. */
void progress_clear(struct progress *p);

#endif
