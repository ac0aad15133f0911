/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of -c and -C: what a summary counts, and how it is displayed. */
#ifndef TRACER_SINKS_SUMMARY_CONFIG_H
#define TRACER_SINKS_SUMMARY_CONFIG_H

#include "defs.h"

struct group;

/* The maximum number of fields of --group-by, and of --sum. */
#define SUMMARY_FIELDS_MAX 8
#define SUMMARY_SUMS_MAX   4

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
		      SUMMARY_SUM, /* the first column of --sum; the others follow */
		      SUMMARY_LAST_SUM = SUMMARY_SUM + SUMMARY_SUMS_MAX - 1,
		      SUMMARY_NAME,
		      SUMMARY_COLUMNS,
		      SUMMARY_NOTHING = SUMMARY_COLUMNS /* for sort_by: rows are not sorted */
};

enum summary_by { /* --summary-by= */
		  SUMMARY_BY_SYSCALL,
		  SUMMARY_BY_STACK,
		  SUMMARY_BY_THREAD,
		  SUMMARY_BY_PROCESS,
		  SUMMARY_BY_PATH,
		  SUMMARY_BY_FIELDS /* --group-by */
};

enum summary_format {
	SUMMARY_TABLE, /* the table of strace */
	SUMMARY_JSON,  /* one object per row */
	SUMMARY_CSV    /* RFC 4180, with a header */
};

struct summary_config {
	enum summary_column columns[SUMMARY_COLUMNS];
	unsigned column_count;
	enum summary_column sort_by;
	bool wall_clock;      /* -w: durations instead of system CPU time */
	uint64_t overhead_ns; /* -O: subtracted from the duration of each call */
	enum summary_by by;
	const struct group *group; /* --group-by, --sum, --hist, or NULL; borrowed */
	const struct group *sum;
	const struct group *hist; /* has one field */
	enum summary_format format;
	bool hint; /* if all times are zero, as strace's CPU times often are, mention -w in a last
		      line */
	/*
	 * --top: number of rows shown in each table, or 0 for all. The remaining rows are added up
	 * in the row (others).
	 */
	uint64_t top;
	/*
	 * Called when the sink ends, to write the n bytes of the table to the log. Returns 0 or
	 * -errno.
	 */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

/* Sets the defaults of -c. */
void summary_config_init(struct summary_config *config);
/* Selects all columns except percentiles: the default for JSON and CSV. */
void summary_config_columns_all(struct summary_config *config);
/* Inserts the columns of --sum before the name. */
void summary_config_add_sums(struct summary_config *config, unsigned n);
/* Whether a column is one of --sum. */
static inline bool summary_is_sum(enum summary_column column)
{
	return column >= SUMMARY_SUM && column <= SUMMARY_LAST_SUM;
}
/* Returns the column (or SUMMARY_NOTHING) with that name or synonym; -1 if there is none. */
int summary_column_find(const char *name);
/* Returns the name of a column for -U, with '-' between words. */
const char *summary_column_name(enum summary_column column);

#endif
