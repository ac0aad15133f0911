/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reference walk of --verify-stacks: plain libunwind without caches, which reads the tracee's
 * memory, including the .eh_frame mapped there. The reference walk uses tracer's mappings, and
 * tracer finds the search tables for it. It uses tracer's CFI rows only to detect code for which
 * libunwind's result is known to be wrong. The result is never shown to users, because a tracee can
 * supply malicious data, and libunwind trusts its input.
 */
#ifndef TRACER_STACK_WALK_VERIFY_H
#define TRACER_STACK_WALK_VERIFY_H

#include "defs.h"

struct elf_files;
struct walk;

struct reference;
/*
 * Creates the reference walk. Returns NULL only in a build without libunwind. `files` must remain
 * valid until reference_destroy().
 */
struct reference *reference_create(struct elf_files *files);
void reference_destroy(struct reference *r); /* r may be NULL */

/*
 * Walks the same stack as w did before, using w's address space, memory and ra_mask. regs is
 * indexed by the columns of arch_native's first mode; exact is as in walk_run(). Stores up to max
 * pcs, innermost first, and returns their number. Sets *ended to 0 if libunwind found the end of
 * the stack, to -UNW_EUNSPEC if the walk could not start or stopped after max frames, and otherwise
 * to libunwind's error (-UNW_E*).
 */
size_t reference_walk(struct reference *r, struct walk *w, const uint64_t *regs, bool exact,
		      uint64_t *pcs, size_t max, int *ended);

#endif
