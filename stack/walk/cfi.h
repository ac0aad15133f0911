/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information (CFI): what .eh_frame and .debug_frame say about a pc, as one row of the
 * table that they encode. See DWARF 5, 6.4, and the Linux Standard Base about .eh_frame and
 * .eh_frame_hdr.
 *
 * Anything that is not understood is an error and never skipped. Every read is checked against the
 * file, and every loop is bounded by the length of the data.
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
	uint16_t len;  /* of the expression, in bytes */
	int64_t n;     /* see enum cfi_where; of an expression: its offset in the row's bytes */
};

/* The rules for one pc. */
struct cfi_row {
	bool signal;	 /* this is a signal frame: the caller's pc is no return address */
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
	/* Reads n bytes of the tracee's memory; false if they cannot be read. */
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/*
 * Finds the row for addr, an ELF address of f. Returns 0, -ENOENT if no FDE covers addr, -EAGAIN if
 * that is not known, as there is too much to read (stack/files/budget.h), or -EINVAL if the CFI
 * that covers it cannot be right. On success the caller frees row->bytes.
 */
int cfi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
	       struct cfi_row *row);
/* Puts the bounds of the FDE that covers addr into *lo and *hi (exclusive). False if there is none.
 */
bool cfi_function(struct elf_file *f, uint64_t addr, uint64_t *lo, uint64_t *hi);

/*
 * An FDE with the fields of its CIE. The pointers are checked to be within their records; the
 * instructions that they point to are not.
 */
struct cfi_fde {
	uint64_t lo, hi;		      /* ELF addresses that it covers; hi is exclusive */
	uint64_t code_align;		      /* factor of advances */
	int64_t data_align;		      /* factor of offsets */
	uint64_t ra;			      /* column of the return address; not checked */
	bool signal;			      /* this is a signal frame */
	uint8_t pointers;		      /* how addresses are encoded; see cfi_pointer() */
	const uint8_t *initial, *initial_end; /* instructions of the CIE */
	const uint8_t *program, *program_end; /* instructions of the FDE */
	void *buffers[2];		      /* allocated memory that they are in, or NULL */
};

/*
 * Finds the FDE that covers addr. Returns 0 or the errors of cfi_lookup(). On success the caller
 * calls cfi_fde_free().
 */
int cfi_fde_get(struct elf_file *f, uint64_t addr, struct cfi_fde *fde);
void cfi_fde_free(struct cfi_fde *fde);
/*
 * Reads a pointer that is relative to nothing, in an encoding of the Linux Standard Base, "DWARF
 * Extensions". Sets c->bad if it is of another kind, or if the bytes end before it does.
 */
uint64_t cfi_pointer(struct cursor *c, const struct elf_file *f, uint8_t encoding);

/*
 * Evaluates an expression of len bytes (DWARF 5, 2.5). If has_cfa is set, cfa is on the stack at
 * first. Returns 0, -EFAULT if memory cannot be read, or -EINVAL if the expression is not sound.
 */
int cfi_expr(const struct cfi_machine *m, const uint8_t *expr, size_t len, bool has_cfa,
	     uint64_t cfa, uint64_t *result);

/*
 * Finds the binary search table of .eh_frame_hdr: *table is its ELF address, *entries the number of
 * entries. Returns false if f has none of the form that linkers make.
 */
bool cfi_search_table(struct elf_file *f, uint64_t *table, uint64_t *entries);

#endif
