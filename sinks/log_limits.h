/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits on a log, from the options. */
#ifndef TRACER_SINKS_LOG_LIMITS_H
#define TRACER_SINKS_LOG_LIMITS_H

#include "defs.h"

struct log_limits {
	size_t last; /* --last: number of events to keep until they are requested, or 0 for no such
			limit */
	uint64_t bytes; /* --output-limit: size of a file, or 0 for no limit */
	unsigned files; /* --output-limit: number of files, including the newest */
};

#endif
