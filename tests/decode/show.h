/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shows a syscall as tracer does, without a process that makes it. */
#ifndef TRACER_TESTS_DECODE_SHOW_H
#define TRACER_TESTS_DECODE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "call.h"

struct shown {
	char *text; /* the lines of the text output, separated by \n */
	char *json; /* the members "args", "ret", "error" and those after them, except times, of the
		       JSON object */
};

/*
 * Decodes the call and formats it with all sinks, with its own options. If `planned` is set,
 * decoding sees only the memory that the read plan of the row names (capture/plan.h).
 */
void show(const struct call *c, bool planned, struct shown *shown);
struct sink;

/*
 * Decodes the call with everything that queries may ask for, and passes its entry and exit to a
 * sink.
 */
void show_to(const struct call *c, struct sink *sink);
void shown_release(struct shown *shown);
/* Releases the state that is kept from call to call. */
void show_end(void);

#endif
