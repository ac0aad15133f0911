/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unwinds code that has no CFI (musl, hand-written assembly, JITs) by following its instructions up
 * to the return. The instructions on this path that move the stack pointer determine where the
 * return address is, and those that pop registers where the caller's registers are.
 *
 * This is less exact than CFI, because the path followed may not be the one that is executed. A
 * caller has to check that the result looks like a return address.
 */
#ifndef TRACER_LINUX_ARCH_CODE_H
#define TRACER_LINUX_ARCH_CODE_H

#include "linux/arch/arch.h"

/* The source of code: read() copies exactly n bytes at addr to buf, or returns false. */
struct code_source {
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/*
 * Where the caller's registers are, as found by following the code from a pc. Offsets are in bytes.
 */
struct code_exit {
	uint8_t base;	/* the column that offsets are relative to: sp, or a frame pointer */
	bool ra_kept;	/* the return address is in its register instead of on the stack */
	int64_t ra;	/* offset of the return address, unless ra_kept */
	int64_t sp;	/* offset of the caller's sp */
	uint32_t saved; /* bit mask of the columns that are restored from the stack */
	uint32_t lost;	/* bit mask of the columns that are restored in an untracked way */
	uint32_t moved; /* bit mask of the columns that are restored from other registers */
	int64_t at[ARCH_COLUMNS_MAX]; /* by column: its offset, or the column of the register it was
					 moved to */
};

/*
 * The functions that analyse code of a mode. Addresses have set_bit of struct arch_mode if the code
 * is of the second instruction set.
 */
struct arch_code {
	/* Fills in *exit for code at pc. Returns false if no return is found within the limits. */
	bool (*find_exit)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/*
	 * Like find_exit(), but uses the code before pc, for code that never returns or whose exit
	 * is implausible. NULL if not supported.
	 */
	bool (*find_entry)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/* Whether the instruction that ends at ra is a call. */
	bool (*follows_call)(const struct code_source *code, uint64_t ra);
	/*
	 * Whether the function at pc certainly keeps a frame pointer, because its next instructions
	 * use it as one. NULL if not supported.
	 */
	bool (*keeps_frame_pointer)(const struct code_source *code, uint64_t pc);
	/*
	 * Whether the code at ra only ends the thread, like the code at which a thread begins. NULL
	 * if there is no such code.
	 */
	bool (*ends_thread)(const struct code_source *code, uint64_t ra);
};

#endif
