/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles the start of threads, their end, and execve. */
#ifndef TRACER_SESSION_THREADS_H
#define TRACER_SESSION_THREADS_H

#include "defs.h"

struct session;
struct stop;
struct tcb;

/* Announces a newly traced thread to the sinks. */
void thread_begin(struct session *s, struct tcb *tcb);
/*
 * Frees the data that higher layers have stored for a thread. Must be called when the thread will
 * have no more events.
 */
void thread_forget(struct session *s, struct tcb *tcb);
/* Detaches a thread, reports its detachment, and calls thread_forget(). */
void thread_detach(struct session *s, struct tcb *tcb);

/*
 * Begins the event of the call that was interrupted when tracer attached to the thread. If that
 * call is restart_syscall(2), begins the event of the resumed call instead, provided that the
 * resumed call is known.
 */
void begin_interrupted(struct session *s, struct tcb *tcb);

void on_new(struct session *s, struct tcb *tcb, const struct stop *stop);
void on_fork(struct session *s, struct tcb *tcb, const struct stop *stop);
/* Handles a successful execve. Returns false if the thread was detached and must not be resumed. */
bool on_exec(struct session *s, struct tcb *tcb, const struct stop *stop);
void on_exited(struct session *s, struct tcb *tcb, const struct stop *stop);
void on_vanished(struct session *s, struct tcb *tcb, const struct stop *stop);

#endif
