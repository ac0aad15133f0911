/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --blocked: reports calls that have been running for a long time. The time of an interrupted and
 * restarted call is counted from its first entry.
 */
#ifndef TRACER_SESSION_BLOCKED_H
#define TRACER_SESSION_BLOCKED_H

#include <time.h>

struct session;
struct tcb;

/*
 * Notes when the call tcb->syscall began, unless the call resumes an interrupted one. Must be
 * called after the thread has entered the call and the call's start time is set.
 */
void blocked_enter(struct tcb *tcb);
/*
 * Reports each call that has been running for at least the time of --blocked. Each call is reported
 * only once.
 */
void blocked_report(struct session *s, struct timespec now);

#endif
