/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main loop. */
#ifndef TRACER_SESSION_LOOP_H
#define TRACER_SESSION_LOOP_H

struct session;

/*
 * Waits for stops, handles each stop and resumes the thread. Returns when s->ended is set or no
 * tracee is left.
 */
void loop_run(struct session *s);
/*
 * Handles a failed write to the log. err is -errno. Makes tracer exit with status 1, except if the
 * reader of the log is gone. In that case the command continues, and tracer exits with the
 * command's status. If the log is stderr, SIGPIPE ends both. All formats behave as strace does for
 * text.
 */
void loop_log_failed(struct session *s, int err);

#endif
