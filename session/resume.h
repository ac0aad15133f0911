/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The session resumes stopped threads only here (make lint checks this). Pending changes to a
 * tracee that are possible only at a stop are made before the thread runs.
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
