/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the stack of a stopped thread. A walk begins with 16-byte rules, which need only three
 * registers. If a frame needs more registers, the walk starts again with all registers; stepper.h
 * describes the methods. Each frame in the result is either certain or marked as a guess. If a walk
 * ends early, the status of the walk gives the reason.
 */
#ifndef TRACER_STACK_WALK_WALK_H
#define TRACER_STACK_WALK_WALK_H

#include "stack/walk/walk_state.h"

/*
 * Walks the stack, starting from the registers in regs: ARCH_COLUMNS_MAX values, indexed by the
 * columns of w->mode. If exact is true, the thread was interrupted at the pc, for example by a
 * signal, and the frame's function is the one that contains the pc. Otherwise the pc follows a
 * syscall or call instruction, and the frame's function is the one that contains pc - 1.
 */
void walk_run(struct walk *w, uint64_t *regs, bool exact);

#endif
