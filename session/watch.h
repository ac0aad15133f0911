/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --fail-on and --stop-on: counts the events that match these options. */
#ifndef TRACER_SESSION_WATCH_H
#define TRACER_SESSION_WATCH_H

#include "event/event.h"

struct session;
struct watches;

/*
 * Creates s->watch if one of these options is given. On failure to open the report, prints a
 * message and returns false.
 */
bool watch_open(struct session *s);
/*
 * Returns true if --fail-on, --stop-on or --wakers needs calls with the syscall number of e. Such
 * calls need not be shown.
 */
bool watch_wants(const struct session *s, const struct syscall_event *e);
/*
 * Returns true if --fail-on or --stop-on checks the io_uring requests that are shown as the call in
 * this row of syscall_descs.
 */
bool watch_wants_request(const struct session *s, unsigned row);
/* Returns true if watch_wants() is true for a call and the entry of the call has been decoded. */
bool watch_was_decoded(const struct session *s, const struct syscall_event *e);
/*
 * Checks a call or io_uring request that has ended, or a signal, against --fail-on and --stop-on.
 * May end tracing.
 */
void watch_event(struct session *s, const struct event *e);
/*
 * Prints the matches, writes the report and frees s->watch, which may be NULL. Sets s->error if a
 * report cannot be written. Returns true if a --fail-on expression has matched.
 */
bool watch_end(struct session *s);

#endif
