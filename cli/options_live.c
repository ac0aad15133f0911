/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks which options can be used with --live, and derives the settings for it. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/options_seen.h"
#include "util/clock.h"
#include "util/msg.h"

/* Default number of lines in a table that is written as text (--top). */
#define LINES 20
/* Minimum interval in nanoseconds. */
#define INTERVAL_MIN 50000000

int64_t options_live_interval(const char *value)
{
	const int64_t ns = value ? duration_parse(value, NSEC_PER_SEC) : NSEC_PER_SEC;

	return ns >= INTERVAL_MIN ? ns : -1;
}

/* Returns the sort key of the table for a column of -S, or -1 if there is none for this column. */
static int key_of(enum summary_column column)
{
	switch (column) {
	case SUMMARY_TIME_PERCENT:
	case SUMMARY_TOTAL_TIME:
	case SUMMARY_WALL_TOTAL:
		return LIVE_BY_TIME;
	case SUMMARY_CALLS:
		return LIVE_BY_CALLS;
	case SUMMARY_ERRORS:
		return LIVE_BY_ERRORS;
	case SUMMARY_NAME:
		return LIVE_BY_NAME;
	default:
		return -1;
	}
}

void options_live(struct options *o, const struct seen *seen)
{
	if (!o->live_ns)
		return;
	options_refuse(o, seen, WITH_LIVE, "--live");
	if (seen->S && key_of(o->summary.sort_by) < 0)
		die_usage("--live: -S must be time, calls, errors or name");
	o->live_config.top = o->summary.top ? o->summary.top : LINES;
	if (seen->S)
		o->live_config.view.key = (enum live_key)key_of(o->summary.sort_by);
	o->text.muted = true;
	/* The table has a line for each thread, so trace all threads. */
	o->capture.follow = o->text.follow = true;
	o->quiet |= QUIET_ATTACH | QUIET_PERSONALITY;
#ifdef WITH_NCURSES
	o->live_view = !o->text.path && isatty(STDOUT_FILENO);
#endif
}
