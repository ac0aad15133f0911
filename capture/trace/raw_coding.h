/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks that are recorded as registers and bytes, to be walked when they are read: records RAW of
 * doc/trace-format.md. A stack is mostly what the thread's stack before was: only what differs from
 * that is written.
 */
#ifndef TRACER_CAPTURE_TRACE_RAW_CODING_H
#define TRACER_CAPTURE_TRACE_RAW_CODING_H

#include "capture/trace/coding.h"
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

/* Appends what makes new of old, which may be {0}. */
void raw_put(struct strbuf *out, const struct raw_image *old, const struct raw_image *new);
/*
 * Takes what raw_put() has put: makes new of old. Returns false if that cannot be right; then
 * *new is not to be used.
 */
bool raw_take(struct cursor *in, const struct raw_image *old, struct raw_image *new);

#endif
