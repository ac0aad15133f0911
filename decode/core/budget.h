/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits on decoding one event: CPU time, and the memory that its values and the sinks need. A
 * tracee chooses where its pointers point, and could otherwise make us read and show gigabytes for
 * one call. The limits are far above the needs of ordinary calls.
 */
#ifndef TRACER_DECODE_CORE_BUDGET_H
#define TRACER_DECODE_CORE_BUDGET_H

#include <time.h>

#include "defs.h"

struct memory;

/* Memory limit per event, in bytes. It is compared with the total of the event's arena. */
#define BUDGET_BYTES (56u << 20)
/* The time and memory_is_urgent() are checked every BUDGET_LOOK bytes. */
#define BUDGET_LOOK (1u << 20)
/*
 * The cost in bytes that is charged for each read of the tracee's memory, and for each query of a
 * fact.
 */
#define BUDGET_READ 32
#define BUDGET_FACT 256

/*
 * The budget for one stop of a thread. The memory limit applies to the whole event, entry and exit.
 */
struct budget {
	size_t look_at;	       /* call budget_look() when the arena has this many bytes */
	bool spent;	       /* the budget is used up */
	struct timespec until; /* limit on our thread's CPU time; set by the first check */
};

#define BUDGET_INIT ((struct budget){.look_at = BUDGET_LOOK})

/*
 * Checks the budget. bytes is the current total of the arena. Returns true if the budget is used
 * up; then nothing more of the event may be decoded.
 */
bool budget_look(struct budget *b, size_t bytes, const struct memory *m);

#endif
