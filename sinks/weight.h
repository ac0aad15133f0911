/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What folded stacks and flame graphs weigh by. */
#ifndef TRACER_SINKS_WEIGHT_H
#define TRACER_SINKS_WEIGHT_H

enum weight { /* --weight= */
	      WEIGHT_CALLS,
	      WEIGHT_TIME, /* nanoseconds */
	      WEIGHT_ERRORS,
	      WEIGHT_BYTES, /* that reads, writes and their kin moved */
	      WEIGHTS
};

#endif
