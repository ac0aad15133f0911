/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The contents of a captured stack, and how its walk ended. */
#ifndef TRACER_STACK_STACK_H
#define TRACER_STACK_STACK_H

#include "defs.h"

enum stack_status {
	STACK_COMPLETE,	   /* the walk reached the thread's first frame */
	STACK_FRAME_LIMIT, /* reached --stack-trace-frame-limit */
	STACK_NO_MAPPING,  /* a pc is not in an executable mapping */
	STACK_NO_CFI,	   /* there is neither unwind information nor a frame pointer chain */
	STACK_BAD_CFI,	   /* the unwind information is invalid */
	STACK_UNREADABLE,  /* the stack memory cannot be read */
	STACK_LOOP,	   /* the frames do not move up the stack */
	STACK_GONE,	   /* the thread disappeared during the walk */
	STACK_OVER_BUDGET, /* the file's unwind information is too large to read at the moment */
	STACK_UNSUPPORTED, /* the unwinder does not know the code's ABI */
	/* The end of the copied part of the stack. The stack itself may continue. */
	STACK_NOT_COPIED,
	STACK_STATUSES
};

/*
 * Returns the reason in words, for the last line of a stack in text output: "no unwind
 * information".
 */
const char *stack_status_text(enum stack_status s);
/* Returns the value of stack_status in JSON output: "complete", "frame-limit", … */
const char *stack_status_key(enum stack_status s);

/* The method by which a frame was found from its callee. */
enum frame_by {
	FRAME_INNERMOST,    /* no method: the frame has no callee */
	FRAME_BY_RULES,	    /* stack/walk/step_rules.c */
	FRAME_BY_ROWS,	    /* stack/walk/step_rows.c */
	FRAME_BY_LIBUNWIND, /* stack/walk/step_libunwind.c */
	FRAME_BY_FP, /* a guess by the frame pointer or the code, see stack/walk/step_guess.c */
	FRAME_BYS
};

/* The methods that a walk may use, set by --unwinder. */
enum unwinder_kind {
	UNWINDER_AUTO,	    /* rules, then rows, then libunwind if the rows refuse */
	UNWINDER_RULES,	    /* rules, then rows */
	UNWINDER_LIBUNWIND, /* only libunwind */
	UNWINDER_ROWS,	    /* only rows, for --verify-stacks */
	UNWINDERS
};

/* A frame, in the form that sinks receive. Its strings are valid as long as its stack. */
struct frame {
	const char *module;   /* path as in /proc/PID/maps, "[vdso]", or NULL if there is none */
	const char *build_id; /* lower-case hexadecimal, or NULL */
	const char *symbol;   /* demangled name, or NULL if no symbol covers the pc */
	uint64_t addr;	  /* ELF address: pc minus load bias; the pc itself if there is no module */
	uint64_t offset;  /* distance of the pc from the start of the symbol, in bytes */
	const char *file; /* source file (-kk), or NULL */
	unsigned line;	  /* line number in file */
	const char
		*missing; /* reason why the demangled name or the source line is missing, or NULL */
	bool inlined; /* the call was inlined into the next frame, so it has the same addr and no pc
			 of its own */
	enum frame_by by;
	/*
	 * The program's language, or NULL for native code. In a language frame, symbol is the
	 * function's name in that language, and file and line are known even without -kk. module
	 * and addr are those of the runtime code that executes the function.
	 */
	const char *language;
	unsigned column; /* column in the line, starting at 1; 0 if unknown */
};

struct mapping;

/* A call inlined at a pc. The innermost call comes first. */
struct inlined {
	const char *symbol; /* demangled */
	const char *file;   /* source file of the pc within the inlined function, or NULL */
	unsigned line;	    /* line number in file */
};

/*
 * A frame as stored in a trace file, with everything that is needed to show it on another machine.
 */
struct recorded_frame {
	uint64_t addr;		 /* see struct frame */
	struct mapping *mapping; /* the mapping that contains the frame, with its name and its
				    file's inode */
	const char *build_id;	 /* build id of the mapped file, or NULL */
	/*
	 * If set, the frame's name is not in any file. symbol is then the recorded name, or NULL if
	 * the frame had no name.
	 */
	bool named;
	const char *symbol;
	uint64_t offset; /* offset from symbol, see struct frame */
	/*
	 * The source location that the trace contains, for use without the file; otherwise NULL and
	 * 0.
	 */
	const char *file;
	unsigned line, ninlined;
	const struct inlined *inlined;
	bool exact; /* addr is the address of the next instruction, not a return address */
	enum frame_by by;
};

struct recorded_stack {
	enum stack_status status;
	uint64_t end; /* where the walk ended */
	size_t n;
	const struct recorded_frame *frames; /* innermost first */
};

/*
 * A captured stack. unwind_capture() (unwind.h) creates one, stack_frames() names its frames, and
 * the caller releases it with stack_release().
 */
struct stack;

#endif
