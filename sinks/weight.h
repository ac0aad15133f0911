/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The possible weights of a call in folded stacks and flame graphs. */
#ifndef TRACER_SINKS_WEIGHT_H
#define TRACER_SINKS_WEIGHT_H

/* The values of --weight. */
enum weight {
	WEIGHT_CALLS,
	WEIGHT_TIME, /* nanoseconds */
	WEIGHT_ERRORS,
	WEIGHT_BYTES, /* number of bytes transferred by read(2), write(2) and similar calls */
	/* The time in the call, divided into three parts, in nanoseconds. */
	WEIGHT_BLOCKED,
	WEIGHT_RUNNABLE, /* waiting for a CPU */
	WEIGHT_CPU,
	WEIGHTS
};

#endif
