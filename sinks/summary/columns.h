/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns of a summary: their names, and their values in a row. */
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
 * Returns the value of a row in a column. Times are in nanoseconds. The value of a --sum column is
 * an int64_t converted to uint64_t.
 */
uint64_t summary_value(const struct summary_row *row, enum summary_column column);
/* For qsort_r(): the row order requested by a struct summary_config; ABIs stay separate. */
int summary_compare(const void *a, const void *b, void *config);

#endif
