/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fills in the heads of events, and gives events to the sinks. */
#ifndef TRACER_SESSION_EMIT_H
#define TRACER_SESSION_EMIT_H

#include "event/event.h"

struct session;
struct tcb;

/* Sets the thread of an event: its ids, name and last syscall as they are known now. */
void emit_identify(const struct session *s, struct event *e, struct tcb *tcb);
/* Sets the time of an event if a sink wants times: the engine's time of the stop, or now. */
void emit_time(const struct session *s, struct event *e);
/* emit_identify() and emit_time(). */
void emit_stamp(const struct session *s, struct event *e, struct tcb *tcb);
/* Sets the duration of a call that ends now, if a sink wants times. */
void emit_duration(const struct session *s, struct syscall_event *ev);
/* If the thread is in a call that the sinks know, gives them the time that it has taken so far. */
void emit_unfinished(struct session *s, struct tcb *tcb);

/* Gives a call to the sinks as an event of that kind. */
void emit_call(struct session *s, struct syscall_event *ev, enum event_kind kind);
/* Gives e, of which everything is set but its kind, name and values, to the sinks. */
void emit_process_event(struct session *s, struct process_event *e);
/* Makes such an event of the thread's process. stack, or NULL, remains the caller's. */
void emit_process(struct session *s, struct tcb *tcb, enum process_kind kind, int code,
		  bool core_dumped, struct stack *stack);

/* Reads the thread's name, if a sink shows it. The name of a thread that is gone is kept. */
void comm_read(const struct session *s, struct tcb *tcb);

#endif
