/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The only way in which the session resumes a stopped thread (make lint checks this). A change to a
 * tracee that is only possible at a stop is made here at the latest, before the thread runs.
 */
#ifndef TRACER_SESSION_RESUME_H
#define TRACER_SESSION_RESUME_H

struct tcb;

/*
 * Makes the pending changes to the thread and resumes it. Does nothing if the thread was already
 * resumed from this stop.
 */
void resume_thread(struct tcb *tcb);

#endif
