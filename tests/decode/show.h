/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tracer shows of a call that nobody makes. */
#ifndef TRACER_TESTS_DECODE_SHOW_H
#define TRACER_TESTS_DECODE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "call.h"

struct shown {
	char *text; /* the lines of the text output, separated by \n */
	char *json; /* of the JSON object "args", "ret", "error" and what follows them but times */
};

/*
 * Decodes the call and renders it by the sinks, with its own options. planned: decoding sees no
 * more of its memory than the read plan of its row names (capture/plan.h).
 */
void show(const struct call *c, bool planned, struct shown *shown);
/*
 * Decodes the call with all that queries may ask about it, and passes its entry and its exit to a
 * sink.
 */
struct sink;
void show_to(const struct call *c, struct sink *sink);
void shown_release(struct shown *shown);
/* Releases what is kept from one call to the next. */
void show_end(void);

#endif
