/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws the screen of --tui. */
#ifndef TRACER_TUI_VIEW_H
#define TRACER_TUI_VIEW_H

#include "tui/browser.h"
#include "tui/screen.h"

enum pane { PANE_CALLS, PANE_TREE, PANE_WAITS, PANE_OUTPUT, PANE_HELP };

struct lock_board;

/* The state of the screen that is not in the browser. */
struct view {
	struct screen *screen;
	struct browser *browser;
	const char *title;
	enum pane pane;
	size_t skip;	  /* columns by which the list is scrolled to the right */
	size_t stack_top; /* number of lines by which the stack is scrolled */
	/* Position in the panes other than PANE_CALLS. */
	size_t cursor, top;
	pid_t waiter;	      /* in PANE_WAITS: the thread that the user has selected, or 0 */
	struct strbuf output; /* the program's output, for PANE_OUTPUT */
	const char *prompt;   /* the question on the last line, or NULL */
	struct strbuf input;  /* the answer so far */
	bool live, ended;     /* `live`: true if a running program is traced; `ended`: true if that
				 program has ended */
	uint64_t dropped;     /* bytes of the recording that were dropped, see tui/live.h */
	const struct lock_board *locks; /* the holders of locks, for a running program; otherwise
					   NULL */
};

/* Returns the number of screen lines for the list. */
size_t view_list_height(const struct view *v);
/* Returns the total number of lines of the pane. */
size_t view_lines(const struct view *v);
void view_draw(struct view *v);

#endif
