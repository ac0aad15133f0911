/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The contents of a captured stack, and how its walk ended. */
#ifndef TRACER_STACK_STACK_H
#define TRACER_STACK_STACK_H

#include "defs.h"

enum stack_status {
	STACK_COMPLETE,	   /* the walk reached the thread's first frame */
	STACK_FRAME_LIMIT, /* the stack has more frames than --stack-trace-frame-limit allows */
	STACK_NO_MAPPING,  /* a pc is not in an executable mapping */
	STACK_NO_CFI,	   /* there is neither unwind information nor a frame pointer chain */
	STACK_BAD_CFI,	   /* the unwind information is invalid */
	STACK_UNREADABLE,  /* the stack memory cannot be read */
	STACK_LOOP,	   /* the walk came back to an earlier frame or did not move up the stack */
	STACK_GONE,	   /* the thread disappeared during the walk */
	STACK_OVER_BUDGET, /* the file's unwind information is too large to read at the moment */
	STACK_UNSUPPORTED, /* the unwinder does not know the code's ABI */
	/* The copied part of the stack has ended. The stack itself may continue. */
	STACK_NOT_COPIED,
	/* There is no copy of the stack, because the call began before tracing. */
	STACK_BEFORE_TRACING,
	/* A pc is not in a known mapping, and records of the process's mappings were lost. */
	STACK_MAPS_LOST,
	STACK_STATUSES
};

/*
 * Returns the reason as text, for example "no unwind information", or "" for STACK_COMPLETE. Text
 * output shows this reason in the last line of a stack.
 */
const char *stack_status_text(enum stack_status s);
/* Returns the value of stack_status in JSON output: "complete", "frame-limit", … */
const char *stack_status_key(enum stack_status s);

/* The method that found a frame, starting from the frame of its callee. */
enum frame_by {
	FRAME_INNERMOST,    /* no method, because the innermost frame has no callee */
	FRAME_BY_RULES,	    /* unwind rules, see stack/walk/step_rules.c */
	FRAME_BY_ROWS,	    /* rows of CFI (stack/walk/step_rows.c), or a step_provider */
	FRAME_BY_LIBUNWIND, /* libunwind, see stack/walk/step_libunwind.c */
	FRAME_BY_FP, /* a guess from the frame pointer or the code, see stack/walk/step_guess.c */
	FRAME_BYS
};

/* The methods that a walk may use, set by --unwinder. */
enum unwinder_kind {
	UNWINDER_AUTO,	    /* tries unwind rules, then CFI rows, then libunwind */
	UNWINDER_RULES,	    /* tries unwind rules, then CFI rows */
	UNWINDER_LIBUNWIND, /* only libunwind */
	UNWINDER_ROWS,	    /* only CFI rows, for --verify-stacks */
	UNWINDERS
};

/* A frame, in the form that sinks receive. Its strings are valid as long as its stack. */
struct frame {
	const char *module;   /* path as in /proc/PID/maps, "[vdso]", or NULL if there is no name */
	const char *build_id; /* build id in lower-case hexadecimal, or NULL */
	const char *symbol;   /* demangled name, or NULL if no symbol covers the pc */
	uint64_t addr; /* ELF address: pc minus load bias; if there is no module, the pc itself */
	/*
	 * Distance of the pc from the start of the symbol, in bytes. Without a symbol, this is the
	 * distance from the start of the function according to the unwind information, or 0 if
	 * unknown.
	 */
	uint64_t offset;
	const char *file; /* source file (-kk), or NULL */
	unsigned line;	  /* line number in `file` */
	/* reason why the demangled name or the source line is missing, or NULL */
	const char *missing;
	/*
	 * true if this call was inlined into the function of the next frame; then both frames have
	 * the same addr
	 */
	bool inlined;
	enum frame_by by;
	/*
	 * The program's language, or NULL for native code. In a language frame, symbol is the
	 * function's name in that language, and file and line are known even without -kk. module
	 * and addr belong to the code of the runtime that executes the function.
	 */
	const char *language;
	unsigned column;  /* column in the line, starting at 1; 0 if unknown */
	const char *task; /* name of the task in a frame "awaited by task", otherwise NULL */
};

struct mapping;

/* A call that was inlined at a pc. In an array, the innermost call comes first. */
struct inlined {
	const char *symbol; /* demangled name of the inlined function */
	const char *file;   /* source file of the pc in the inlined function, or NULL */
	unsigned line;	    /* line number in `file` */
};

/*
 * A frame as stored in a trace file, with everything that is needed to show it on another machine.
 */
struct recorded_frame {
	uint64_t addr; /* ELF address of the pc, as in struct frame */
	/* the mapping that contains the pc, with the name and the inode of its file */
	struct mapping *mapping;
	const char *build_id; /* build id of the mapped file, or NULL */
	/*
	 * If true, the frame's name is not in any file. symbol is then the name in the trace, or
	 * NULL if the frame had no name.
	 */
	bool named;
	const char *symbol;
	uint64_t offset; /* offset from the start of the symbol, see struct frame */
	/*
	 * The source location from the trace, for use if the file is missing. NULL and 0 if the
	 * trace contains no location.
	 */
	const char *file;
	unsigned line, ninlined;
	const struct inlined *inlined;
	bool exact; /* true if addr is the next instruction to execute, not a return address */
	enum frame_by by;
};

struct recorded_stack {
	enum stack_status status;
	uint64_t end; /* the address at which the walk ended */
	size_t n;
	const struct recorded_frame *frames; /* innermost first */
};

/*
 * A captured stack. unwind_capture() (unwind.h) creates it, and stack_frames() returns its frames
 * with names. The caller releases it with stack_release().
 */
struct stack;

#endif
