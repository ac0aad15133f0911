/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creates call frame information for libunwind, which trusts its input. Checks one FDE of .eh_frame
 * or .debug_frame and its CIE, and rewrites them as .eh_frame records with absolute 64-bit
 * addresses. Anything that could harm an unwinder without checks is refused. Some features that
 * cfi_lookup() and cfi_expr() do not support are allowed: return addresses in columns other than
 * the usual one, DW_OP_addr in files with a load bias of 0, expressions that name a register, and
 * more than 64 remembered states.
 */
#ifndef TRACER_STACK_WALK_CFI_RECORD_H
#define TRACER_STACK_WALK_CFI_RECORD_H

#include "linux/arch/arch.h"
#include "util/strbuf.h"

struct elf_file;

struct cfi_record {
	struct strbuf bytes; /* a CIE and its FDE; initially {0}; freed by the caller */
	uint32_t fde;	     /* offset of the FDE in `bytes` */
	uint64_t lo, hi;     /* the tracee addresses that the FDE covers; hi is exclusive */
	bool signal;
};

/*
 * Creates the record for addr, an ELF address of f. bias is f's load bias. Returns 0 on success,
 * -ENOENT if no FDE covers addr, -EAGAIN if the unwind information is too large to read at the
 * moment, or -EINVAL if the FDE is invalid or not supported. Overwrites *r.
 */
int cfi_record_make(struct cfi_record *r, struct elf_file *f, const struct arch_mode *mode,
		    uint64_t addr, uint64_t bias);

#endif
