/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --fd-report: which descriptors stayed open and which were closed twice, where they were opened
 * and closed, and by whom. It is written when the run is over.
 */
#ifndef TRACER_SINKS_FD_REPORT_H
#define TRACER_SINKS_FD_REPORT_H

#include "sinks/sink.h"

/* What the sink needs events to have: bits of enum sink_wants. */
#define FD_REPORT_WANTS (WANTS_TGID | WANTS_COMM | WANTS_STACKS)

/* The calls that it needs to see, as -e trace= takes them: all that open or close descriptors. */
extern const char fd_report_calls[];

/*
 * Makes the sink; never NULL. When it ends, write is called with the n bytes of the report, and
 * returns 0 or -errno.
 */
struct sink *fd_report_create(int (*write)(void *ctx, const char *text, size_t n), void *ctx);

#endif
