/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses call frame information (CFI). The sections .eh_frame and .debug_frame encode a table with
 * a row for each pc. This parser returns the row for one pc. See DWARF 5, section 6.4, and for
 * .eh_frame and .eh_frame_hdr the Linux Standard Base.
 *
 * Unknown data is an error and is never skipped, except augmentation data whose length is known.
 * Every read is checked against the bounds of the file, and every loop is bounded by the length of
 * the data.
 */
#ifndef TRACER_STACK_WALK_CFI_H
#define TRACER_STACK_WALK_CFI_H

#include "linux/arch/arch.h"

struct cursor;
struct elf_file;

/*
 * How to recover a register of the caller. The CFA is the canonical frame address of DWARF 5, 6.4.
 */
enum cfi_where {
	CFI_SAME,	/* the register is unchanged, or the CFI does not mention it */
	CFI_UNDEFINED,	/* the value cannot be recovered */
	CFI_OFFSET,	/* the value is in memory at CFA + n */
	CFI_VAL_OFFSET, /* the value is CFA + n */
	CFI_REGISTER,	/* the value is in register n */
	CFI_EXPR,	/* the value is in memory at the address that an expression computes */
	CFI_VAL_EXPR	/* the value is the result of an expression */
};

struct cfi_rule {
	uint8_t where; /* a value of enum cfi_where */
	uint16_t len;  /* length of the expression, in bytes */
	int64_t n;     /* see enum cfi_where; for an expression: its position in cfi_row.bytes */
};

/* A row of CFI: how to recover the caller's registers at one pc. */
struct cfi_row {
	bool signal;	 /* true for a signal frame: the caller's pc is not a return address */
	bool cfa_expr;	 /* true if the CFA is the result of the expression that cfa describes */
	uint8_t cfa_reg; /* unless cfa_expr is set, the CFA is this register + cfa.n */
	struct cfi_rule cfa;
	struct cfi_rule regs[ARCH_COLUMNS_MAX];
	uint8_t *bytes; /* the bytes of all expressions; allocated, or NULL */
	size_t nbytes;
};

/* The registers and memory that expressions use. */
struct cfi_machine {
	const struct arch_mode *mode;
	uint64_t reg[ARCH_COLUMNS_MAX];
	uint64_t valid; /* bit mask of the columns whose registers are known */
	/* Reads n bytes of the tracee's memory. Returns false on failure. */
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/*
 * Finds the row for addr, an ELF address of f. Returns 0 on success, -ENOENT if no FDE covers addr,
 * -EAGAIN if the unwind information is too large to read at the moment (stack/files/budget.h), or
 * -EINVAL if the CFI for addr is invalid. On success the caller frees row->bytes.
 */
int cfi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
	       struct cfi_row *row);
/*
 * Stores the bounds of the FDE that covers addr in *lo and *hi (exclusive). Returns false if no FDE
 * covers addr.
 */
bool cfi_function(struct elf_file *f, uint64_t addr, uint64_t *lo, uint64_t *hi);

/*
 * An FDE with the fields of its CIE. The pointers to instructions are known to be within the
 * records, but the instructions themselves have not been checked.
 */
struct cfi_fde {
	uint64_t lo, hi; /* the ELF addresses that the FDE covers; hi is exclusive */
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra; /* column of the return address; may be out of range */
	bool signal;
	uint8_t pointers; /* encoding of addresses; see cfi_pointer() */
	const uint8_t *initial, *initial_end;
	const uint8_t *program, *program_end;
	void *buffers[2]; /* allocated memory that the pointers above point into, or NULL */
};

/*
 * Finds the FDE that covers addr. Returns 0 or an error as cfi_lookup() does. On success the caller
 * calls cfi_fde_free().
 */
int cfi_fde_get(struct elf_file *f, uint64_t addr, struct cfi_fde *fde);
void cfi_fde_free(struct cfi_fde *fde);
/*
 * Reads a pointer with one of the absolute encodings of the Linux Standard Base, "DWARF
 * Extensions". Sets c->bad if the encoding is not absolute, or if the pointer is truncated.
 */
uint64_t cfi_pointer(struct cursor *c, const struct elf_file *f, uint8_t encoding);

/*
 * Evaluates a DWARF expression of len bytes (DWARF 5, 2.5). If has_cfa is set, `cfa` is on the
 * evaluation stack at the start. Stores the result in *result. Returns 0 on success, -EFAULT if
 * memory cannot be read, or -EINVAL if the expression is invalid.
 */
int cfi_expr(const struct cfi_machine *m, const uint8_t *expr, size_t len, bool has_cfa,
	     uint64_t cfa, uint64_t *result);

/*
 * Finds the binary search table of .eh_frame_hdr. Stores its ELF address in *table and the number
 * of its entries in *entries. Returns false if f has no table in the format that linkers create.
 */
bool cfi_search_table(struct elf_file *f, uint64_t *table, uint64_t *entries);

#endif
