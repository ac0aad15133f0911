/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the events in the text of a log and, for --last, keeps the text of the last ones. An event
 * is a line plus the following lines with its stack or its data, which begin with " > ", " | " or "
 * * ".
 */
#ifndef TRACER_SINKS_EVENTS_KEPT_H
#define TRACER_SINKS_EVENTS_KEPT_H

#include "util/strbuf.h"

/* Whether the line of n bytes at p continues the previous event. */
bool event_goes_on(const char *p, size_t n);
/*
 * Returns how many bytes of a text can be written, at most max, so that they end with an event. The
 * text has n bytes. A newline at its end also ends an event.
 */
size_t events_that_fit(const char *p, size_t n, size_t max);

struct events_kept;

/* Keeps the last max events, at least 1. Never NULL; events_kept_destroy() frees it. */
struct events_kept *events_kept_create(size_t max);
void events_kept_destroy(struct events_kept *k);

/* Adds the n bytes at p, which must be whole lines. */
void events_kept_add(struct events_kept *k, const char *p, size_t n);
/* Appends the kept events to *to and drops them. */
void events_kept_take(struct events_kept *k, struct strbuf *to);
/* Return the number of events so far, and the number of those kept now. */
uint64_t events_kept_seen(const struct events_kept *k);
size_t events_kept_count(const struct events_kept *k);

#endif
