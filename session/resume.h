/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The only place where the session resumes stopped threads (make lint checks this). Changes to a
 * thread that require it to be stopped are made here, before it runs.
 */
#ifndef TRACER_SESSION_RESUME_H
#define TRACER_SESSION_RESUME_H

struct tcb;

/*
 * Makes the pending changes to the thread and resumes it. Does nothing if the thread has already
 * been resumed from this stop.
 */
void resume_thread(struct tcb *tcb);

#endif
