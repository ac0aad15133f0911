/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Splits the text of a log into events and, for --last, stores the last events. An event is a line
 * and the following lines with its stack or its data. These lines begin with " > ", " | " or " * ".
 */
#ifndef TRACER_SINKS_EVENTS_KEPT_H
#define TRACER_SINKS_EVENTS_KEPT_H

#include "util/strbuf.h"

/* Returns true if the n-byte line at `p` continues the previous event. */
bool event_continues(const char *p, size_t n);
/*
 * Returns the length in bytes of the longest prefix of the n-byte text at `p` that contains only
 * whole events and is at most `max` bytes long. A newline at the end of the text also ends an
 * event.
 */
size_t events_that_fit(const char *p, size_t n, size_t max);

struct events_kept;

/*
 * Creates a buffer for the last `max` events. `max` must not be 0. Never returns NULL. Free the
 * result with events_kept_destroy().
 */
struct events_kept *events_kept_create(size_t max);
void events_kept_destroy(struct events_kept *k);

/* Adds the n bytes at `p`, which must be whole lines. */
void events_kept_add(struct events_kept *k, const char *p, size_t n);
/* Appends the stored events to *to, and removes them from `k`. */
void events_kept_take(struct events_kept *k, struct strbuf *to);
/* Return the total number of events so far, and the number of events that are stored now. */
uint64_t events_kept_seen(const struct events_kept *k);
size_t events_kept_count(const struct events_kept *k);

#endif
