/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How threads come, become another program, and go.
 */
#ifndef TRACER_SESSION_THREADS_H
#define TRACER_SESSION_THREADS_H

#include "defs.h"

struct session;
struct stop;
struct tcb;

/* Tells the sinks of a thread that is traced from now on. */
void thread_begin(struct session *s, struct tcb *tcb);
/* Nothing more comes of the thread: frees what the layers above the engine keep of it. */
void thread_forget(struct session *s, struct tcb *tcb);
/* Lets the thread run on untraced, and says so. */
void thread_detach(struct session *s, struct tcb *tcb);

void on_new(struct session *s, struct tcb *tcb, const struct stop *stop);
void on_fork(struct session *s, struct tcb *tcb, const struct stop *stop);
/* false: it was let go of, and is not to be resumed. */
bool on_exec(struct session *s, struct tcb *tcb, const struct stop *stop);
void on_exited(struct session *s, struct tcb *tcb, const struct stop *stop);
void on_vanished(struct session *s, struct tcb *tcb, const struct stop *stop);

#endif
