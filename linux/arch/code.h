/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unwinding code that has no CFI (musl, hand-written assembly, JITs): its instructions are read up
 * to the one that returns. Those that move the stack pointer on the way tell where the return
 * address is, and those that pop registers tell where the caller's are.
 *
 * This is less exact than CFI, as the path that is read may not be the one that is taken. A caller
 * therefore has to check that what was found looks like a return address.
 */
#ifndef TRACER_LINUX_ARCH_CODE_H
#define TRACER_LINUX_ARCH_CODE_H

#include "linux/arch/arch.h"

/* Where code is read from: read() copies exactly n bytes at addr to buf, or returns false. */
struct code_source {
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/* Where the caller's registers are found by the code that follows a pc. Offsets are in bytes. */
struct code_exit {
	uint8_t base;	/* the column that offsets count from: sp, or a frame pointer */
	bool ra_kept;	/* the return address is in its register, and not on the stack */
	int64_t ra;	/* offset of the return address, unless ra_kept */
	int64_t sp;	/* offset of where the caller's sp points to */
	uint32_t saved; /* bit mask of the columns that are restored from the stack */
	uint32_t lost; /* bit mask of the columns that are restored in a way that is not followed */
	uint32_t moved; /* bit mask of the columns that are restored from other registers */
	int64_t at[ARCH_COLUMNS_MAX]; /* by column: its offset, or the column of the other one */
};

/*
 * The functions that read the code of a mode. Addresses have set_bit of struct arch_mode where the
 * code is of the second instruction set.
 */
struct arch_code {
	/*
	 * Fills in *exit for code at pc; false if no return is found in some hundred or thousand
	 * instructions.
	 */
	bool (*find_exit)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/*
	 * The same by what comes before pc, for code that never returns, or whose exit cannot be
	 * believed. NULL: that is not read.
	 */
	bool (*find_entry)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/* Whether the instruction that ends at ra is a call. */
	bool (*follows_call)(const struct code_source *code, uint64_t ra);
	/*
	 * Whether the function of the code at pc certainly keeps a frame pointer: its next
	 * instructions use it as one. NULL: that is not read.
	 */
	bool (*keeps_frame_pointer)(const struct code_source *code, uint64_t pc);
	/*
	 * Whether the code at ra does no more than to end the thread, as that which a thread
	 * begins at. NULL: it is not known how such code looks.
	 */
	bool (*ends_thread)(const struct code_source *code, uint64_t ra);
};

#endif
