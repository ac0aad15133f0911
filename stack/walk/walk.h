/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the stack of a stopped thread. It begins with 16-byte rules and three registers; if a frame
 * needs more, the walk begins again with all registers (stepper.h describes the methods). Each
 * frame is exact, or marked as a guess; a walk that ends early has a reason.
 */
#ifndef TRACER_STACK_WALK_WALK_H
#define TRACER_STACK_WALK_WALK_H

#include "stack/walk/walk_state.h"

/*
 * Walks from regs, ARCH_COLUMNS_MAX of them, by column of w->mode: pc, sp, and the rest. exact: pc
 * is the next instruction, as after a signal, and not the one behind a system call.
 */
void walk_run(struct walk *w, uint64_t *regs, bool exact);

#endif
