/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --blocked: reports calls that have been running for a long time. If a call is interrupted, by
 * attaching or by a stop, it is entered again; its time is counted from the first entry.
 */
#ifndef TRACER_SESSION_BLOCKED_H
#define TRACER_SESSION_BLOCKED_H

#include <time.h>

struct session;
struct tcb;

/* Must be called when the thread enters tcb->syscall, after the time of the call was set. */
void blocked_enter(struct tcb *tcb);
/* Reports each call that has been running for at least the time of --blocked, once. */
void blocked_report(struct session *s, struct timespec now);

#endif
