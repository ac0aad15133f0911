/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --fd-report: reports which descriptors stayed open and which were closed twice, with the calls
 * and threads that opened and closed them. The report is written at the end of the run.
 */
#ifndef TRACER_SINKS_FD_REPORT_H
#define TRACER_SINKS_FD_REPORT_H

#include "sinks/sink.h"

/* The data that the sink needs in events: bits of enum sink_wants. */
#define FD_REPORT_WANTS (WANTS_TGID | WANTS_COMM | WANTS_STACKS)

/*
 * The calls that the sink must see, in the syntax of -e trace=: all that open or close descriptors.
 */
extern const char fd_report_calls[];

/*
 * Creates the sink; never NULL. At its end, the sink passes the n bytes of the report to write(),
 * which returns 0 or -errno.
 */
struct sink *fd_report_create(int (*write)(void *ctx, const char *text, size_t n), void *ctx);

#endif
