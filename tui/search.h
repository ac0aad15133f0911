/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the browser (browser.h): searches. */
#ifndef TRACER_TUI_SEARCH_H
#define TRACER_TUI_SEARCH_H

#include "tui/browser_state.h"

/*
 * Searches for the next (step 1) or previous (step -1) row that matches `goal`. Replaces a search
 * that is running. If `goal` is NULL, repeats the last search.
 */
void browser_find(struct browser *b, int step, const struct goal *goal);
/* Ends a search. Returns false if there is none. */
bool browser_cancel(struct browser *b);
/* Reads the output of a search's job. */
void find_read(struct browser *b);

#endif
