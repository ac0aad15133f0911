/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A run: takes what the event loop reports from stop to event, through the
 * filters, to the sinks. What each part does is in the part; here is the order.
 */
#ifndef TRACER_SESSION_SESSION_H
#define TRACER_SESSION_SESSION_H

struct options;

/* Traces until no tracee is left or the user ends it. The status the program exits with. */
int session_run(const struct options *options);

#endif
