/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits on the decoding of one event: CPU time, and the memory for its values and for the sinks. A
 * tracee can pass any pointers and lengths to a call. Without limits, it could make tracer read and
 * show gigabytes for one call. Ordinary calls stay far below the limits.
 */
#ifndef TRACER_DECODE_CORE_BUDGET_H
#define TRACER_DECODE_CORE_BUDGET_H

#include <time.h>

#include "defs.h"

struct memory;

/* Memory limit per event, in bytes. It applies to the total of the event's arena. */
#define BUDGET_BYTES (56u << 20)
/* budget_check() must be called again when the arena has grown by this number of bytes. */
#define BUDGET_CHECK_BYTES (1u << 20)
/*
 * The costs of one read of the tracee's memory and of one query of a fact. They are charged as
 * bytes of the arena, so that the memory limit also limits the number of reads and queries.
 */
#define BUDGET_READ 32
#define BUDGET_FACT 256

/*
 * The budget for one stop of a thread. The memory limit applies to the entry and the exit of a call
 * together.
 */
struct budget {
	/* total size of the arena, in bytes, at which budget_check() must be called again */
	size_t check_at;
	bool spent; /* true if the budget is used up */
	/* value of the CPU clock at which the time limit is reached; set by the first check */
	struct timespec until;
};

#define BUDGET_INIT ((struct budget){.check_at = BUDGET_CHECK_BYTES})

/*
 * Returns true if the budget is used up: if `bytes`, the current size of the arena, or the CPU time
 * has reached its limit, or if memory_is_urgent(m) is true. The rest of the event must then not be
 * decoded. Otherwise sets b->check_at to the size at which the next check is due.
 */
bool budget_check(struct budget *b, size_t bytes, const struct memory *m);

#endif
