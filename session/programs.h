/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Remembers the programs and control groups of processes. They are needed if the engine counts
 * calls and reports the counts only when tracing ends. By then, the processes may have ended.
 */
#ifndef TRACER_SESSION_PROGRAMS_H
#define TRACER_SESSION_PROGRAMS_H

#include "event/event.h"

struct programs;
struct session;
struct tcb;

/*
 * Creates an empty list of programs. Returns NULL if programs are not needed; the other functions
 * then do nothing. Free the result with programs_free().
 */
struct programs *programs_new(const struct session *s);
void programs_free(struct programs *p);
/*
 * Looks up the program and the control group of a thread's process if the process is not known yet,
 * or if `executed` is set because the process has just called execve.
 */
void programs_look_up(struct session *s, struct tcb *tcb, bool executed);
/*
 * Sets the program and the control group of an event whose process, e->tgid, had made `execs` calls
 * of execve. Does nothing if they are unknown. Both texts are valid until programs_free().
 */
void programs_set(const struct programs *p, struct event *e, unsigned execs);

#endif
