/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of tracees. A stack is captured at a stop as raw frames, which get names only when they
 * are shown. A stop is registers, memory and an address space, of a live thread or from a record.
 */
#ifndef TRACER_UNWIND_H
#define TRACER_UNWIND_H

#include "stack/stack.h"
#include "linux/arch/arch.h"

struct file_source;
struct mapping;
struct memory;
struct mm_task;
struct mmap_cache;
struct raw_stack;
struct strbuf;

struct unwind_config {
	unsigned frame_limit;	     /* --stack-trace-frame-limit, 256 by default */
	enum unwinder_kind unwinder; /* --unwinder */
	bool native_frames;	     /* --native-frames: keep them beside those of languages */
	bool source_lines;	     /* -kk: file, line and inlined calls */
	bool debuginfod;	     /* may ask debuginfod servers, but never waits for them */
	bool verify;		     /* --verify-stacks: compare each walk with libunwind's */
	bool debug;		     /* -d: print cache events and counters to stderr */
};

/* What configure may leave out of a build. */
enum unwind_feature {
	UNWIND_LIBUNWIND,    /* --unwinder=libunwind and --verify-stacks */
	UNWIND_SOURCE_LINES, /* of files; those that a trace file has are always shown */
	UNWIND_DEMANGLING,
	UNWIND_DEBUGINFOD
};
bool unwind_has(enum unwind_feature feature);

struct unwinder;
/*
 * maps has the address spaces of the tracees, files opens what they have mapped. Both are borrowed
 * and must outlive the unwinder. Never NULL.
 */
struct unwinder *unwinder_create(const struct unwind_config *config, struct mmap_cache *maps,
				 struct file_source *files);
/*
 * Frees the unwinder; with debug it prints the counters before. The tasks of maps must have been
 * released, because their mappings refer to files of the unwinder. NULL is fine.
 */
void unwinder_destroy(struct unwinder *u);

/* All that the stack of a stopped thread depends on. All pointers are borrowed. */
struct unwind_stop {
	pid_t tid, tgid; /* in the tracer's pid namespace */
	struct mm_task *mm;
	struct memory *memory;
	const struct arch_mode *mode;	 /* of the code that it runs */
	uint64_t regs[ARCH_COLUMNS_MAX]; /* by column of mode: pc, sp, and the rest */
	uint64_t address_mask;		 /* that of struct capture; 0: not known */
	/* The pc is the next instruction, as after a signal, and not the one behind a call. */
	bool exact;
	/*
	 * Fills in all of regs, if only pc and sp are set at first. Returns false if the thread is
	 * gone. NULL: all registers are set already.
	 */
	bool (*fetch)(struct unwind_stop *stop);
	/* Whether the thread is gone by now. NULL: it cannot go. */
	bool (*gone)(const struct unwind_stop *stop);
	/* The register that leads to the thread's own variables, or 0. NULL: it is not known. */
	uint64_t (*thread_pointer)(const struct unwind_stop *stop);
	void *ctx; /* for fetch, gone and thread_pointer */
};

/*
 * Captures the stack at a stop, and may change stop->regs. Never NULL: the status of the stack says
 * what went wrong. The caller gives the stack back by stack_release().
 */
struct stack *unwind_capture(struct unwinder *u, struct unwind_stop *stop);
/*
 * The stack of a thread of which it was copied. mm is a view of the address space as it was then,
 * and tid the id by which its sources of maps and files know the thread. As unwind_capture(); where
 * the copy ends, the stack does, with STACK_NOT_COPIED.
 */
struct stack *unwind_raw(struct unwinder *u, const struct raw_stack *raw, struct mm_task *mm,
			 pid_t tid, pid_t tgid);
/*
 * An empty stack with that status: STACK_GONE, for a thread that was gone before its stop could be
 * read, or STACK_NOT_COPIED, where nothing was. The caller gives it back by stack_release().
 */
struct stack *unwind_without(struct unwinder *u, enum stack_status status);
/* Gives a stack back, before the unwinder is destroyed. NULL is fine. */
void stack_release(struct stack *s);

/* The number of frames, and one of them as a trace file has it; its strings live as long as s. */
size_t stack_size(const struct stack *s);
struct recorded_frame stack_recorded_frame(struct unwinder *u, struct stack *s, size_t i);
/*
 * The build id of what a thread has mapped at m, in hexadecimal, or NULL: it has none. memory is
 * the thread's. The text lives as long as m.
 */
const char *unwind_build_id(struct unwinder *u, pid_t tid, struct memory *memory,
			    struct mapping *m);
/*
 * A stack that a trace file has; NULL: it has none for that stop, and the stack is empty. Never
 * NULL; the caller gives it back by stack_release(). The frames' mappings stay in use until then.
 */
struct stack *unwind_recorded(struct unwinder *u, const struct recorded_stack *r);

/* How the walk ended, and in *addr where. */
enum stack_status stack_status(const struct stack *s, uint64_t *addr);

/* The frames with their names, innermost first. The array of *count frames lives as long as s. */
const struct frame *stack_frames(struct unwinder *u, struct stack *s, size_t *count);
/*
 * Appends the frames as text, a line " > BIN(SYM+0xOFF) [0xADDR]\n" for each, and a last line
 * " > REASON [0xADDR]\n" if the walk did not complete.
 */
void stack_text(struct unwinder *u, struct stack *s, struct strbuf *out);

/* Forgets what is known about a process that ended, since its id may be used again. */
void unwind_forget(struct unwinder *u, pid_t tgid);

#endif
