/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns of a summary: what they are called, and what a row has in them. */
#ifndef TRACER_SINKS_SUMMARY_COLUMNS_H
#define TRACER_SINKS_SUMMARY_COLUMNS_H

#include "sinks/summary/config.h"
#include "sinks/summary/rows.h"

struct summary_heading {
	const char *title;
	int width; /* of the column; names may be wider */
};

extern const struct summary_heading summary_headings[SUMMARY_COLUMNS];

/*
 * What a row has in a column: a number, of nanoseconds if the column is of times. That of a sum is
 * an int64_t.
 */
uint64_t summary_value(const struct summary_row *row, enum summary_column column);
/* For qsort_r(): the order of rows that a struct summary_config asks for; ABIs stay apart. */
int summary_compare(const void *a, const void *b, void *config);

#endif
