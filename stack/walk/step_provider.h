/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface through which a reader of language frames (stack/lang) steps over generated code,
 * which has no CFI. The walk asks the provider first. If the provider does not know the code, the
 * walk analyses the code or uses the frame pointer (step_guess.c).
 */
#ifndef TRACER_STACK_WALK_STEP_PROVIDER_H
#define TRACER_STACK_WALK_STEP_PROVIDER_H

#include "defs.h"

struct walk;

/* The registers of a frame: input and result of step(). */
struct step_frame {
	uint64_t pc; /* a return address, unless exact */
	uint64_t
		/* value of the stack pointer when the frame's call returns */
		sp;
	uint64_t fp;
	bool exact; /* pc is the next instruction */
};

enum step_answer {
	STEP_UNKNOWN, /* the provider does not know the code at pc */
	STEP_CALLER,  /* *caller is filled in; the step is exact */
	STEP_FIRST    /* this is the thread's first frame */
};

struct step_provider {
	/*
	 * Finds the caller of a frame whose code is not in a file. Reads the stack with
	 * snapshot_read(&w->snap, ...). It may read other memory by itself, with a limit for each
	 * stack. The walk ends with STACK_LOOP if caller->sp is not above frame->sp.
	 */
	enum step_answer (*step)(struct step_provider *p, struct walk *w,
				 const struct step_frame *frame, struct step_frame *caller);
};

#endif
