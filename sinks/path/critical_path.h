/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --critical-path: a table of the threads and calls that determined how long the run took. The
 * times in its rows add up to the duration of the run. The table is written at the end of the run.
 */
#ifndef TRACER_SINKS_PATH_CRITICAL_PATH_H
#define TRACER_SINKS_PATH_CRITICAL_PATH_H

#include "sinks/sink.h"

/* The event data that the sink needs: bits of enum sink_wants. */
#define CRITICAL_PATH_WANTS (WANTS_TIMES | WANTS_COMM | WANTS_TGID)

/*
 * Creates the sink. Never returns NULL. At the end, the sink passes the n-byte table to write().
 * write() returns 0 or -errno. If `json` is set, the table contains one JSON object per row.
 * Otherwise, it contains `top` rows, or a default number of rows if `top` is 0, and the other rows
 * are added up.
 */
struct sink *critical_path_create(bool json, size_t top,
				  int (*write)(void *ctx, const char *text, size_t n), void *ctx);

#endif
