/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rows of a summary. A row adds up the calls with the same name. The number of rows is limited.
 * When the limit is reached, a new row replaces the row with the least time among a few others, and
 * the replaced row is added to the row "(others)". Rows with much time are therefore usually kept,
 * and the totals stay correct.
 */
#ifndef TRACER_SINKS_SUMMARY_ROWS_H
#define TRACER_SINKS_SUMMARY_ROWS_H

#include "sinks/summary/config.h"
#include "sinks/summary/histogram.h"
#include "sinks/summary/octaves.h"
#include "util/foreign.h"
#include "util/table.h"
#include "util/time_sum.h"
#include "util/vec.h"

#define SUMMARY_OTHERS "(others)"

struct summary_row {
	uint64_t hash;
	unsigned abi;
	uint64_t nr; /* the syscall number in a summary by syscall, otherwise the order of
			appearance */
	char *name;
	char comm[16]; /* name of the thread or process, in a summary by thread or process */
	struct foreign command; /* command line if known, in a summary by process */
	uint64_t calls, errors;
	struct time_sum time; /* system CPU times or, with -w, elapsed times */
	struct time_sum wall; /* elapsed times */
	/* histogram of elapsed times, or NULL if no column needs a histogram */
	struct histogram *histogram;
	int64_t sums[SUMMARY_SUMS_MAX]; /* values of the --sum columns */
	struct octaves *octaves;	/* histogram for --hist, or NULL */
};

/* The table is empty if all members are 0, except for the flags, which the caller sets. */
struct summary_rows {
	VEC(struct summary_row) rows;
	bool percentiles;     /* true if rows need histograms */
	bool octaves;	      /* true if rows need octaves */
	bool by_number;	      /* true if rows with the same name but different syscall numbers are
				 separate */
	struct table by_name; /* values are row indexes plus one */
	size_t hand;	      /* index of the first row to consider for the next replacement */
};

/*
 * Returns the row with this name, ABI and syscall number. Creates it if necessary. If the table is
 * full, may return the row "(others)" instead. Valid until the next call.
 */
struct summary_row *summary_rows_find(struct summary_rows *rows, const char *name, unsigned abi,
				      uint64_t nr);
/* Returns the row with this name, or NULL. Only for tables without ABIs and syscall numbers. */
struct summary_row *summary_rows_get(struct summary_rows *rows, const char *name);
/* Returns true if the row is "(others)", the total of all replaced rows. */
bool summary_row_is_others(const struct summary_row *row);
/*
 * Adds a row to `total`. Before the first call, all counts and times in `total` must be 0.
 * Histograms are added only if `total` has them, too.
 */
void summary_row_add(struct summary_row *total, const struct summary_row *row);
void summary_rows_deinit(struct summary_rows *rows);

#endif
