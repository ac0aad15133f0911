/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits on decoding one event: CPU time, and the memory that its values and the sinks need. A
 * tracee chooses the targets of its pointers and could otherwise make us read and show gigabytes
 * for one call. The limits are far above the needs of ordinary calls.
 */
#ifndef TRACER_DECODE_CORE_BUDGET_H
#define TRACER_DECODE_CORE_BUDGET_H

#include <time.h>

#include "defs.h"

struct memory;

/* The memory limit of one event, in bytes, compared with the member `total` of its arena. */
#define BUDGET_BYTES (56u << 20)
/* Check the time and memory_is_urgent() every BUDGET_LOOK bytes. */
#define BUDGET_LOOK (1u << 20)
/* Bytes that are charged for the time of one read of the tracee, and of one query of a fact. */
#define BUDGET_READ 32
#define BUDGET_FACT 256

/* The budget of one stop of a thread. The bytes count for the whole event, entry and exit. */
struct budget {
	size_t look_at;	       /* call budget_look() once the arena has this many bytes */
	bool spent;	       /* the budget is used up */
	struct timespec until; /* limit of our thread's CPU time; the first check sets it */
};

#define BUDGET_INIT ((struct budget){.look_at = BUDGET_LOOK})

/*
 * Checks the budget; bytes is the current total of the arena. Returns true if the budget is used
 * up, so nothing more of the event may be decoded.
 */
bool budget_look(struct budget *b, size_t bytes, const struct memory *m);

#endif
