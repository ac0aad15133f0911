/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that the engine counts instead of reporting each of them. */
#ifndef TRACER_SESSION_COUNTS_H
#define TRACER_SESSION_COUNTS_H

struct capture_counts;
struct session;

/* Passes counted calls to the sinks if the filters select them. */
void on_counts(struct session *s, const struct capture_counts *counts);

#endif
