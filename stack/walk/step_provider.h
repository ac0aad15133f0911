/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface through which a reader of language frames (stack/lang) tells a walk how to step
 * over generated code, which has no CFI. The walk asks the provider first; if the provider does not
 * know the code, the walk goes on by the code itself or by the frame pointer (step_guess.c).
 */
#ifndef TRACER_STACK_WALK_STEP_PROVIDER_H
#define TRACER_STACK_WALK_STEP_PROVIDER_H

#include "defs.h"

struct walk;

/* A frame, or its caller's frame. */
struct step_frame {
	uint64_t pc; /* a return address, unless exact */
	uint64_t
		sp; /* as it was when the frame made its call, after the return address is popped */
	uint64_t fp;
	bool exact; /* pc is the next instruction */
};

enum step_answer {
	STEP_UNKNOWN, /* the provider does not know the code at pc */
	STEP_CALLER,  /* *caller is filled in, and exact */
	STEP_FIRST    /* this is the thread's first frame */
};

struct step_provider {
	/*
	 * Finds the caller of a frame whose code is in no file. Reads the stack by
	 * snapshot_read(&w->snap, ...) and other memory by itself, with a bound for each stack. The
	 * walk ends with STACK_LOOP unless caller->sp is above frame->sp.
	 */
	enum step_answer (*step)(struct step_provider *p, struct walk *w,
				 const struct step_frame *frame, struct step_frame *caller);
};

#endif
