/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A summary as a table for people: its head, rows and rules. */
#ifndef TRACER_SINKS_SUMMARY_SHEET_H
#define TRACER_SINKS_SUMMARY_SHEET_H

#include "sinks/summary/columns.h"
#include "util/strbuf.h"

struct sheet {
	const struct summary_config *config;
	int field_widths[SUMMARY_FIELDS_MAX]; /* with --group-by */
	int name_width; /* width of the column of names in rows, which may exceed the heading's */
	uint64_t all;	/* the time that is 100%, in nanoseconds */
	struct strbuf out;
};

/* Returns what a row stands for: "syscall", "stack" and so on. */
const char *sheet_by(const struct summary_config *config);
/*
 * Appends a name and, unless it is "", a comm after a space, padded to width. Tracees choose these
 * names. Control characters would break the table or control the terminal; they and bytes that are
 * not UTF-8 become question marks.
 */
void sheet_name(struct strbuf *out, const char *name, const char *comm, int width);
/* With --group-by: makes the columns of the fields wide enough for n rows. */
void sheet_fit(struct sheet *t, const struct summary_row *rows, size_t n);
/* Appends a line with the row's name and, below it, the row's histogram. */
void sheet_histogram(struct sheet *t, const struct summary_row *row);
/*
 * sheet_head() appends the line of headings, sheet_rule() a line of dashes, and sheet_row() a row.
 */
void sheet_head(struct sheet *t);
void sheet_rule(struct sheet *t);
void sheet_row(struct sheet *t, const struct summary_row *row);

#endif
