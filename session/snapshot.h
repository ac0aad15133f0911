/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --snapshot: shows the state of all threads. The threads are stopped, examined and detached.
 * Looking up names and writing output follow after that, so the threads are stopped only briefly.
 */
#ifndef TRACER_SESSION_SNAPSHOT_H
#define TRACER_SESSION_SNAPSHOT_H

struct session;

/*
 * Replaces loop_run(). Detaches all threads that can be detached, unless a signal interrupts
 * tracer.
 */
void snapshot_run(struct session *s);

#endif
