/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The io_urings of all processes: which descriptors and registrations refer to a ring, and where
 * its queues are. Private to the files that find requests (session/requests.h).
 */
#ifndef TRACER_SESSION_RINGS_H
#define TRACER_SESSION_RINGS_H

#include "defs.h"

struct requests;
struct ring;
struct session;
struct syscall_event;
struct tcb;

/* Returns whether a process has rings. */
bool rings_any(const struct requests *all, pid_t tgid);
/* Returns the ring that a call of io_uring_enter() uses, or NULL. */
struct ring *ring_of_enter(struct session *s, struct tcb *tcb, const struct syscall_event *ev);
/*
 * Finds the memory of a ring when it is used for the first time. Returns whether its queues can be
 * read.
 */
bool ring_ready(const struct session *s, struct tcb *tcb, struct ring *r);
/* Creates a ring, or returns NULL if there are too many. */
struct ring *ring_create(struct requests *all, pid_t tgid, int fd);
/* Shows the pending requests of a ring without a result, and frees it. */
void ring_free(struct session *s, struct ring *r);

/* Must be called at the exit of each call. */
void rings_exit(struct session *s, struct tcb *tcb, const struct syscall_event *ev);
/* The child has inherited the descriptors of its parent, and the memory of its rings. */
void rings_fork(struct session *s, struct tcb *parent, struct tcb *child);
/* The process, or one of its threads, is gone or has executed another program. */
void rings_forget_process(struct session *s, pid_t tgid);
void rings_forget_thread(struct session *s, pid_t tid);

#endif
