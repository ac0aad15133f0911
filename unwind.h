/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of tracees: captured at a stop as raw frames, named only when shown.
 */
#ifndef TRACER_UNWIND_H
#define TRACER_UNWIND_H

#include "stack/stack.h"
#include "capture/capture.h"

struct unwind_config {
	unsigned frame_limit; /* --stack-trace-frame-limit, 256 */
	bool source_lines;    /* -kk: file, line and inlined calls */
	bool debuginfod;      /* may ask debuginfod servers, never while a tracee waits */
	bool verify;	      /* --verify-stacks: walk both ways, count differences */
	bool debug;	      /* -d: cache events and counters on stderr */
	bool follow;	      /* every thread that may share memory is traced (-f) */
};

struct unwinder;
struct unwinder *unwinder_create(const struct unwind_config *config);
void unwinder_destroy(struct unwinder *u); /* with debug, prints the counters */

/* The stack of a stopped thread. Never NULL: what went wrong is its status. */
struct stack *unwind_capture(struct unwinder *u, struct tcb *tcb);
/*
 * The same at a syscall's entry or exit, where tcb->regs are those of this stop: cheaper.
 * started: an execve succeeded, so that the pc is where the program begins, not behind a call.
 */
struct stack *unwind_capture_syscall(struct unwinder *u, struct tcb *tcb, bool started);
void stack_release(struct stack *s); /* NULL is fine */

enum stack_status stack_status(const struct stack *s, uint64_t *addr); /* addr: where it ended */

/* Names the frames; innermost first. The array lives as long as the stack does. */
const struct frame *stack_frames(struct unwinder *u, struct stack *s, size_t *count);
/*
 * The frames as the text " > BIN(SYM+0xOFF) [0xADDR]\n…", rendered lines cached
 * per pc; ends with " > REASON [0xADDR]\n" where the walk did not complete.
 */
struct strbuf;
void stack_text(struct unwinder *u, struct stack *s, struct strbuf *out);

/* Frees what is kept for one thread. */
void unwind_forget(struct unwinder *u, struct tcb *tcb);

#endif
