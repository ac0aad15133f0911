/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks that are recorded as registers and bytes, to be walked when they are read: records RAW of
 * doc/trace-format.md. A stack is mostly what the thread's stack before was: only what differs from
 * that is written.
 */
#ifndef TRACER_TRACE_FORMAT_RAW_CODING_H
#define TRACER_TRACE_FORMAT_RAW_CODING_H

#include "capture/capture.h"
#include "trace/format/coding.h"
#include "linux/arch/arch.h"
#include "util/strbuf.h"

/* Bytes of a stack, at most: what reading takes, and what is recorded without --stack-size. */
#define RAW_STACK_LIMIT	  (256u << 10)
#define RAW_STACK_DEFAULT (64u << 10)

/* The registers and the stack of a thread at a stop. {0} has none. */
struct raw_image {
	uint16_t regs_size; /* bytes of the register set; behind them are zeroes */
	union {
		uint8_t regs[ARCH_REGS_MAX];
		uint64_t words[ARCH_REGS_MAX / 8];
	};
	uint64_t addr; /* of the first byte of stack, a multiple of 8 */
	struct strbuf stack;
};

void raw_image_deinit(struct raw_image *i);

/*
 * What the stop that a stack belongs to tells by itself: its pc, stack pointer, number of the
 * syscall and arguments. Registers that have these values are not told again.
 */
#define RAW_TOLD 9
struct raw_told {
	unsigned n; /* RAW_TOLD, or 0: the stop tells no arguments */
	uint64_t values[RAW_TOLD];
};
/* What a stop at which a thread enters a syscall tells. */
struct raw_told raw_told_by(const struct syscall_regs *regs);

/* Registers whose values come with the stop: which word, and which of its values. */
struct raw_untold {
	unsigned n;
	struct {
		uint8_t word, value;
	} regs[ARCH_REGS_MAX / 8];
};

/* Appends what makes new of old, which may be {0}, and of what the stop tells. */
void raw_put(struct strbuf *out, const struct raw_image *old, const struct raw_image *new,
	     const struct raw_told *told);
/*
 * Takes what raw_put() has put: makes new of old, but for the registers that *untold then has.
 * Returns false if that cannot be right; then *new is not to be used.
 */
bool raw_take(struct cursor *in, const struct raw_image *old, struct raw_image *new,
	      struct raw_untold *untold);
/* Completes new. Returns false if the stop does not tell what is missing. */
bool raw_complete(struct raw_image *new, const struct raw_untold *untold,
		  const struct raw_told *told);

#endif
