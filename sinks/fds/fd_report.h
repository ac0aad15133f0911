/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --fd-report: reports which descriptors were left open and which were closed twice, with the calls
 * and threads that opened and closed them. The report is written at the end of the run.
 */
#ifndef TRACER_SINKS_FD_REPORT_H
#define TRACER_SINKS_FD_REPORT_H

#include "sinks/sink.h"

/* The event data that the sink needs: bits of enum sink_wants. */
#define FD_REPORT_WANTS (WANTS_TGID | WANTS_COMM | WANTS_STACKS)

/*
 * Creates the sink. Never returns NULL. At the end, the sink passes the n-byte report to write().
 * write() returns 0 or -errno.
 */
struct sink *fd_report_create(int (*write)(void *ctx, const char *text, size_t n), void *ctx);

#endif
