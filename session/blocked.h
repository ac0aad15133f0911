/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --blocked: reports calls that have been running for a long time. A call that is interrupted, by
 * attaching or by a stop, is entered again. Its time is counted from its first entry.
 */
#ifndef TRACER_SESSION_BLOCKED_H
#define TRACER_SESSION_BLOCKED_H

#include <time.h>

struct session;
struct tcb;

/* Must be called when the thread has entered tcb->syscall and the call's start time is set. */
void blocked_enter(struct tcb *tcb);
/* Reports once each call that has been running for at least the time of --blocked. */
void blocked_report(struct session *s, struct timespec now);

#endif
