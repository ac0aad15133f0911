/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns of a summary: their names, and their values for a row. */
#ifndef TRACER_SINKS_SUMMARY_COLUMNS_H
#define TRACER_SINKS_SUMMARY_COLUMNS_H

#include "sinks/summary/config.h"
#include "sinks/summary/rows.h"

struct summary_heading {
	const char *title;
	int width; /* minimum width of the column */
};

extern const struct summary_heading summary_headings[SUMMARY_COLUMNS];

/*
 * Returns the value of a column for a row. Times are in nanoseconds. The value of a --sum column is
 * an int64_t converted to uint64_t.
 */
uint64_t summary_value(const struct summary_row *row, enum summary_column column);
/*
 * Comparison function for qsort_r(). `config` is a struct summary_config, which contains the sort
 * order. Rows of different ABIs are kept separate.
 */
int summary_compare(const void *a, const void *b, void *config);

#endif
