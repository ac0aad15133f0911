/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes raw stacks as RAW records (doc/trace-format.md). A raw stack consists of registers and
 * stack memory, and is walked when the trace is read. A stack is usually similar to the thread's
 * previous stack, so only the differences are written.
 */
#ifndef TRACER_TRACE_FORMAT_RAW_CODING_H
#define TRACER_TRACE_FORMAT_RAW_CODING_H

#include "capture/capture.h"
#include "trace/format/coding.h"
#include "linux/arch/arch.h"
#include "util/strbuf.h"

/* The maximum stack size that a reader accepts, and the default for --stack-size, in bytes. */
#define RAW_STACK_LIMIT	  (256u << 10)
#define RAW_STACK_DEFAULT (64u << 10)

/* The registers and the stack of a thread at a stop. {0} contains neither registers nor a stack. */
struct raw_image {
	uint16_t regs_size; /* size in bytes of the register set; the rest of `regs` is zero */
	union {
		uint8_t regs[ARCH_REGS_MAX];
		uint64_t words[ARCH_REGS_MAX / 8];
	};
	uint64_t addr; /* address of the first byte of `stack`, a multiple of 8 */
	struct strbuf stack;
};

void raw_image_deinit(struct raw_image *i);

/*
 * The values that are already in the record of the stop: pc, stack pointer, syscall number and
 * arguments. A register that has one of these values is not written again.
 */
#define RAW_STOP_VALUES 9
struct raw_stop_values {
	unsigned n; /* RAW_STOP_VALUES, or 0 if the stop has no arguments */
	uint64_t values[RAW_STOP_VALUES];
};
/*
 * Returns the values that the record of a syscall entry contains. `regs` are the registers at the
 * entry.
 */
struct raw_stop_values raw_stop_values_of(const struct syscall_regs *regs);

/*
 * The registers whose values come from the record of the stop. For each of them, `word` is the
 * index in raw_image.words, and `value` is the index in raw_stop_values.values.
 */
struct raw_implied_regs {
	unsigned n;
	struct {
		uint8_t word, value;
	} regs[ARCH_REGS_MAX / 8];
};

/*
 * Appends the differences between `old`, which may be {0}, and `new`. For a register that has one
 * of the values in in_stop->values, appends only the index of the value.
 */
void raw_put(struct strbuf *out, const struct raw_image *old, const struct raw_image *new,
	     const struct raw_stop_values *in_stop);
/*
 * Reads data written by raw_put(), and builds `new` from `old` and the differences. Does not set
 * the registers listed in *implied. Returns false if the data is invalid. In this case, *new must
 * not be used.
 */
bool raw_take(struct cursor *in, const struct raw_image *old, struct raw_image *new,
	      struct raw_implied_regs *implied);
/*
 * Sets the registers listed in *implied from the values in the stop's record. Returns false if one
 * of these values is missing.
 */
bool raw_complete(struct raw_image *new, const struct raw_implied_regs *implied,
		  const struct raw_stop_values *in_stop);

#endif
