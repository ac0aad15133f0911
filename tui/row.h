/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event in the list of --tui, parsed from a line of the format "rows" (sinks/rows/rows.h). */
#ifndef TRACER_TUI_ROW_H
#define TRACER_TUI_ROW_H

#include <sys/types.h>

#include "defs.h"

struct row {
	int64_t end; /* when the event ended (CLOCK_REALTIME in nanoseconds) */
	uint64_t duration;
	pid_t tid, pid;
	int error, fd; /* errno or 0; the first descriptor, or a negative number */
	char kind;     /* a value of enum row_kind */
	char *name, *comm, *path, *text;
	char *line; /* owned; the strings above point into it */
};

/*
 * Parses a line of n bytes without its newline. Returns false if it is not a row. Bytes that a
 * terminal could interpret are replaced by "?".
 */
bool row_parse(struct row *r, const char *line, size_t n);
void row_deinit(struct row *r);
/* Replaces a row by a copy of another one. If `from` is empty, `to` becomes empty. */
void row_copy(struct row *to, const struct row *from);
/* Returns true if both are the same event. */
bool row_same(const struct row *a, const struct row *b);
/* Returns the number of bytes that the row uses. */
size_t row_size(const struct row *r);

#endif
