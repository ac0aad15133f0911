/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --io-uring=on: shows each io_uring request (io_uring(7)) as the corresponding call (uring/ops.h),
 * once the request is complete. If the engine reports requests, session/reported.h does most of the
 * work. Otherwise, submissions are read at the entry of io_uring_enter() from the memory that the
 * process shares with the kernel. Completions are read at each stop of a thread of that process. At
 * the end, messages report the rings that could not be read and the completions that were lost.
 */
#ifndef TRACER_SESSION_REQUESTS_H
#define TRACER_SESSION_REQUESTS_H

#include "defs.h"

struct requests;
struct session;
struct tcb;

/*
 * Creates the list of requests. Never returns NULL. `reported` must be true if the engine reports
 * requests (reports_requests in struct capture).
 */
struct requests *requests_create(bool reported);
/* Shows the requests in progress without a result, and frees q, which may be NULL. */
void requests_destroy(struct session *s, struct requests *q);
/*
 * Prints whether there were too many rings, how many rings could not be read, and how many
 * completions were lost or belong to unknown requests. Prints nothing if there are none.
 */
void requests_report(const struct requests *q);

/*
 * Read the rings of the thread's process: begin the requests that the thread submits, and show
 * those that are complete. Must be called at the entry and at the exit of each call, after the
 * session has handled the stop and before the thread is resumed.
 */
void requests_enter(struct session *s, struct tcb *tcb);
void requests_exit(struct session *s, struct tcb *tcb);
/*
 * Must be called when a thread is about to end. Shows the completions that may no longer be
 * readable after the end of its process.
 */
void requests_exiting(struct session *s, struct tcb *tcb);
/*
 * Lets `child` inherit the rings of its parent. Must be called after the thread `parent` has
 * created the thread or process `child`.
 */
void requests_fork(struct session *s, struct tcb *parent, struct tcb *child);
/*
 * Forget rings that a process or thread no longer has. Must be called after a successful execve of
 * a process, and when a thread is gone.
 */
void requests_exec(struct session *s, struct tcb *tcb);
void requests_gone(struct session *s, struct tcb *tcb);

#endif
