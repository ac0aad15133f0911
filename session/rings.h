/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The io_urings of all processes: the descriptors and registrations that refer to a ring, and the
 * addresses of the ring's queues. Private to the files that find requests (session/requests.h).
 */
#ifndef TRACER_SESSION_RINGS_H
#define TRACER_SESSION_RINGS_H

#include "defs.h"

struct requests;
struct ring;
struct session;
struct syscall_event;
struct tcb;

/* Returns true if a process has rings. */
bool rings_any(const struct requests *all, pid_t tgid);
/*
 * Returns the ring that a call of io_uring_enter() uses, or NULL. Creates the ring if its
 * descriptor is not known yet.
 */
struct ring *ring_of_enter(struct session *s, struct tcb *tcb, const struct syscall_event *ev);
/*
 * Finds the memory of a ring if this has not been done yet. Returns true if the ring's queues can
 * be read.
 */
bool ring_ready(const struct session *s, struct tcb *tcb, struct ring *r);
/* Creates a ring, or returns NULL if there are too many. */
struct ring *ring_create(struct requests *all, pid_t tgid, int fd);
/* Shows the pending requests of a ring without a result, and frees the ring. */
void ring_free(struct session *s, struct ring *r);

/*
 * Must be called at the exit of each call. Handles the calls that create, register, resize,
 * duplicate or close a ring.
 */
void rings_exit(struct session *s, struct tcb *tcb, const struct syscall_event *ev);
/*
 * Must be called after a fork. Adds the parent's rings to the child, which inherits their
 * descriptors and their memory.
 */
void rings_fork(struct session *s, struct tcb *parent, struct tcb *child);
/*
 * Forget the rings and registrations of a process or thread. Must be called when it is gone, or
 * when the process has executed another program.
 */
void rings_forget_process(struct session *s, pid_t tgid);
void rings_forget_thread(struct session *s, pid_t tid);

#endif
