/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unwind tables of the Exception Handling ABI for the Arm Architecture (EHABI32, 2024Q3).
 * .ARM.exidx is sorted by address. Each of its entries contains instructions for an unwinder, or
 * points to instructions in .ARM.extab. The instructions are valid at calls in the function body.
 * They are not valid in the function's prologue and epilogue.
 *
 * Register numbers in the instructions are equal to columns: r0 to r15.
 *
 * The tables come from the tracee's file and are not trusted. Each read is checked against the
 * bounds of the file, and the instructions of a function are limited to about 1 KiB.
 */
#ifndef TRACER_STACK_WALK_EHABI_H
#define TRACER_STACK_WALK_EHABI_H

#include "stack/walk/cfi.h"

struct elf_file;

/*
 * Creates a row from the table entry for addr, an ELF address. Returns 0 on success, -ENOENT if
 * there is no entry or if the entry says that the function cannot be unwound, or -EINVAL if the
 * entry is invalid. On success the caller frees row->bytes.
 */
int ehabi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
		 struct cfi_row *row);
/* Returns true if an entry of the table begins at addr. */
bool ehabi_begins(struct elf_file *f, uint64_t addr);

#endif
