/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A captured stack: raw frames, named only when somebody looks at them. */
#ifndef TRACER_STACK_STACK_H
#define TRACER_STACK_STACK_H

#include "defs.h"

enum stack_status {
	STACK_COMPLETE,	   /* reached the thread's first frame */
	STACK_FRAME_LIMIT, /* --stack-trace-frame-limit */
	STACK_NO_MAPPING,  /* a pc in no executable mapping */
	STACK_NO_CFI,	   /* no unwind information, and no frame pointer chain to follow */
	STACK_BAD_CFI,	   /* unwind information that cannot be right */
	STACK_UNREADABLE,  /* stack memory that cannot be read */
	STACK_LOOP,	   /* frames that do not move up the stack */
	STACK_GONE,	   /* the thread vanished while it was walked */
	STACK_UNSUPPORTED, /* an ABI the unwinder does not know */
	STACK_STATUSES
};

/* The reason as a walk's last line and JSON's stack_status give it: "no unwind information". */
const char *stack_status_text(enum stack_status s);
const char *stack_status_key(enum stack_status s); /* "complete", "frame-limit", … */

/* How a frame was reached from the one that it called. */
enum frame_by {
	FRAME_INNERMOST,    /* it called none */
	FRAME_BY_RULES,	    /* stack/walk/step_rules.c */
	FRAME_BY_ROWS,	    /* stack/walk/step_rows.c */
	FRAME_BY_LIBUNWIND, /* stack/walk/step_libunwind.c */
	FRAME_BY_FP,	    /* not by unwind information: frame pointer, or reading code */
	FRAME_BYS
};

/* Who steps over frames: --unwinder. */
enum unwinder_kind {
	UNWINDER_AUTO,	    /* rules, rows, then libunwind for what rows refuse */
	UNWINDER_RULES,	    /* rules and rows only */
	UNWINDER_LIBUNWIND, /* libunwind alone */
	UNWINDER_ROWS,	    /* rows only: for --verify-stacks */
	UNWINDERS
};

/* One frame as it is shown. Strings live as long as the unwinder keeps the module. */
struct frame {
	const char *module;   /* path as in maps, "[vdso]", or NULL where there is none */
	const char *build_id; /* lower-case hexadecimal, or NULL */
	const char *symbol;   /* demangled; NULL where no symbol covers the pc */
	uint64_t addr;	      /* ELF address: pc minus load bias; the pc itself without a module */
	uint64_t offset;      /* of the pc from the symbol */
	const char *file;     /* -kk: source file, or NULL */
	unsigned line;
	bool inlined; /* a call inlined into the next frame: same addr, no pc of its own */
	enum frame_by by;
};

/* Opaque until named; owned by whoever called unwind_capture(), released by stack_release(). */
struct stack;

#endif
