/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the browser (browser.h): shows another part of the trace. */
#ifndef TRACER_TUI_PLACES_H
#define TRACER_TUI_PLACES_H

#include "tui/browser_state.h"

/* Shows the start or the end of the trace, or the events at and after a time. */
void browser_start(struct browser *b);
void browser_end(struct browser *b);
void browser_goto(struct browser *b, int64_t time);

#endif
