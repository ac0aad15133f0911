/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_TRACE_RECORD_RECORDER_TOTALS_H
#define TRACER_TRACE_RECORD_RECORDER_TOTALS_H

#include "defs.h"

/* Totals of a recording. */
struct recorder_totals {
	uint64_t calls, processes, lost;
	uint64_t bytes; /* size of the trace file */
};

#endif
