/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the browser (browser.h): reads rows after the last one in memory. */
#ifndef TRACER_TUI_FORWARDS_H
#define TRACER_TUI_FORWARDS_H

#include "tui/browser_state.h"

void tail_stop(struct browser *b);
/* Starts to read the rows at and after the time `from`. */
void tail_start(struct browser *b, int64_t from);
/* Continues to read after the last row in memory. */
void tail_resume(struct browser *b);
/* Returns true if more rows after the last one are needed. */
bool tail_is_wanted(const struct browser *b);
/* Reads the output of the job `tail`. */
void tail_read(struct browser *b);

#endif
