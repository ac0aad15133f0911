/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fills in the members that all events have, and passes events to the sinks. */
#ifndef TRACER_SESSION_EMIT_H
#define TRACER_SESSION_EMIT_H

#include "event/event.h"

struct session;
struct tcb;

/*
 * If a query needs the event's program and control group, sets them. Both texts are valid until
 * thread_forget() or until this function is called for the thread after its next execve.
 */
void emit_program(const struct session *s, struct event *e, struct tcb *tcb);
/*
 * Fills in an event's thread: the current ids, the name and the last syscall of tcb. Also calls
 * emit_program().
 */
void emit_identify(const struct session *s, struct event *e, struct tcb *tcb);
/*
 * If a sink needs times, sets the time of an event to the time of the stop that the engine
 * reported, or to the current time if the engine does not report times.
 */
void emit_time(const struct session *s, struct event *e);
/* Does both emit_identify() and emit_time(). */
void emit_stamp(const struct session *s, struct event *e, struct tcb *tcb);
/*
 * With --secontext, sets the SELinux context of the event's thread. The text is valid until the
 * next call of this function.
 */
void emit_secontext(struct session *s, struct event *e, struct tcb *tcb);
/* If a sink needs times, sets the duration of a call that ends now. */
void emit_duration(const struct session *s, struct syscall_event *ev);
/*
 * If the thread is in a call that the sinks have seen, passes the call to them as EVENT_UNFINISHED,
 * with the call's duration so far.
 */
void emit_unfinished(struct session *s, struct tcb *tcb);

/* Passes a call to the sinks as an event of the given kind. */
void emit_call(struct session *s, struct syscall_event *ev, enum event_kind kind);
/*
 * Passes e to the sinks. Sets base.kind, the name and the values of e. The caller sets all other
 * members.
 */
void emit_process_event(struct session *s, struct process_event *e);
/*
 * Passes a new event of the given kind to the sinks. `code` and `core_dumped` are as in struct
 * process_event. The caller keeps ownership of stack, which may be NULL.
 */
void emit_process(struct session *s, struct tcb *tcb, enum process_kind kind, int code,
		  bool core_dumped, struct stack *stack);

/*
 * Reads the thread's name if a sink needs it. If the thread is gone, its last known name is kept.
 */
void comm_read(const struct session *s, struct tcb *tcb);
/*
 * If the thread is the first one of its process, passes the process's command line to the sinks
 * that need it.
 */
void command_read(struct session *s, struct tcb *tcb);

#endif
