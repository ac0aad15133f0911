/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verifier of --verify-stacks, a second opinion on a walk: plain libunwind, uncached, reading
 * the tracee's memory and its mapped .eh_frame itself. It shares nothing with the project's own
 * walk but the maps, and is never what users are shown: it trusts what it reads, which a tracee may
 * have written to harm it.
 */
#ifndef TRACER_STACK_VERIFY_H
#define TRACER_STACK_VERIFY_H

#include "defs.h"

struct elf_files;
struct mapper;
struct mm_task;

struct reference;
struct reference *reference_create(struct elf_files *files);
void reference_destroy(struct reference *r); /* NULL is fine */

/*
 * Walks a thread's stack from regs, columns of the first mode of arch_native, exact as walk_run()
 * has it. Stores up to max pcs, innermost first; returns their number. ended: 0 where it thinks
 * the stack ends there, else libunwind's -UNW_E*.
 */
size_t reference_walk(struct reference *r, struct mm_task *mm, const struct mapper *who,
		      const uint64_t *regs, bool exact, uint64_t *pcs, size_t max, int *ended);

#endif
