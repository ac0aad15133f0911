/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of tracees: captured at a stop as raw frames, named only when shown. A stop is
 * registers, memory and an address space, of a live thread or of a record.
 */
#ifndef TRACER_UNWIND_H
#define TRACER_UNWIND_H

#include "stack/stack.h"
#include "linux/arch/arch.h"

struct file_source;
struct memory;
struct mm_task;
struct mmap_cache;
struct strbuf;

struct unwind_config {
	unsigned frame_limit;	     /* --stack-trace-frame-limit, 256 */
	enum unwinder_kind unwinder; /* --unwinder */
	bool source_lines;	     /* -kk: file, line and inlined calls */
	bool debuginfod;	     /* may ask debuginfod servers, never while a tracee waits */
	bool verify;		     /* --verify-stacks: walk both ways, count differences */
	bool debug;		     /* -d: cache events and counters on stderr */
};

/* Whether this build has what it takes. */
bool unwinder_works(enum unwinder_kind kind);

struct unwinder;
/*
 * maps: of the address spaces that stops are in; files: opens what they have mapped. Both are
 * borrowed, and outlive the unwinder.
 */
struct unwinder *unwinder_create(const struct unwind_config *config, struct mmap_cache *maps,
				 struct file_source *files);
/*
 * With debug, prints the counters. What it knows of mapped files is kept with their mappings: the
 * tasks of maps whose stacks were captured are released before. NULL is fine.
 */
void unwinder_destroy(struct unwinder *u);

/* A stopped thread, as much of it as its stack depends on. */
struct unwind_stop {
	pid_t tid, tgid; /* in the tracer's pid namespace */
	struct mm_task *mm;
	struct memory *memory;
	const struct arch_mode *abi;	 /* of the code that it runs */
	uint64_t regs[ARCH_COLUMNS_MAX]; /* by column of abi: the pc in ra's, sp, and the rest */
	/* The pc is that of the next instruction, as after a signal, and not right behind a call.
	 */
	bool exact;
	/*
	 * Fills in all of regs, where only the pc and sp are known yet; false: the thread is gone.
	 * NULL: all of them are known.
	 */
	bool (*fetch)(struct unwind_stop *stop);
	/* Whether the thread has gone by now. NULL: it cannot. */
	bool (*gone)(const struct unwind_stop *stop);
	void *ctx; /* of fetch and gone */
	/*
	 * How many bytes of stack the thread's last walks needed, so that one read gets all of the
	 * next: kept by the caller with the thread, 0 at first. NULL: not kept.
	 */
	uint64_t *depth;
};

/* The stack at a stop, whose regs may be changed. Never NULL: what went wrong is its status. */
struct stack *unwind_capture(struct unwinder *u, struct unwind_stop *stop);
/* That of a thread that was gone before it could be asked. */
struct stack *unwind_gone(struct unwinder *u);
void stack_release(struct stack *s); /* NULL is fine */

enum stack_status stack_status(const struct stack *s, uint64_t *addr); /* addr: where it ended */

/* Names the frames; innermost first. The array lives as long as the stack does. */
const struct frame *stack_frames(struct unwinder *u, struct stack *s, size_t *count);
/*
 * The frames as the text " > BIN(SYM+0xOFF) [0xADDR]\n…", rendered lines cached
 * per pc; ends with " > REASON [0xADDR]\n" where the walk did not complete.
 */
void stack_text(struct unwinder *u, struct stack *s, struct strbuf *out);

/* A process ended: its id may be another's soon. */
void unwind_forget(struct unwinder *u, pid_t tgid);

#endif
