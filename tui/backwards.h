/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the browser (browser.h): reads rows before the first one in memory. */
#ifndef TRACER_TUI_BACKWARDS_H
#define TRACER_TUI_BACKWARDS_H

#include "tui/browser_state.h"

/* Drops the rows that were read but not yet shown. */
void back_clear(struct browser *b);
/* Estimates how long a part of the trace must be, in nanoseconds, to contain enough rows. */
int64_t back_span(const struct browser *b);
void back_start(struct browser *b, int64_t from, int64_t to);
/*
 * Returns true if earlier rows must be shown, because no rows at or after b->place match the
 * filter, or none has appeared in a live trace before b->place_at.
 */
bool back_is_only(const struct browser *b);
/* Returns true if more rows before the first one are needed and no job reads them. */
bool back_is_needed(const struct browser *b);
/* Reads the output of the job `back`. */
void back_read(struct browser *b);

#endif
