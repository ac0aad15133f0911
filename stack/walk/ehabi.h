/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables that say how functions are left, in the form of the Exception Handling ABI for the Arm
 * Architecture (EHABI32, 2024Q3): .ARM.exidx, sorted by address, whose entries are instructions for
 * an unwinder, or lead to those in .ARM.extab. They say what is on the stack at the calls that a
 * function makes, and not what is there before all of it was put there, or after it was taken off.
 *
 * The registers of the instructions have the numbers of their columns: r0 to r15.
 *
 * All of it is what the tracee's file says: each read is checked against the file, and the
 * instructions of a function are at most 1 KiB.
 */
#ifndef TRACER_STACK_WALK_EHABI_H
#define TRACER_STACK_WALK_EHABI_H

#include "stack/walk/cfi.h"

struct elf_file;

/*
 * Makes a row of what the file's table says of addr, an ELF address. Returns 0, -ENOENT if it says
 * nothing, or that the function is not to be unwound, or -EINVAL if what it says cannot be right.
 * On success the caller frees row->bytes.
 */
int ehabi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
		 struct cfi_row *row);
/* Whether an entry of the table begins at addr. */
bool ehabi_begins(struct elf_file *f, uint64_t addr);

#endif
