/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --snapshot: the current activity of all threads. They are stopped, examined and detached; only
 * then names are looked up and output is written, so that the threads are stopped only briefly.
 */
#ifndef TRACER_SESSION_SNAPSHOT_H
#define TRACER_SESSION_SNAPSHOT_H

struct session;

/* Replaces loop_run(). Afterwards all threads that can be detached are detached. */
void snapshot_run(struct session *s);

#endif
