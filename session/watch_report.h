/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is said at the end about --fail-on: messages, and the report of --report. */
#ifndef TRACER_SESSION_WATCH_REPORT_H
#define TRACER_SESSION_WATCH_REPORT_H

#include <stdio.h>

#include "defs.h"

struct session;

/* The matches of one --fail-on or --stop-on. */
struct matches {
	uint64_t count;
	char *first; /* the first event as text; NULL if count is 0 */
	char *stack; /* its stack, a line for each frame, or NULL */
};

struct watch_report {
	FILE *file; /* NULL: no report is written */
	const char *path;
	bool github; /* otherwise JUnit */
};

/*
 * Opens the file of "junit:FILE", or standard output for "github". NULL asks for no report. Returns
 * false after a message.
 */
bool watch_report_open(struct watch_report *r, const char *report);
/*
 * Prints a message for each --fail-on that has matched. matches has an element for each of the
 * options' assertions. Returns whether one has matched.
 */
bool watch_report_print(const struct session *s, const struct matches *matches);
/* Writes the report and closes it. Returns false after a message. */
bool watch_report_write(struct watch_report *r, const struct session *s,
			const struct matches *matches);

#endif
