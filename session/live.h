/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For --live: passes the running calls to the sink, and makes the sink show its statistics after
 * each interval.
 */
#ifndef TRACER_SESSION_LIVE_H
#define TRACER_SESSION_LIVE_H

#include <time.h>

struct live_watch;
struct session;

/*
 * Starts the first interval of --live. Never returns NULL. Free the result with
 * live_watch_destroy().
 */
struct live_watch *live_watch_create(struct session *s);
void live_watch_destroy(struct live_watch *w);
/* Returns the time of CLOCK_MONOTONIC at which live_watch_update() must be called. */
struct timespec live_watch_deadline(const struct live_watch *w);
/*
 * Shows the statistics if the interval has ended. Between intervals, describes the waits of threads
 * that the view has begun to show.
 */
void live_watch_update(struct live_watch *w);

#endif
