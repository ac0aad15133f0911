/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the rows of a summary in formats for programs: JSON and CSV. Times are in seconds. Columns
 * have the same names as in -U.
 */
#ifndef TRACER_SINKS_SUMMARY_RECORD_H
#define TRACER_SINKS_SUMMARY_RECORD_H

#include "sinks/summary/sheet.h"

/* Appends the first line of CSV. */
void record_head(struct sheet *t);
/* Appends a row in the format of t->config, which is not SUMMARY_TABLE. */
void record_put(struct sheet *t, const struct summary_row *row);

/* Appends the number of events that are in no row. */
void record_put_lost(struct sheet *t, uint64_t n);

#endif
