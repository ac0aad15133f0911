/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From stop to stop.
 */
#ifndef TRACER_SESSION_LOOP_H
#define TRACER_SESSION_LOOP_H

struct session;

/* Waits for stops, hands each to its handler and resumes, until s->ended or nobody is left. */
void loop_run(struct session *s);

#endif
