/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information rewritten for a reader that trusts it, as libunwind does: one FDE of
 * .eh_frame or .debug_frame with its CIE, checked, as records of .eh_frame with absolute 64-bit
 * addresses. What such a reader could be harmed by is refused; what it may know and cfi.c does not
 * is let through: return addresses in the columns of other registers, DW_OP_addr in files that are
 * mapped where they say, expressions that name a register, more than 64 remembered states.
 */
#ifndef TRACER_STACK_CFI_RECORD_H
#define TRACER_STACK_CFI_RECORD_H

#include "linux/arch/arch.h"
#include "util/strbuf.h"

struct elf_file;

struct cfi_record {
	struct strbuf bytes; /* a CIE and its FDE; {0} at first, used again, the caller's */
	uint32_t fde;	     /* offset of the FDE in it */
	uint64_t lo, hi;     /* the addresses that it covers, mapped */
	bool signal;	     /* the caller was interrupted: its pc is exact */
};

/*
 * That of address addr of f, which is mapped at addr + bias. 0; -ENOENT where no FDE covers it;
 * -EINVAL for what cannot be handed on.
 */
int cfi_record_make(struct cfi_record *r, struct elf_file *f, const struct arch_mode *abi,
		    uint64_t addr, uint64_t bias);

#endif
