/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An interface through which a walk can step over generated code without CFI. The readers of
 * language frames (stack/lang) implement it, because they know the frames of JIT compilers. For
 * code without a file, the walk asks the provider first. If the provider does not know the code,
 * the walk analyses the code or uses the frame pointer (step_guess.c). For code in a file, the walk
 * asks the provider last, unless the provider has already stepped over a frame at this pc. The
 * provider is needed there, too, because a runtime's file may contain code that its own JIT
 * compiler has generated.
 */
#ifndef TRACER_STACK_WALK_STEP_PROVIDER_H
#define TRACER_STACK_WALK_STEP_PROVIDER_H

#include "defs.h"

struct mapping;
struct walk;

/* The registers of a frame. The input and the result of step() have this type. */
struct step_frame {
	uint64_t pc; /* a return address, unless `exact` is set */
	/* the current sp if `exact` is set; otherwise sp after the called function returns */
	uint64_t sp;
	uint64_t fp;
	bool exact;	   /* true if pc is the next instruction to execute, not a return address */
	struct mapping *m; /* the mapping of the file that contains pc, or NULL if no file does */
};

enum step_answer {
	STEP_UNKNOWN, /* the provider does not know the code at pc */
	STEP_CALLER,  /* *caller is set; the step is exact */
	STEP_FIRST    /* the frame is the thread's first frame */
};

struct step_provider {
	/*
	 * Finds the caller of a frame whose code has no CFI. May read a limited amount of memory.
	 * If caller->sp is not above frame->sp, the walk ends with STACK_LOOP.
	 */
	enum step_answer (*step)(struct step_provider *p, struct walk *w,
				 const struct step_frame *frame, struct step_frame *caller);
};

#endif
