/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers and the stack memory of a thread, copied at a stop so that the stack can be walked
 * later. By then the thread may be running again, or may be gone. The copy does not include the
 * mappings: unwind_raw() (unwind.h) also needs a view of the address space (mmap_cache.h) at the
 * time of the stop.
 */
#ifndef TRACER_STACK_WALK_RAW_STACK_H
#define TRACER_STACK_WALK_RAW_STACK_H

#include "capture/memory.h"
#include "linux/arch/arch.h"

/*
 * Size of the red zone in bytes: the innermost function may use this much memory below the stack
 * pointer (psABI).
 */
#define RAW_STACK_RED_ZONE 128

struct raw_stack {
	const struct arch_mode *mode;	 /* mode of the code that the thread was executing */
	uint64_t regs[ARCH_COLUMNS_MAX]; /* indexed by the columns of mode; the pc is in column
					    mode->pc */
	bool exact;	      /* pc is the next instruction to execute, not a return address */
	uint64_t addr;	      /* address of the first byte; not above the stack pointer */
	const uint8_t *bytes; /* the copied bytes; borrowed; NULL if n is 0 */
	size_t n;
	/*
	 * The memory to use for all other addresses, or NULL; borrowed. Either recorded memory,
	 * such as code without a file, or the memory of the running thread. Only memory that does
	 * not change, such as code, may be read from a running thread.
	 */
	struct memory *rest;
};

/* The memory of a raw stack: the copied bytes, and stack->rest for other addresses. */
struct raw_memory {
	struct memory memory; /* must be the first member; unwinders get a pointer to it */
	const struct raw_stack *stack;
};

/*
 * Initializes m. stack is borrowed. Reads of memory that is neither in stack->bytes nor in
 * stack->rest fail with -ENODATA.
 */
void raw_memory_init(struct raw_memory *m, const struct raw_stack *stack);

#endif
