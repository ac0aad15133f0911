/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The final report about --fail-on: messages, and the file that --report names. */
#ifndef TRACER_SESSION_WATCH_REPORT_H
#define TRACER_SESSION_WATCH_REPORT_H

#include <stdio.h>

#include "defs.h"

struct session;

/* The matches of one --fail-on or --stop-on expression. */
struct matches {
	uint64_t count;
	char *first; /* text of the first matching event; NULL if count is 0 */
	char *stack; /* stack of that event, one line per frame, or NULL */
};

struct watch_report {
	FILE *file; /* NULL if no report is written */
	const char *path;
	bool github; /* use the GitHub format instead of JUnit */
};

/*
 * Opens the file of "junit:FILE", or standard output for "github". If report is NULL, no report is
 * written. On failure, prints a message and returns false.
 */
bool watch_report_open(struct watch_report *r, const char *report);
/*
 * Prints a message for each --fail-on expression that has matched. `matches` has one element for
 * each assertion in the options. Returns whether any has matched.
 */
bool watch_report_print(const struct session *s, const struct matches *matches);
/* Writes the report and closes it. On failure, prints a message and returns false. */
bool watch_report_write(struct watch_report *r, const struct session *s,
			const struct matches *matches);

#endif
