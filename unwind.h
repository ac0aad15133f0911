/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Captures and shows tracees' stacks. A stack is captured at a stop as raw frames, which are given
 * names only when they are shown. The registers, the memory and the mappings at a stop come from a
 * live thread or from a recording.
 */
#ifndef TRACER_UNWIND_H
#define TRACER_UNWIND_H

#include "stack/stack.h"
#include "linux/arch/arch.h"
#include "unwind_config.h"

struct file_source;
struct map_table;
struct mapping;
struct memory;
struct mm_task;
struct mmap_cache;
struct strbuf;

/* Features that configure can leave out of a build. */
enum unwind_feature {
	UNWIND_LIBUNWIND, /* --unwinder=libunwind and --verify-stacks */
	/* reading source lines from debug information; builds without this feature still show lines
	   that a trace contains */
	UNWIND_SOURCE_LINES,
	UNWIND_DEMANGLING,
	UNWIND_DEBUGINFOD
};
/*
 * Returns true if the feature is part of this build. The library that the feature needs may still
 * be missing at run time.
 */
bool unwind_is_built_in(enum unwind_feature feature);
/*
 * Returns true if the feature is part of this build and, for UNWIND_LIBUNWIND, if libunwind can be
 * loaded. Loads libunwind.
 */
bool unwind_has(enum unwind_feature feature);

struct unwinder;
/*
 * Creates an unwinder. maps contains the tracees' address spaces; if it is NULL, unwind_capture()
 * must not be called. files opens the files that the tracees have mapped. Both are borrowed and
 * must outlive the unwinder. Never returns NULL.
 */
struct unwinder *unwinder_create(const struct unwind_config *config, struct mmap_cache *maps,
				 struct file_source *files);
/*
 * Frees the unwinder. If config.debug is set, first prints its counters. The tasks of maps must
 * have been released before, because their mappings refer to the unwinder's files. u may be NULL.
 */
void unwinder_destroy(struct unwinder *u);

/* Everything that determines the stack of a stopped thread. All pointers are borrowed. */
struct unwind_stop {
	pid_t tid, tgid; /* ids in tracer's pid namespace */
	struct mm_task *mm;
	struct memory *memory;
	const struct arch_mode *mode;	 /* mode of the code that the thread executes */
	uint64_t regs[ARCH_COLUMNS_MAX]; /* register values, indexed by the columns of mode;
					    includes the pc and the sp */
	uint64_t address_mask; /* mask of the bits of a return address that are not part of a
				  pointer signature, see struct capture; 0 if unknown */
	/*
	 * True if the thread was interrupted at the pc, for example by a signal. Then the pc is not
	 * a return address.
	 */
	bool exact;
	/*
	 * Fills in all registers. Initially, only pc and sp are set. Returns false if the thread is
	 * gone. If this op is NULL, all registers are already set.
	 */
	bool (*fetch)(struct unwind_stop *stop);
	/* Returns true if the thread is gone. This op is NULL if the thread cannot disappear. */
	bool (*gone)(const struct unwind_stop *stop);
	/*
	 * If the registers cannot be read, returns the status of the stack: STACK_GONE or a more
	 * precise one. This op may be NULL.
	 */
	enum stack_status (*why_gone)(const struct unwind_stop *stop);
	/*
	 * Returns the thread pointer, or 0 if it is unknown. This op is NULL if the thread pointer
	 * is never known.
	 */
	uint64_t (*thread_pointer)(const struct unwind_stop *stop);
	void *ctx; /* for use by the ops above */
};

/*
 * Captures the stack at a stop. May change stop->regs. Never returns NULL: if the walk fails, the
 * status of the stack gives the reason. The caller releases the stack with stack_release().
 */
struct stack *unwind_capture(struct unwinder *u, struct unwind_stop *stop);
/*
 * Returns an empty stack with the given status: STACK_GONE if the thread was gone before its
 * registers could be read, or STACK_NOT_COPIED if nothing was copied. The caller releases the stack
 * with stack_release().
 */
struct stack *unwind_without(struct unwinder *u, enum stack_status status);
/* Adds a reference to s and returns s. s may be NULL. */
struct stack *stack_share(struct stack *s);
/*
 * Drops a reference to a stack. All references must be dropped before the unwinder is destroyed. s
 * may be NULL.
 */
void stack_release(struct stack *s);

/*
 * stack_size() returns the number of frames. stack_recorded_frame() returns frame i in the form of
 * trace files. The strings of the frame are valid until the next call of unwind_capture() or
 * unwind_forget().
 */
size_t stack_size(const struct stack *s);
struct recorded_frame stack_recorded_frame(struct unwinder *u, struct stack *s, size_t i);
/*
 * Returns the build id, in hexadecimal, of the file that thread tid has mapped at m. Returns NULL
 * if the file has none. memory is the thread's memory. The string is valid as long as m.
 */
const char *unwind_build_id(struct unwinder *u, pid_t tid, struct memory *memory,
			    struct mapping *m);
/*
 * Returns true if one of the mappings contains a language runtime, such as a JVM (stack/lang).
 * `memory` is the memory of the thread `tid`.
 */
bool unwind_runs_language(struct unwinder *u, pid_t tid, struct memory *memory,
			  const struct map_table *maps);
/*
 * Returns a stack from a trace file. If r is NULL, the trace has no stack for the stop, and the
 * returned stack is empty. Never returns NULL. The caller releases the stack with stack_release().
 * Until then, the mappings of the frames stay in use.
 */
struct stack *unwind_recorded(struct unwinder *u, const struct recorded_stack *r);

/*
 * Returns how the walk ended. Stores the address at which it ended in *addr, unless addr is NULL.
 */
enum stack_status stack_status(const struct stack *s, uint64_t *addr);

/*
 * Returns the named frames, innermost first, and stores their number in *count. The array and the
 * names are valid as long as s.
 */
const struct frame *stack_frames(struct unwinder *u, struct stack *s, size_t *count);
/*
 * Appends the frames as text: a line " > BIN(SYM+0xOFF) [0xADDR]\n" for each frame, and a final
 * line " > REASON [0xADDR]\n" if the walk did not complete. Some reasons have no address.
 */
void stack_text(struct unwinder *u, struct stack *s, struct strbuf *out);

/*
 * Among the files whose symbols are not installed, returns the path of the file in which most
 * addresses were shown without a name. Returns NULL if there is no such file. The path is valid as
 * long as u.
 */
const char *unwind_unnamed_file(const struct unwinder *u);

/* Drops all data about a process that has ended, because its id may be reused. */
void unwind_forget(struct unwinder *u, pid_t tgid);

#endif
