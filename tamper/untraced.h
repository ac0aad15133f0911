/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel does not attach the tracer to a thread that is created with CLONE_UNTRACED (clone(2)).
 * A tracee could use this flag to hide a thread from -f. Therefore -f clears the flag at the entry
 * of the call, and restores it before the program can notice the change. The flags of clone3(2) are
 * in memory. If another thread changes them between the stop and the kernel's read, a thread can
 * still be hidden.
 */
#ifndef TRACER_TAMPER_UNTRACED_H
#define TRACER_TAMPER_UNTRACED_H

#include "defs.h"

struct tcb;

/* The state of a thread. */
struct untraced {
	enum untraced_state {
		UNTRACED_NOT,
		UNTRACED_PENDING,  /* the flags must still be checked before the thread is
				      resumed */
		UNTRACED_REGISTER, /* the flag was cleared in the first argument */
		UNTRACED_STRUCT	   /* the flag was cleared in struct clone_args */
	} state;
	uint64_t flags; /* the flags that the program passed */
};

/*
 * Clears CLONE_UNTRACED and sets *u. tcb must be stopped at the entry of tcb->syscall, which is
 * clone(2) or clone3(2). Must run after the arguments were decoded and before the thread is
 * resumed. The engine needs CAPTURE_TAMPER.
 */
void untraced_enter(struct tcb *tcb, struct untraced *u);
/*
 * Sets *of_child for the new thread `child`, which was created by tcb's call. The child inherits
 * the changed flags. If the flags are in memory, also restores them there, for tcb and for a child
 * that shares this memory.
 */
void untraced_fork(struct tcb *tcb, struct untraced *u, struct tcb *child,
		   struct untraced *of_child);
/*
 * Restore the flags. untraced_begin() must be called at the first stop of a child, and
 * untraced_exit() at the exit of the call.
 */
void untraced_begin(struct tcb *child, struct untraced *u);
void untraced_exit(struct tcb *tcb, struct untraced *u);

#endif
