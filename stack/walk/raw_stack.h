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
	 * Other memory that was copied, such as code that is in no file; or the live thread's
	 * memory, which may be read only where it cannot change (code). NULL if there is neither.
	 * Borrowed.
	 */
	struct memory *rest;
};

/* The memory of a raw stack: its bytes, and where those are not, its rest. */
struct raw_memory {
	struct memory memory; /* first; the memory to give to unwinders */
	const struct raw_stack *stack;
};

/* stack is borrowed. Memory that is neither in it nor in its rest reads as -ENODATA. */
void raw_memory_init(struct raw_memory *m, const struct raw_stack *stack);

#endif
