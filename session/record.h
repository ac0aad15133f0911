/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --write-trace and --read-trace: records a session, and prints messages about the recording. */
#ifndef TRACER_SESSION_RECORD_H
#define TRACER_SESSION_RECORD_H

#include "defs.h"
#include "util/foreign.h"

struct session;
struct stack;
struct stop;
struct tcb;

/* If a trace file is requested, opens it. On failure, prints a message and returns false. */
bool record_open(struct session *s);
/*
 * Must be called when all initial tracees exist. Begins the trace and announces the run to the
 * sinks.
 */
void record_start(struct session *s);
/* Must be called before a stop is handled. Sets the time that is recorded for the stop. */
void record_stop(struct session *s, struct stop *stop);
/*
 * Frees the recorder's data about a thread. Must be called when the thread will have no more
 * events.
 */
void record_forget(struct session *s, struct tcb *tcb);
/*
 * With --last, writes the kept events to files and prints a message. `why` is the reason for
 * writing them.
 */
void record_write_kept(struct session *s, const char *why);
/* Must be called after a stop was handled. Writes the record of the stop. */
void record_done(struct session *s, const struct stop *stop);
/*
 * Record that the call of a stopped thread was tampered with; see recorder_poked() and
 * recorder_tampered().
 */
void record_poked(struct session *s, struct tcb *tcb);
void record_tampered(struct session *s, struct tcb *tcb, struct foreign note);
/*
 * Like stacks_capture() and stacks_capture_syscall() (session/stacks.h), but also record the stack
 * if a trace is written. Return NULL if the stack is recorded in raw form and not needed otherwise.
 */
struct stack *record_stack(struct session *s, struct tcb *tcb);
struct stack *record_stack_syscall(struct session *s, struct tcb *tcb, bool started);
/* Writes those blocks of the trace that are due. */
void record_flush(struct session *s);
/*
 * Ends the trace, and writes the events that --last has kept. Must be called after the main loop,
 * before the remaining tracees are detached.
 */
void record_end(struct session *s);
/* Writes the remaining data and closes the trace file. */
void record_close(struct session *s);

#endif
