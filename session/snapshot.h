/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --snapshot: what all threads do at one moment. They are stopped, looked at and let go of; only
 * then names are looked up and anything is written, so that they do not stand still for that.
 */
#ifndef TRACER_SESSION_SNAPSHOT_H
#define TRACER_SESSION_SNAPSHOT_H

struct session;

/* Takes the place of loop_run(). Afterwards nobody is traced who could be let go of. */
void snapshot_run(struct session *s);

#endif
