/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code without unwind information (musl, hand-written assembly, JITs), read as
 * far as the instruction that returns: what moves the stack pointer on the way
 * says where the return address is, and what pops which registers come back.
 *
 * Not exact as CFI is: a path is followed that need not be taken, so what it finds has to look
 * like a return address to be believed.
 */
#ifndef TRACER_LINUX_ARCH_CODE_H
#define TRACER_LINUX_ARCH_CODE_H

#include "linux/arch/arch.h"

/* Reads exactly n bytes of code. */
struct code_source {
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/* Where the caller's registers are, when the code at an address goes on. */
struct code_exit {
	bool by_bp;	/* offsets are from bp, not from sp */
	int64_t ra;	/* of the return address, right above which is the caller's sp */
	uint32_t saved; /* bit mask of columns that come back from the stack */
	int64_t at[ARCH_COLUMNS_MAX]; /* where, for those */
};

/* What can be read from the code of a mode. */
struct arch_code {
	/* False where no way out is found within some hundred instructions. */
	bool (*find_exit)(const struct code_source *code, uint64_t pc, struct code_exit *exit);
	/* Whether the instruction before ra is a call. */
	bool (*follows_call)(const struct code_source *code, uint64_t ra);
};

#endif
