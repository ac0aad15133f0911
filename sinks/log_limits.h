/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits on the size of a log, from command-line options. */
#ifndef TRACER_SINKS_LOG_LIMITS_H
#define TRACER_SINKS_LOG_LIMITS_H

#include "defs.h"

struct log_limits {
	/*
	 * --last: number of events to keep until their output is requested; 0 means that events are
	 * written at once
	 */
	size_t last;
	uint64_t bytes; /* --output-limit: maximum size of a file in bytes, or 0 for no limit */
	unsigned files; /* --output-limit: number of files, including the current file */
};

#endif
