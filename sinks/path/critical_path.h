/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --critical-path: a table of the threads and calls that determined how long the run took. The
 * times of its rows add up to the duration of the run. It is written at the end.
 */
#ifndef TRACER_SINKS_PATH_CRITICAL_PATH_H
#define TRACER_SINKS_PATH_CRITICAL_PATH_H

#include "sinks/sink.h"

/* The data that the sink needs in events: bits of enum sink_wants. */
#define CRITICAL_PATH_WANTS (WANTS_TIMES | WANTS_COMM | WANTS_TGID)

/*
 * Creates the sink; never NULL. At its end, the sink passes the n bytes of the table to write(),
 * which returns 0 or -errno. If `json`, the table has one JSON object per row. Otherwise it has
 * `top` rows or, if that is 0, a default number of rows; the others are added up.
 */
struct sink *critical_path_create(bool json, size_t top,
				  int (*write)(void *ctx, const char *text, size_t n), void *ctx);

#endif
