/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From stop to stop.
 */
#ifndef TRACER_SESSION_LOOP_H
#define TRACER_SESSION_LOOP_H

struct session;

/* Waits for stops, hands each to its handler and resumes, until s->ended or nobody is left. */
void loop_run(struct session *s);
/*
 * The log cannot be written: err is -errno of that. Our status will be 1; but if only its reader is
 * gone, it is that of the command, which goes on, and which SIGPIPE ends with us if the log is
 * stderr. So it is in all formats as strace has it for text.
 */
void loop_log_failed(struct session *s, int err);

#endif
