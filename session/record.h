/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --write-trace and --read-trace: what a session records, and what it says of the recording. */
#ifndef TRACER_SESSION_RECORD_H
#define TRACER_SESSION_RECORD_H

#include "defs.h"
#include "util/foreign.h"

struct session;
struct stack;
struct stop;
struct tcb;

/* Opens the trace to write, if there is to be one. Returns false after a message. */
bool record_open(struct session *s);
/* All that is traced from the start is there: the trace begins, and sinks are told of the run. */
void record_start(struct session *s);
/* Before and after a stop is handled, which gets the time of its record. */
void record_stop(struct session *s, struct stop *stop);
/* Nothing more comes of the thread. */
void record_forget(struct session *s, struct tcb *tcb);
/* With --last: writes what is kept to files, and says so; why is what made us do it. */
void record_write_kept(struct session *s, const char *why);
void record_done(struct session *s, const struct stop *stop);
/* The call of the thread that is stopped was tampered with: see recorder_poked(),
 * recorder_tampered(). */
void record_poked(struct session *s, struct tcb *tcb);
void record_tampered(struct session *s, struct tcb *tcb, struct foreign note);
/*
 * As stacks_capture() and stacks_capture_syscall() (session/stacks.h), of which what they give is
 * recorded.
 */
struct stack *record_stack(struct session *s, struct tcb *tcb);
struct stack *record_stack_syscall(struct session *s, struct tcb *tcb, bool started);
/* Has what is due written. */
void record_flush(struct session *s);
/* The loop is over; what is still traced is about to be let go of. */
void record_end(struct session *s);
/* The rest is written, and the file closed. */
void record_close(struct session *s);

#endif
