/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bounds of a log, as options have them. */
#ifndef TRACER_SINKS_LOG_LIMITS_H
#define TRACER_SINKS_LOG_LIMITS_H

#include "defs.h"

struct log_limits {
	size_t last;	/* --last: how many events are kept to be written when asked for; 0: no */
	uint64_t bytes; /* --output-limit: of a file; 0: no limit */
	unsigned files; /* with bytes: how many files there are, the newest among them */
};

#endif
