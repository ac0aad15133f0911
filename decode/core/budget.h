/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits on the decoding of one event: CPU time, and the memory for its values and for the sinks. A
 * tracee controls where its pointers point. Without limits, it could make us read and show
 * gigabytes for one call. The limits are far above the needs of ordinary calls.
 */
#ifndef TRACER_DECODE_CORE_BUDGET_H
#define TRACER_DECODE_CORE_BUDGET_H

#include <time.h>

#include "defs.h"

struct memory;

/* Memory limit per event, in bytes. It applies to the total of the event's arena. */
#define BUDGET_BYTES (56u << 20)
/*
 * The CPU time and memory_is_urgent() are checked each time the arena has grown by this many bytes.
 */
#define BUDGET_LOOK (1u << 20)
/*
 * The costs, in bytes, that are charged for each read of the tracee's memory and for each query of
 * a fact.
 */
#define BUDGET_READ 32
#define BUDGET_FACT 256

/*
 * The budget for one stop of a thread. Its memory limit applies to the whole event, including both
 * entry and exit.
 */
struct budget {
	size_t look_at; /* total of the arena, in bytes, at which budget_look() must be called */
	bool spent;	/* the budget is used up */
	struct timespec until; /* limit on tracer's CPU time; set by the first check */
};

#define BUDGET_INIT ((struct budget){.look_at = BUDGET_LOOK})

/*
 * Checks the budget. `bytes` is the current total of the arena. Returns true if the budget is used
 * up; then the rest of the event must not be decoded.
 */
bool budget_look(struct budget *b, size_t bytes, const struct memory *m);

#endif
