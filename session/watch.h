/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --fail-on and --stop-on: counts the events that match them. */
#ifndef TRACER_SESSION_WATCH_H
#define TRACER_SESSION_WATCH_H

#include "event/event.h"

struct session;
struct watches;

/*
 * Sets s->watch, or leaves it NULL if the options have neither. Returns false after a message if
 * the report cannot be opened.
 */
bool watch_open(struct session *s);
/* Returns whether calls with the number of e are watched, even if they are not shown. */
bool watch_wants(const struct session *s, const struct syscall_event *e);
/* Returns whether a call is watched and its entry was decoded. */
bool watch_saw(const struct session *s, const struct syscall_event *e);
/* Checks a call that has ended, or a signal. May end tracing. */
void watch_event(struct session *s, const struct event *e);
/*
 * Prints the matches, writes the report and frees s->watch, which may be NULL. Returns whether a
 * --fail-on has matched.
 */
bool watch_end(struct session *s);

#endif
