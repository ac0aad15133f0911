/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The view of --live: a table of the calls in which each thread spends its time. */
#ifndef TRACER_TUI_TABLE_UI_H
#define TRACER_TUI_TABLE_UI_H

#include "sinks/live/table.h"

struct recording;
struct screen;

struct table_config {
	const char *title;		   /* the command or the processes */
	const struct recording *recording; /* the running recording; its `board` is set */
	struct live_view view;		   /* the initial view */
};

/*
 * Runs the view until the user quits, a signal arrives, the terminal is gone, or the recorder has
 * ended without having traced a thread.
 */
void table_ui_run(struct screen *screen, const struct table_config *config);

#endif
