/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the decoding of one event may take: memory, for itself and for what sinks make of it, and
 * time. A tracee chooses what its calls point to, and could otherwise have us read and show
 * gigabytes for one of them. It is far more than ordinary calls need.
 */
#ifndef TRACER_DECODE_CORE_BUDGET_H
#define TRACER_DECODE_CORE_BUDGET_H

#include <time.h>

#include "defs.h"

struct memory;

/* In bytes of memory, as struct arena's total counts them. */
#define BUDGET_BYTES (56u << 20)
/* After so many bytes the time is looked at, and whether the tracer is wanted elsewhere. */
#define BUDGET_LOOK (1u << 20)
/* What one read of the tracee, and one fact, is charged for the time that they take: bytes. */
#define BUDGET_READ 32
#define BUDGET_FACT 256

/* Of one stop of a thread; the bytes are those of all its event. */
struct budget {
	size_t look_at; /* when the arena has that many bytes, budget_look() is to be called */
	bool spent;	/* nothing is left */
	struct timespec until; /* CPU time of the thread; not set before the first look */
};

#define BUDGET_INIT ((struct budget){.look_at = BUDGET_LOOK})

/* Looks whether anything is left, with an arena of that many bytes. True: the event has to end. */
bool budget_look(struct budget *b, size_t bytes, const struct memory *m);

#endif
