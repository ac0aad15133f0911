/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stack as it was copied at a stop, to be walked later: registers and bytes. The thread may run
 * on, or be gone, by the time of the walk. Where its code was mapped at the stop must be known of
 * another source: unwind_raw() (unwind.h) takes a view of the address space (mmap_cache.h) that is
 * as it was then.
 */
#ifndef TRACER_STACK_WALK_RAW_STACK_H
#define TRACER_STACK_WALK_RAW_STACK_H

#include "capture/memory.h"
#include "linux/arch/arch.h"

/* So many bytes below the stack pointer may be in use by the innermost function (psABI). */
#define RAW_STACK_RED_ZONE 128

struct raw_stack {
	const struct arch_mode *mode;	 /* of the code that the thread ran */
	uint64_t regs[ARCH_COLUMNS_MAX]; /* by column of mode: the pc in ra's, and the rest */
	bool exact;	      /* the pc is the next instruction, and not the one behind a call */
	uint64_t addr;	      /* address of the first byte, at most the stack pointer */
	const uint8_t *bytes; /* borrowed; NULL if n is 0 */
	size_t n;
	/*
	 * What else was copied, such as code that is in no file; or the memory of the thread, which
	 * runs: what does not change can be read there. NULL: nothing else is known. Borrowed.
	 */
	struct memory *rest;
};

/* The memory of a raw stack: its bytes, and where those are not, its rest. */
struct raw_memory {
	struct memory memory; /* first: pass this one to who reads */
	const struct raw_stack *stack;
};

/* stack is borrowed. What is neither in it nor in its rest reads as -ENODATA. */
void raw_memory_init(struct raw_memory *m, const struct raw_stack *stack);

#endif
