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
	bool by_fp;   /* reached by frame pointer, not by unwind information */
};

/* Opaque until named; owned by whoever called unwind_capture(), released by stack_release(). */
struct stack;

#endif
