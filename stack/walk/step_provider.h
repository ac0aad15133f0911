/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An interface for the unwinders of language frames (stack/lang), which can step over generated
 * code that has no CFI. The walk asks the provider first. If the provider does not know the code,
 * the walk analyses the code or uses the frame pointer (step_guess.c).
 */
#ifndef TRACER_STACK_WALK_STEP_PROVIDER_H
#define TRACER_STACK_WALK_STEP_PROVIDER_H

#include "defs.h"

struct walk;

/* The registers of a frame, as the input and the result of step(). */
struct step_frame {
	uint64_t pc; /* a return address, unless `exact` is set */
	uint64_t
		/* the stack pointer after the frame's call returns */
		sp;
	uint64_t fp;
	bool exact; /* pc is the next instruction, not a return address */
};

enum step_answer {
	STEP_UNKNOWN, /* the code at pc is not the provider's */
	STEP_CALLER,  /* *caller is set; the step is exact */
	STEP_FIRST    /* the thread's first frame */
};

struct step_provider {
	/*
	 * Finds the caller of a frame whose code is not in a file. Reads the stack with
	 * snapshot_read(&w->snap, ...). It may read other memory directly, up to a limit per stack.
	 * The walk ends with STACK_LOOP unless caller->sp is above frame->sp.
	 */
	enum step_answer (*step)(struct step_provider *p, struct walk *w,
				 const struct step_frame *frame, struct step_frame *caller);
};

#endif
