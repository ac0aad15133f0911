/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits on the size of a log, from command-line options. */
#ifndef TRACER_SINKS_LOG_LIMITS_H
#define TRACER_SINKS_LOG_LIMITS_H

#include "defs.h"

struct log_limits {
	size_t last;	/* --last: number of events to store until they are requested, or 0 for no
			   limit */
	uint64_t bytes; /* --output-limit: maximum size of a file in bytes, or 0 for no limit */
	unsigned files; /* --output-limit: number of files, including the current file */
};

#endif
