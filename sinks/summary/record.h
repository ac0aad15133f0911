/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the rows of a summary as JSON or CSV, for other programs. Times are in seconds. Columns
 * have the same names as in -U, with underscores in place of dashes.
 */
#ifndef TRACER_SINKS_SUMMARY_RECORD_H
#define TRACER_SINKS_SUMMARY_RECORD_H

#include "sinks/summary/sheet.h"

/* Appends the CSV header. */
void record_head(struct sheet *t);
/* Appends a row as JSON or CSV, depending on t->config. */
void record_put(struct sheet *t, const struct summary_row *row);

/* Appends the number of events that are missing from the rows. */
void record_put_lost(struct sheet *t, uint64_t n);

#endif
