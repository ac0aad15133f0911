/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where events begin in the text of a log, and for --last the text of the last events. An event is
 * a line with those behind it that have its stack or its data, which begin with " > ", " | " or
 * " * ".
 */
#ifndef TRACER_SINKS_EVENTS_KEPT_H
#define TRACER_SINKS_EVENTS_KEPT_H

#include "util/strbuf.h"

/* Whether the line of n bytes at p goes on with the event before it. */
bool event_goes_on(const char *p, size_t n);
/*
 * How many of the n bytes of text at p, at most max, end with an event. Behind the last byte an
 * event ends if it is a newline.
 */
size_t events_that_fit(const char *p, size_t n, size_t max);

struct events_kept;

/* Keeps the last max events, at least 1. Never NULL; events_kept_destroy() frees it. */
struct events_kept *events_kept_create(size_t max);
void events_kept_destroy(struct events_kept *k);

/* Takes the n bytes at p, which are whole lines. */
void events_kept_add(struct events_kept *k, const char *p, size_t n);
/* Appends what is kept to *to, and forgets it. */
void events_kept_take(struct events_kept *k, struct strbuf *to);
/* How many events came since the beginning, and how many of them are kept now. */
uint64_t events_kept_seen(const struct events_kept *k);
size_t events_kept_count(const struct events_kept *k);

#endif
