/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information for libunwind, which trusts what it reads. One FDE of .eh_frame or
 * .debug_frame and its CIE are checked and rewritten as records of .eh_frame with absolute 64-bit
 * addresses. Anything that could harm a trusting reader is refused. Some things are passed on
 * that cfi.c does not understand: return addresses in the columns of other registers, DW_OP_addr
 * in files that are mapped at their own addresses, expressions that name a register, and more than
 * 64 remembered states.
 */
#ifndef TRACER_STACK_WALK_CFI_RECORD_H
#define TRACER_STACK_WALK_CFI_RECORD_H

#include "linux/arch/arch.h"
#include "util/strbuf.h"

struct elf_file;

struct cfi_record {
	struct strbuf bytes; /* a CIE and its FDE; {0} at first; the caller frees it at the end */
	uint32_t fde;	     /* offset of the FDE in bytes */
	uint64_t lo, hi;     /* addresses in the tracee that it covers; hi is exclusive */
	bool signal;	     /* this is a signal frame */
};

/*
 * Makes the record for addr, an ELF address of f, which is mapped at addr + bias. Returns 0,
 * -ENOENT if no FDE covers addr, or -EINVAL if the FDE must not be passed on. Reuses r->bytes.
 */
int cfi_record_make(struct cfi_record *r, struct elf_file *f, const struct arch_mode *mode,
		    uint64_t addr, uint64_t bias);

#endif
