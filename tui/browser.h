/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills the list of --tui from the trace. Children read parts of the trace in the background. Only
 * a window of the trace's rows is in memory. No function here waits until a child has written or
 * has ended by itself.
 */
#ifndef TRACER_TUI_BROWSER_H
#define TRACER_TUI_BROWSER_H

#include <poll.h>

#include "tui/places.h"
#include "tui/search.h"

struct browser_config {
	char *const *line;	  /* the user's options, as words; ends with NULL */
	const char *const *paths; /* the traces that the options name; NULL if live */
	size_t npaths;
	const struct live *live; /* the recording that is running, or NULL */
	int64_t from, to;	 /* the part to show (CLOCK_REALTIME in nanoseconds) */
};

/*
 * Starts to read. config->live must stay valid until browser_deinit(). The other members are used
 * only during the call.
 */
void browser_init(struct browser *b, const struct browser_config *config);
void browser_deinit(struct browser *b);

/*
 * Reads the list and the counts again. The list continues to show the same part of the
 * trace. Must be called after the filter has changed.
 */
void browser_filter(struct browser *b);
/*
 * Returns the selected row. While the rows for a new filter are being read, this is the row that
 * was selected before. Returns NULL if there is none.
 */
const struct row *browser_selected(const struct browser *b);
/*
 * Prepares to read the details of the selected row. Must be called when another row may have been
 * selected.
 */
void browser_moved(struct browser *b);
/* Starts to list calls that have not ended. */
void browser_list_running(struct browser *b);
/* Starts to count calls and to list processes. */
void browser_scan(struct browser *b);
/*
 * Like browser_scan(), for a live trace that has grown. Returns at once. The new scan starts some
 * time after the running scan has ended. The old results stay until the new ones are complete.
 */
void browser_scan_again(struct browser *b);

/*
 * Fills the array p, which has BROWSER_FDS elements, with the descriptors to poll. Returns their
 * number.
 */
#define BROWSER_FDS 6
size_t browser_poll(struct browser *b, struct pollfd *p);
/*
 * Returns the time in milliseconds after which browser_work() must be called, or -1 if only input
 * requires a call.
 */
int browser_timeout(const struct browser *b);
/* For a live trace: finds out how much of the trace has been written. */
void browser_update_extent(struct browser *b);
/* Reads the output of the children, and starts children that are needed. */
void browser_work(struct browser *b);

#endif
