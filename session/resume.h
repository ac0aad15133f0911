/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The only way in which the session resumes a stopped thread (checked by make lint). Every change
 * to a tracee that depends on its stop is made here, before the thread runs, or earlier.
 */
#ifndef TRACER_SESSION_RESUME_H
#define TRACER_SESSION_RESUME_H

struct tcb;

/*
 * Makes the outstanding changes to the thread and resumes it. Does nothing if the thread was
 * resumed from this stop already.
 */
void resume_thread(struct tcb *tcb);

#endif
