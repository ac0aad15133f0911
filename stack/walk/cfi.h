/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information (CFI): the contents of .eh_frame and .debug_frame for a pc, as one row of
 * the table that they encode. See DWARF 5, section 6.4, and for .eh_frame and .eh_frame_hdr the
 * Linux Standard Base.
 *
 * Anything that is not understood is an error and never skipped. Every read is checked against the
 * bounds of the file, and every loop is bounded by the length of the data.
 */
#ifndef TRACER_STACK_WALK_CFI_H
#define TRACER_STACK_WALK_CFI_H

#include "linux/arch/arch.h"

struct cursor;
struct elf_file;

/* How to recover a caller's register. CFA is the canonical frame address of DWARF 5, 6.4. */
enum cfi_where {
	CFI_SAME,	/* the register is unchanged or not mentioned */
	CFI_UNDEFINED,	/* its value cannot be recovered */
	CFI_OFFSET,	/* its value is in memory at CFA + n */
	CFI_VAL_OFFSET, /* its value is CFA + n */
	CFI_REGISTER,	/* its value is in register n */
	CFI_EXPR,	/* its value is in memory at the result of an expression */
	CFI_VAL_EXPR	/* its value is the result of an expression */
};

struct cfi_rule {
	uint8_t where; /* enum cfi_where */
	uint16_t len;  /* length of the expression, in bytes */
	int64_t n;     /* see enum cfi_where; for an expression, its offset in the row's bytes */
};

/* The rules for one pc. */
struct cfi_row {
	bool signal;	 /* this is a signal frame: the caller's pc is not a return address */
	bool cfa_expr;	 /* the CFA is the result of the expression in cfa */
	uint8_t cfa_reg; /* otherwise the CFA is this register + cfa.n */
	struct cfi_rule cfa;
	struct cfi_rule regs[ARCH_COLUMNS_MAX];
	uint8_t *bytes; /* all expressions; allocated, or NULL */
	size_t nbytes;
};

/* The registers and the memory that an expression is evaluated with. */
struct cfi_machine {
	const struct arch_mode *mode;
	uint64_t reg[ARCH_COLUMNS_MAX];
	uint64_t valid; /* bit 1 << column is set if that register is known */
	/* Reads n bytes of the tracee's memory. Returns false if they cannot be read. */
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/*
 * Finds the row for addr, an ELF address of f. Returns 0, -ENOENT if no FDE covers addr, -EAGAIN if
 * the unwind information is too large to read at the moment (stack/files/budget.h), or -EINVAL if
 * the CFI of addr is invalid. On success the caller frees row->bytes.
 */
int cfi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
	       struct cfi_row *row);
/*
 * Stores the bounds of the FDE that covers addr in *lo and *hi (exclusive). Returns false if there
 * is none.
 */
bool cfi_function(struct elf_file *f, uint64_t addr, uint64_t *lo, uint64_t *hi);

/*
 * An FDE with the fields of its CIE. The pointers are checked to be within their records. The
 * instructions that they point to are not checked.
 */
struct cfi_fde {
	uint64_t lo, hi;     /* the ELF addresses that the FDE covers; hi is exclusive */
	uint64_t code_align; /* code alignment factor */
	int64_t data_align;  /* data alignment factor */
	uint64_t ra;	     /* column of the return address; not validated */
	bool signal;	     /* this is a signal frame */
	uint8_t pointers;    /* the encoding of addresses; see cfi_pointer() */
	const uint8_t *initial, *initial_end; /* instructions of the CIE */
	const uint8_t *program, *program_end; /* instructions of the FDE */
	void *buffers[2]; /* the allocated memory that the pointers above refer to, or NULL */
};

/*
 * Finds the FDE that covers addr. Returns 0 or the errors of cfi_lookup(). On success the caller
 * calls cfi_fde_free().
 */
int cfi_fde_get(struct elf_file *f, uint64_t addr, struct cfi_fde *fde);
void cfi_fde_free(struct cfi_fde *fde);
/*
 * Reads a pointer with an absolute encoding of the Linux Standard Base, "DWARF Extensions". Sets
 * c->bad if the encoding is another one, or if the bytes end too early.
 */
uint64_t cfi_pointer(struct cursor *c, const struct elf_file *f, uint8_t encoding);

/*
 * Evaluates an expression of len bytes (DWARF 5, 2.5). If has_cfa is set, cfa is pushed first.
 * Returns 0, -EFAULT if memory cannot be read, or -EINVAL if the expression is invalid.
 */
int cfi_expr(const struct cfi_machine *m, const uint8_t *expr, size_t len, bool has_cfa,
	     uint64_t cfa, uint64_t *result);

/*
 * Finds the binary search table of .eh_frame_hdr. *table is its ELF address, and *entries the
 * number of its entries. Returns false if f has no table of the form that linkers create.
 */
bool cfi_search_table(struct elf_file *f, uint64_t *table, uint64_t *entries);

#endif
