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
 * Handles a failed write to the log. err is -errno. If the reader of the log is gone, the command
 * continues, and tracer exits with the command's status. Without a command (-p), tracing then ends.
 * After any other error, tracer exits with status 1. (If the log is stderr and its reader is gone,
 * SIGPIPE ends tracer and the command.) These rules are those of strace, for all formats.
 */
void loop_log_failed(struct session *s, int err);

#endif
