/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a captured stack consists of, and how its walk ended. */
#ifndef TRACER_STACK_STACK_H
#define TRACER_STACK_STACK_H

#include "defs.h"

enum stack_status {
	STACK_COMPLETE,	   /* reached the thread's first frame */
	STACK_FRAME_LIMIT, /* reached --stack-trace-frame-limit */
	STACK_NO_MAPPING,  /* a pc is in no executable mapping */
	STACK_NO_CFI,	   /* no unwind information, and no frame pointer chain to follow */
	STACK_BAD_CFI,	   /* the unwind information cannot be right */
	STACK_UNREADABLE,  /* stack memory cannot be read */
	STACK_LOOP,	   /* the frames do not move up the stack */
	STACK_GONE,	   /* the thread vanished during the walk */
	STACK_OVER_BUDGET, /* the file's unwind information is too much to read for now */
	STACK_UNSUPPORTED, /* the unwinder does not know the code's ABI */
	STACK_NOT_COPIED,  /* a copy of stack memory ends there, and the thread's may go on */
	STACK_STATUSES
};

/* The reason in words, as the last line of a walk in text output: "no unwind information". */
const char *stack_status_text(enum stack_status s);
/* The word for it in JSON's stack_status: "complete", "frame-limit", … */
const char *stack_status_key(enum stack_status s);

/* Which method found a frame from its callee's frame. */
enum frame_by {
	FRAME_INNERMOST,    /* none: the frame has no callee */
	FRAME_BY_RULES,	    /* stack/walk/step_rules.c */
	FRAME_BY_ROWS,	    /* stack/walk/step_rows.c */
	FRAME_BY_LIBUNWIND, /* stack/walk/step_libunwind.c */
	FRAME_BY_FP,	    /* a guess by the frame pointer or the code: stack/walk/step_guess.c */
	FRAME_BYS
};

/* The methods that a walk may use: --unwinder. */
enum unwinder_kind {
	UNWINDER_AUTO,	    /* rules, then rows, then libunwind if rows refuse */
	UNWINDER_RULES,	    /* rules, then rows */
	UNWINDER_LIBUNWIND, /* only libunwind */
	UNWINDER_ROWS,	    /* only rows: for --verify-stacks */
	UNWINDERS
};

/* One frame as sinks show it. Its strings live as long as the stack that it is part of. */
struct frame {
	const char *module;   /* path as in maps, "[vdso]", or NULL if there is none */
	const char *build_id; /* lower-case hexadecimal, or NULL */
	const char *symbol;   /* demangled; NULL if no symbol covers the pc */
	uint64_t addr;	      /* ELF address: pc minus load bias; the pc itself without a module */
	uint64_t offset;      /* distance of the pc from the start of the symbol, in bytes */
	const char *file;     /* source file (-kk), or NULL */
	unsigned line;	      /* in file */
	const char *missing;  /* why a demangled symbol, or file and line, are missing, or NULL */
	bool inlined;	      /* a call inlined into the next frame: same addr, no pc of its own */
	enum frame_by by;
	/*
	 * The language of the program, or NULL for native code. With one, symbol is the function
	 * as the language names it, file and line are known without -kk, and module and addr are
	 * those of the runtime's code that runs it.
	 */
	const char *language;
	unsigned column; /* in line, counted from 1; 0 if unknown */
};

struct mapping;

/* A call inlined at a pc; the innermost comes first. */
struct inlined {
	const char *symbol; /* demangled */
	const char *file;   /* source file of the pc within the inlined function, or NULL */
	unsigned line;	    /* in file */
};

/* A frame as a trace file has it: what is needed to show it on another machine. */
struct recorded_frame {
	uint64_t addr;		 /* that of struct frame */
	struct mapping *mapping; /* that the frame is in; its name, and its file's inode */
	const char *build_id;	 /* of its file, or NULL */
	/* No file will name it: that is what it was called, NULL if nobody knew. */
	bool named;
	const char *symbol;
	uint64_t offset; /* of symbol, as that of struct frame */
	/* What a trace says of the frame's source, for who does not have its file; or NULL and 0.
	 */
	const char *file;
	unsigned line, ninlined;
	const struct inlined *inlined;
	bool exact; /* the frame is at addr, which is no return address */
	enum frame_by by;
};

struct recorded_stack {
	enum stack_status status;
	uint64_t end; /* where the walk ended */
	size_t n;
	const struct recorded_frame *frames; /* innermost first */
};

/*
 * A captured stack. unwind_capture() (unwind.h) makes one, which its caller releases by
 * stack_release(); stack_frames() names its frames.
 */
struct stack;

#endif
