/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rows of a summary: sums by name. Their number is limited. At the limit, a new row replaces
 * the smallest of a few rows, and the replaced row is added to the row "(others)". So rows with
 * much time stay, and sums are correct.
 */
#ifndef TRACER_SINKS_SUMMARY_ROWS_H
#define TRACER_SINKS_SUMMARY_ROWS_H

#include "sinks/summary/config.h"
#include "sinks/summary/histogram.h"
#include "sinks/summary/octaves.h"
#include "util/foreign.h"
#include "util/table.h"
#include "util/vec.h"

#define SUMMARY_OTHERS "(others)"

struct summary_row {
	uint64_t hash;
	unsigned abi;
	uint64_t nr; /* the number of the syscall if rows are by syscall; otherwise the order of
			appearance */
	char *name;
	char comm[16]; /* the name of the thread or process, if rows are by thread or process */
	struct foreign command; /* the command line, if rows are by process and it is known */
	uint64_t calls, errors;
	/* in nanoseconds: wall-clock times with -w, otherwise system CPU times */
	uint64_t total, min, max;
	uint64_t wall_total, wall_min, wall_max; /* ns */
	struct histogram *histogram;	/* of wall-clock times; NULL if no column needs it */
	int64_t sums[SUMMARY_SUMS_MAX]; /* values of --sum */
	struct octaves *octaves;	/* histogram of --hist, or NULL */
};

/* The table is empty if all members are 0 except for the flags, which the caller sets. */
struct summary_rows {
	VEC(struct summary_row) rows;
	bool percentiles;     /* rows have histograms */
	bool octaves;	      /* rows have octaves */
	bool by_number;	      /* rows with equal names and different numbers are separate */
	struct table by_name; /* values are indexes in rows plus one */
	size_t hand;	      /* index of the next candidate for replacement */
};

/*
 * Returns the row with that name, ABI and number, created if necessary. Valid until the next call.
 */
struct summary_row *summary_rows_find(struct summary_rows *rows, const char *name, unsigned abi,
				      uint64_t nr);
/* Returns the row with that name, or NULL. Only for rows without ABIs and numbers. */
struct summary_row *summary_rows_get(struct summary_rows *rows, const char *name);
/* Whether the row is "(others)", the sum of all replaced rows. */
bool summary_row_is_others(const struct summary_row *row);
/* Adds a row's sums to another row, which initially is {0} except for its name. */
void summary_row_add(struct summary_row *total, const struct summary_row *row);
/* Frees all rows. */
void summary_rows_deinit(struct summary_rows *rows);

#endif
