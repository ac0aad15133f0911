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
	char *first; /* the first matching event as text; NULL if there is none */
	char *stack; /* the stack of that event, one line per frame, or NULL */
};

struct watch_report {
	FILE *file; /* NULL if no report is written */
	const char *path;
	bool github; /* true for the GitHub format, false for JUnit */
};

/*
 * Opens the file FILE if `report` is "junit:FILE", or standard output if it is "github". If
 * `report` is NULL, no report will be written. On failure, prints a message and returns false.
 */
bool watch_report_open(struct watch_report *r, const char *report);
/*
 * Prints a message for each --fail-on expression that has matched. `matches` has one element for
 * each assertion in the options. Returns true if any expression has matched.
 */
bool watch_report_print(const struct session *s, const struct matches *matches);
/* Writes the report and closes it. On failure, prints a message and returns false. */
bool watch_report_write(struct watch_report *r, const struct session *s,
			const struct matches *matches);

#endif
