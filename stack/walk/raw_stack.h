/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers and the stack memory of a thread, copied at a stop so that the stack can be walked
 * later. By then the thread may be running again, or may be gone. The copy does not include the
 * mappings: unwind_raw() (unwind.h) also needs a view of the address space (mmap_cache.h) as it was
 * at the stop.
 */
#ifndef TRACER_STACK_WALK_RAW_STACK_H
#define TRACER_STACK_WALK_RAW_STACK_H

#include "capture/memory.h"
#include "linux/arch/arch.h"

/* The innermost function may use this many bytes below the stack pointer (psABI). */
#define RAW_STACK_RED_ZONE 128

struct raw_stack {
	const struct arch_mode *mode;	 /* mode of the code that the thread was running */
	uint64_t regs[ARCH_COLUMNS_MAX]; /* by column of mode; the pc is in column mode->pc */
	bool exact;    /* the pc is the next instruction, and not the instruction after a call */
	uint64_t addr; /* address of the first byte, at most the stack pointer */
	const uint8_t *bytes; /* borrowed; NULL if n is 0 */
	size_t n;
	/*
	 * Other memory: either copied memory, such as code that is in no file, or the live thread's
	 * memory, which may be read only where it cannot change (code). NULL if there is neither.
	 * Borrowed.
	 */
	struct memory *rest;
};

/* The memory of a raw stack: its bytes and, at other addresses, its member rest. */
struct raw_memory {
	struct memory memory; /* must be the first member; the memory to pass to unwinders */
	const struct raw_stack *stack;
};

/*
 * Initializes m. stack is borrowed. Memory that is neither in stack->bytes nor in stack->rest
 * cannot be read: the error is -ENODATA.
 */
void raw_memory_init(struct raw_memory *m, const struct raw_stack *stack);

#endif
