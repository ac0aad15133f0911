/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles signal stops and group-stops. */
#ifndef TRACER_SESSION_SIGNALS_H
#define TRACER_SESSION_SIGNALS_H

#include "defs.h"

struct session;
struct stop;
struct tcb;

void on_signal(struct session *s, struct tcb *tcb, const struct stop *stop);
/* Handles a group-stop: the signal sig stopped the thread's process. */
void on_group_stop(struct session *s, struct tcb *tcb, int sig);

#endif
