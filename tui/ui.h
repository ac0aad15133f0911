/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main loop of --tui: keys, and their effects. */
#ifndef TRACER_TUI_UI_H
#define TRACER_TUI_UI_H

#include "tui/browser.h"
#include "tui/live.h"
#include "tui/screen.h"

struct ui_config {
	struct browser_config browser;
	struct recording *recording; /* the recording that is running, or NULL */
	const char *title;	     /* the command or the name of the trace */
};

/* Runs until the user quits, the terminal is gone, or a signal asks tracer to end. */
void ui_run(struct screen *screen, const struct ui_config *config);

#endif
