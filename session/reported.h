/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles io_uring requests that the engine reports, for session/requests.h. */
#ifndef TRACER_SESSION_REPORTED_H
#define TRACER_SESSION_REPORTED_H

struct session;
struct stop;
struct tcb;

/*
 * Must be called at the entry of each call. Captures the stack of io_uring_enter(), because the
 * requests that it submits have the same stack.
 */
void reported_enter(struct session *s, struct tcb *tcb);

/* Handles a STOP_REQUEST_* stop. */
void reported_stop(struct session *s, const struct stop *stop);

#endif
