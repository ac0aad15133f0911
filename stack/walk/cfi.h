/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information: what .eh_frame and .debug_frame say of a pc, as one
 * row of the table they encode (DWARF 5, 6.4; the Linux Standard Base on
 * .eh_frame and .eh_frame_hdr).
 *
 * Exact or refused: what is not understood is an error, never left out. Every
 * read is checked against the file, every loop is bounded by its length.
 */
#ifndef TRACER_STACK_CFI_H
#define TRACER_STACK_CFI_H

#include "linux/arch/arch.h"

struct elf_file;

enum cfi_where {
	CFI_SAME,	/* not changed, or not mentioned */
	CFI_UNDEFINED,	/* cannot be recovered */
	CFI_OFFSET,	/* at CFA + n */
	CFI_VAL_OFFSET, /* is CFA + n */
	CFI_REGISTER,	/* in register n */
	CFI_EXPR,	/* at the address an expression gives */
	CFI_VAL_EXPR	/* what an expression gives */
};

struct cfi_rule {
	uint8_t where; /* enum cfi_where */
	uint16_t len;  /* of the expression at n in the row's bytes */
	int64_t n;
};

struct cfi_row {
	bool signal;	 /* the caller was interrupted: its pc is exact */
	bool cfa_expr;	 /* the CFA is an expression (cfa.n, cfa.len) */
	uint8_t cfa_reg; /* else register + cfa.n */
	struct cfi_rule cfa;
	struct cfi_rule regs[ARCH_COLUMNS_MAX];
	uint8_t *bytes; /* the expressions; allocated, or NULL */
	size_t nbytes;
};

/* Memory and registers, for expressions. */
struct cfi_machine {
	const struct arch_mode *abi;
	uint64_t reg[ARCH_COLUMNS_MAX];
	uint32_t valid; /* bit mask of columns that are known */
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t n);
	void *ctx;
};

/*
 * The row for address addr of f: 0, -ENOENT where no FDE covers it, -EINVAL
 * where what covers it cannot be right. On success the row's bytes are the caller's.
 */
int cfi_lookup(struct elf_file *f, const struct arch_mode *abi, uint64_t addr, struct cfi_row *row);
/* The bounds of the FDE at addr; false where there is none. */
bool cfi_function(struct elf_file *f, uint64_t addr, uint64_t *lo, uint64_t *hi);

/* An FDE and what its CIE says: whole, and within their records. Instructions are as they came. */
struct cfi_fde {
	uint64_t lo, hi; /* addresses of the file that it covers */
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra; /* column of the return address: any number */
	bool signal;
	const uint8_t *initial, *initial_end; /* the CIE's instructions */
	const uint8_t *program, *program_end; /* the FDE's */
	void *buffers[2];		      /* what those are in, or NULL */
};

/* That of address addr: 0 and the caller's to free; errors are those of cfi_lookup(). */
int cfi_fde_get(struct elf_file *f, uint64_t addr, struct cfi_fde *fde);
void cfi_fde_free(struct cfi_fde *fde);

/* 0; -EFAULT where memory cannot be read, -EINVAL for what is no sound expression. */
int cfi_expr(const struct cfi_machine *m, const uint8_t *expr, size_t len, bool has_cfa,
	     uint64_t cfa, uint64_t *result);

/* The binary search table of .eh_frame_hdr, by address; false where it is not of the usual form. */
bool cfi_search_table(struct elf_file *f, uint64_t *table, uint64_t *entries);

#endif
