/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of a summary (-c, -C): contents and format. */
#ifndef TRACER_SINKS_SUMMARY_CONFIG_H
#define TRACER_SINKS_SUMMARY_CONFIG_H

#include "defs.h"

struct group;

/* Maximum number of fields in --group-by, and in --sum. */
#define SUMMARY_FIELDS_MAX 8
#define SUMMARY_SUMS_MAX   4

/* The columns that -U and -S can name. */
enum summary_column {
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
	SUMMARY_SUM, /* the first --sum column; the other --sum columns follow */
	SUMMARY_LAST_SUM = SUMMARY_SUM + SUMMARY_SUMS_MAX - 1,
	SUMMARY_NAME,
	SUMMARY_COLUMNS,
	SUMMARY_NOTHING = SUMMARY_COLUMNS /* value of sort_by for unsorted rows */
};

/* The values of --summary-by. */
enum summary_by {
	SUMMARY_BY_SYSCALL,
	SUMMARY_BY_STACK,
	SUMMARY_BY_THREAD,
	SUMMARY_BY_PROCESS,
	SUMMARY_BY_PATH,
	SUMMARY_BY_FIELDS /* --group-by */
};

enum summary_format {
	SUMMARY_TABLE, /* the same table as in strace */
	SUMMARY_JSON,  /* JSON with an object per row */
	SUMMARY_CSV    /* CSV with a header (RFC 4180) */
};

struct summary_config {
	enum summary_column columns[SUMMARY_COLUMNS];
	unsigned column_count;
	enum summary_column sort_by;
	bool wall_clock; /* -w: show elapsed times instead of system CPU times */
	/* -O: time in nanoseconds to subtract from the duration of each call */
	uint64_t overhead_ns;
	enum summary_by by;
	const struct group *group; /* --group-by: the fields; NULL if not given; borrowed */
	const struct group *sum;   /* --sum: the fields; NULL if not given; borrowed */
	const struct group *hist;  /* --hist: the single field; NULL if not given; borrowed */
	enum summary_format format;
	bool hint; /* true to print a hint about -w if all times are zero, as CPU times often are */
	/*
	 * --top: number of rows to show in each table, or 0 for all rows. The other rows are added
	 * up in the row "(others)".
	 */
	uint64_t top;
	/* Maximum width of a row of the table in characters, or 0 for no limit. */
	unsigned width;
	/* Called at the end to write the n-byte table to the log. Returns 0 or -errno. */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

static inline bool summary_is_percentile(enum summary_column column)
{
	return column >= SUMMARY_P50 && column <= SUMMARY_P99;
}
/* Sets the default values for -c. */
void summary_config_init(struct summary_config *config);
/*
 * Selects all columns except percentiles and --sum columns. This is the default for JSON and CSV.
 */
void summary_config_columns_all(struct summary_config *config);
/* Inserts columns for --sum before the name column. */
void summary_config_add_sums(struct summary_config *config, unsigned n);
/* Returns true if a column was added by --sum. */
static inline bool summary_is_sum(enum summary_column column)
{
	return column >= SUMMARY_SUM && column <= SUMMARY_LAST_SUM;
}
/*
 * Returns the column with this name or synonym, SUMMARY_NOTHING for "nothing", or -1 if there is
 * none.
 */
int summary_column_find(const char *name);
/* Returns the name of a column for the option -U. The words of a name are joined by dashes. */
const char *summary_column_name(enum summary_column column);

#endif
