/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --blocked: reports calls that have been running for a long time. A call that was interrupted, by
 * attaching or by a stop, begins again by another entry; its time is counted from the first one.
 */
#ifndef TRACER_SESSION_BLOCKED_H
#define TRACER_SESSION_BLOCKED_H

#include <time.h>

struct session;
struct tcb;

/* The thread enters tcb->syscall, whose time is set. */
void blocked_enter(struct tcb *tcb);
/* Reports each call that has been running for longer than --blocked, once. */
void blocked_report(struct session *s, struct timespec now);

#endif
