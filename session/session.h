/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A run of tracer: passes events from the engine through the filters to the sinks. session.c
 * contains the sequence of steps, and the other files in session/ implement them.
 */
#ifndef TRACER_SESSION_SESSION_H
#define TRACER_SESSION_SESSION_H

struct options;

/*
 * Traces until no tracee is left or until tracing is ended. Returns the exit status. If a signal
 * ended the command or tracing, tracer kills itself with the same signal instead, unless there was
 * an error, --fail-on matched, or a trace was read.
 */
int session_run(const struct options *options);

#endif
