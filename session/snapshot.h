/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --snapshot: shows what all threads are doing. The threads are stopped, examined and detached.
 * Names are looked up and output is written only after that, so the threads are stopped only
 * briefly.
 */
#ifndef TRACER_SESSION_SNAPSHOT_H
#define TRACER_SESSION_SNAPSHOT_H

struct session;

/* Replaces loop_run(). Detaches all threads that can be detached. */
void snapshot_run(struct session *s);

#endif
