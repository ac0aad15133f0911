/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main loop. */
#ifndef TRACER_SESSION_LOOP_H
#define TRACER_SESSION_LOOP_H

struct session;

/*
 * Waits for stops, passes each one to its handler and resumes the thread. Returns when s->ended is
 * set or no tracee is left.
 */
void loop_run(struct session *s);
/*
 * Handles a failed write to the log. err is -errno. Sets tracer's exit status to 1, except when
 * only the reader of the log is gone: then the command continues, and tracer's exit status is the
 * command's. If the log is stderr, SIGPIPE ends both. All formats behave as strace does for text.
 */
void loop_log_failed(struct session *s, int err);

#endif
