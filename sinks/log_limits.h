/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits on a log, from the options. */
#ifndef TRACER_SINKS_LOG_LIMITS_H
#define TRACER_SINKS_LOG_LIMITS_H

#include "defs.h"

struct log_limits {
	size_t last;	/* --last: number of events kept until they are requested; 0: off */
	uint64_t bytes; /* --output-limit: of a file; 0: no limit */
	unsigned files; /* with bytes: number of files, including the newest */
};

#endif
