/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part of session/requests.h for engines that report requests of io_urings. */
#ifndef TRACER_SESSION_REPORTED_H
#define TRACER_SESSION_REPORTED_H

struct session;
struct stop;
struct tcb;

/* At the entry of a call, like requests_enter(). */
void reported_enter(struct session *s, struct tcb *tcb);

/* At a STOP_REQUEST_*. */
void reported_stop(struct session *s, const struct stop *stop);

#endif
