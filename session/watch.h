/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --fail-on and --stop-on: counts the events that match these options. */
#ifndef TRACER_SESSION_WATCH_H
#define TRACER_SESSION_WATCH_H

#include "event/event.h"

struct session;
struct watches;

/*
 * Sets s->watch, or leaves it NULL if neither option is given. Returns false after a message if the
 * report cannot be opened.
 */
bool watch_open(struct session *s);
/*
 * Returns whether the syscall number of e is watched. Calls can be watched even if they are not
 * shown.
 */
bool watch_wants(const struct session *s, const struct syscall_event *e);
/* Returns whether requests of io_urings that are shown as the call of this row are watched. */
bool watch_wants_request(const struct session *s, unsigned row);
/* Returns whether a call is watched and its entry has been decoded. */
bool watch_saw(const struct session *s, const struct syscall_event *e);
/* Checks an ended call or a signal. May end tracing. */
void watch_event(struct session *s, const struct event *e);
/*
 * Prints the matches, writes the report and frees s->watch, which may be NULL. Returns whether a
 * --fail-on expression has matched.
 */
bool watch_end(struct session *s);

#endif
