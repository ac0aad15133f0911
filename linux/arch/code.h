/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the caller of code that has no CFI (musl, hand-written assembly, JITs) by following the
 * instructions to the return. Instructions on this path that change the stack pointer determine the
 * location of the return address. Instructions that pop registers determine the locations of the
 * caller's registers.
 *
 * This is less reliable than CFI, because the followed path may not be the executed path. The
 * caller must check that the result looks like a return address.
 */
#ifndef TRACER_LINUX_ARCH_CODE_H
#define TRACER_LINUX_ARCH_CODE_H

#include "linux/arch/arch.h"

/* A source of code. read() copies exactly n bytes at addr to buf, or returns false. */
struct code_source {
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/*
 * The locations of the caller's saved registers, found by following the code from a pc. Offsets are
 * in bytes.
 */
struct code_exit {
	uint8_t base;	/* offsets are relative to the register of this column */
	bool ra_kept;	/* true if the return address is in a register, not on the stack */
	int64_t ra;	/* offset of the return address, unless ra_kept */
	int64_t sp;	/* offset of the caller's sp */
	uint32_t saved; /* bit mask of the columns that are restored from the stack */
	uint32_t lost;	/* bit mask of the columns that are restored in a way that is not tracked */
	uint32_t moved; /* bit mask of the columns that are restored from other registers */
	/*
	 * Indexed by column: the offset at which the register is saved, or the column of the
	 * register to which it was moved.
	 */
	int64_t at[ARCH_COLUMNS_MAX];
};

/*
 * Functions that analyse code of a mode. Addresses have set_bit of struct arch_mode set if the code
 * is in the second instruction set.
 */
struct arch_code {
	/*
	 * Fills in *exit for the code at pc. Returns false if no return is found within the limits.
	 */
	bool (*find_exit)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/*
	 * Like find_exit(), but analyses the code before pc. Used for code that never returns, or
	 * for which the result of find_exit() is implausible. NULL if not supported.
	 */
	bool (*find_entry)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/* Returns true if the instruction that ends at ra is a call. */
	bool (*follows_call)(const struct code_source *code, uint64_t ra);
	/*
	 * Returns true if the instructions after pc use the frame pointer register as a frame
	 * pointer. NULL if not supported.
	 */
	bool (*keeps_frame_pointer)(const struct code_source *code, uint64_t pc);
	/*
	 * Returns true if the code at ra only ends the thread, as after the call of a thread's
	 * start function. This pointer is NULL if there is no such code.
	 */
	bool (*ends_thread)(const struct code_source *code, uint64_t ra);
};

#endif
