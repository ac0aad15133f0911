/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The requests of io_urings (io_uring(7)), for --io-uring=on. Some engines report requests; then
 * most of the work is in session/reported.h. With the other engines, requests are read at the entry
 * of io_uring_enter() from the memory that the process shares with the kernel, and completions at
 * each stop of a thread of that process. A request is shown once it is complete, as the call that
 * it stands for, uring/ops.h. Requests that cannot be seen are counted and reported.
 */
#ifndef TRACER_SESSION_REQUESTS_H
#define TRACER_SESSION_REQUESTS_H

#include "defs.h"

struct requests;
struct session;
struct tcb;

/* If `reported` is set, the engine reports requests, see struct capture. */
struct requests *requests_create(bool reported);
/* Shows what is still in progress, without a result, and frees it. NULL is fine. */
void requests_destroy(struct session *s, struct requests *q);
/* Reports how many requests could not be seen, if any. */
void requests_report(const struct requests *q);

/*
 * At the entry and at the exit of a call, after the session has handled the stop, and while the
 * thread is still stopped.
 */
void requests_enter(struct session *s, struct tcb *tcb);
void requests_exit(struct session *s, struct tcb *tcb);
/* A thread is about to end: its process may have completions that it will not look for. */
void requests_exiting(struct session *s, struct tcb *tcb);
/* A thread has created another thread or process. */
void requests_fork(struct session *s, struct tcb *parent, struct tcb *child);
/* The process has executed another program, or the thread is gone: with the last one, its rings. */
void requests_exec(struct session *s, struct tcb *tcb);
void requests_gone(struct session *s, struct tcb *tcb);

#endif
