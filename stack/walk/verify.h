/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reference walk of --verify-stacks: plain libunwind without caches, which reads the tracee's
 * memory and its mapped .eh_frame by itself. It shares only the maps with the project's own walk.
 * Its result is never shown to users, because it trusts what it reads, and a tracee may have
 * written that to do harm.
 */
#ifndef TRACER_STACK_WALK_VERIFY_H
#define TRACER_STACK_WALK_VERIFY_H

#include "defs.h"

struct elf_files;
struct walk;

struct reference;
/* files is borrowed. Returns NULL in a build without libunwind, and never otherwise. */
struct reference *reference_create(struct elf_files *files);
void reference_destroy(struct reference *r); /* NULL is fine */

/*
 * Walks the stack of the thread that w has walked: of w its address space, its memory and the bits
 * of its addresses are used. regs are by column of the first mode of arch_native; exact is that of
 * walk_run(). Stores up to max pcs, innermost first, and returns their number. *ended is
 * 0 if libunwind found the end of the stack, otherwise its -UNW_E* error.
 */
size_t reference_walk(struct reference *r, struct walk *w, const uint64_t *regs, bool exact,
		      uint64_t *pcs, size_t max, int *ended);

#endif
