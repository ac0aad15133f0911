/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary sink: the table that -c and -C print when the run is over. */
#ifndef TRACER_SINKS_SUMMARY_H
#define TRACER_SINKS_SUMMARY_H

#include "sinks/sink.h"

enum summary_column { /* -U, -S */
		      SUMMARY_TIME_PERCENT,
		      SUMMARY_TOTAL_TIME,
		      SUMMARY_MIN_TIME,
		      SUMMARY_MAX_TIME,
		      SUMMARY_AVG_TIME,
		      SUMMARY_WALL_TOTAL,
		      SUMMARY_WALL_MIN,
		      SUMMARY_WALL_MAX,
		      SUMMARY_WALL_AVG,
		      SUMMARY_CALLS,
		      SUMMARY_ERRORS,
		      SUMMARY_P50,
		      SUMMARY_P90,
		      SUMMARY_P99,
		      SUMMARY_NAME,
		      SUMMARY_COLUMNS,
		      SUMMARY_NOTHING = SUMMARY_COLUMNS /* of sort_by: leave the order alone */
};

enum summary_by { /* --summary-by= */
		  SUMMARY_BY_SYSCALL,
		  SUMMARY_BY_STACK,
		  SUMMARY_BY_THREAD,
		  SUMMARY_BY_PROCESS,
		  SUMMARY_BY_PATH
};

struct summary_config {
	enum summary_column columns[SUMMARY_COLUMNS];
	unsigned column_count;
	enum summary_column sort_by;
	bool wall_clock;      /* -w: durations instead of system CPU time */
	uint64_t overhead_ns; /* -O: taken off each call */
	enum summary_by by;
	/* Where the table goes when the sink ends: the log that -o or stderr is. 0, or -errno. */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

/* -c's defaults. */
void summary_config_init(struct summary_config *config);
/* A column from its name or one of its synonyms, "nothing" included; -1: none. */
int summary_column_find(const char *name);

/* What it wants of events: enum sink_wants. */
unsigned summary_sink_wants(const struct summary_config *config);
struct sink *summary_sink_create(const struct summary_config *config);

#endif
