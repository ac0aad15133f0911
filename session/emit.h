/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What events of all kinds have in common, and those that tell of a process.
 */
#ifndef TRACER_SESSION_EMIT_H
#define TRACER_SESSION_EMIT_H

#include "event/event.h"

struct session;
struct tcb;

/* Whose event it is: the thread as it is known now. */
void emit_identify(const struct session *s, struct event *e, struct tcb *tcb);
/* When it happened, where a sink wants times: as the engine says, else now. */
void emit_time(const struct session *s, struct event *e);
/* Both. */
void emit_stamp(const struct session *s, struct event *e, struct tcb *tcb);
/* The call ends: for so long it has run, where a sink wants times. */
void emit_duration(const struct session *s, struct syscall_event *ev);

/* Gives the sinks an event of the thread's process; stack stays the caller's, NULL: it has none. */
void emit_process(struct session *s, struct tcb *tcb, enum process_kind kind, int code,
		  bool core_dumped, struct stack *stack);

/* Looks at the thread's name, where a sink shows it. Of one that is gone the old name stays. */
void comm_read(const struct session *s, struct tcb *tcb);

#endif
