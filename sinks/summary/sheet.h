/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats a summary as a table for people: header, rows and horizontal rules. */
#ifndef TRACER_SINKS_SUMMARY_SHEET_H
#define TRACER_SINKS_SUMMARY_SHEET_H

#include "sinks/summary/columns.h"
#include "util/strbuf.h"

/* Separates functions that share a row. */
#define TREE_CHAIN " > "

struct sheet {
	const struct summary_config *config;
	int field_widths[SUMMARY_FIELDS_MAX]; /* with --group-by: the width of each field, in
						 columns */
	/* width of the name column, in characters; the name of a row may be wider */
	int name_width;
	uint64_t all; /* the time that counts as 100%, in nanoseconds */
	struct strbuf out;
};

/* Returns the kind of object that a row represents: "syscall", "stack" and so on. */
const char *sheet_by(const struct summary_config *config);
/*
 * Appends a name and, unless it is "", a space and a comm, padded to `width`. Tracees choose these
 * names, so control characters could break the table or control the terminal. Such characters and
 * invalid UTF-8 are replaced with question marks.
 */
void sheet_name(struct strbuf *out, const char *name, const char *comm, int width);
/* With --group-by: makes the field columns wide enough for n rows. */
void sheet_fit(struct sheet *t, const struct summary_row *rows, size_t n);
/* Appends a line with the name of the row, followed by the histogram of the row. */
void sheet_histogram(struct sheet *t, const struct summary_row *row);
/* If the table has percentile columns, appends a line that explains them. */
void sheet_legend(struct sheet *t);
/*
 * Append the header, a line of dashes, and a row. A row that is wider than the terminal is
 * shortened.
 */
void sheet_head(struct sheet *t);
void sheet_rule(struct sheet *t);
void sheet_row(struct sheet *t, const struct summary_row *row);

#endif
