/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CFI rows already seen, by file and address, shared by everything that maps
 * the file: as 16-byte rules where the row is of the common kind, and in full
 * for the rest. A rule is exact or says that it is not enough.
 *
 * Rows come from the project's own reading of CFI (stack/walk/cfi.h), not from
 * libunwind's unw_reg_states_iterate: its payload is a private layout, it
 * knows no .debug_frame and no 32-bit side, and its reader does not doubt what
 * it reads. libunwind is the reference that --verify-stacks compares with.
 */
#ifndef TRACER_STACK_RULES_H
#define TRACER_STACK_RULES_H

#include "defs.h"

struct elf_file;
struct arch_mode;
struct code_source;

enum rule_kind {
	RULE_EMPTY, /* of a table's slot */
	RULE_SP,    /* CFA = sp + cfa_off */
	RULE_BP,    /* CFA = bp + cfa_off */
	RULE_END,   /* the thread's first frame */
	RULE_SLOW,  /* needs more than pc, sp and bp */
	RULE_NONE,  /* no CFI at all */
	RULE_BAD    /* CFI that cannot be right */
};

/* bp_at of a frame that has not saved bp. */
#define RULE_BP_KEPT 0

/* Offsets in words of the mode: the return address is at CFA + ra_at, a saved bp at CFA + bp_at. */
struct rule {
	uint64_t addr : 48, kind : 16;
	int32_t cfa_off; /* in bytes */
	int16_t bp_at, ra_at;
};
static_assert_size(struct rule, 16);

/* The rule for an address of the file; compiled when it is first asked for. */
struct rule rule_get(struct elf_file *f, const struct arch_mode *abi, uint64_t addr);

/* A row in full, for walks that keep every register. */
struct row_reg {
	uint8_t column, where; /* enum cfi_where */
	uint16_t len;
	int64_t n;
};

struct row {
	uint64_t key; /* the address; with CODE_KEY of a row read from code */
	int err;      /* 0, -ENOENT, -EINVAL: as cfi_lookup() said */
	bool signal, cfa_expr;
	uint8_t cfa_reg, nregs;
	uint16_t cfa_len;
	int64_t cfa_n;
	const uint8_t *bytes; /* of expressions */
	struct row_reg regs[];
};

const struct row *row_get(struct elf_file *f, const struct arch_mode *abi, uint64_t addr);
/*
 * What the code at addr (where the thread goes on; of a mode whose code is read) says by itself of
 * where its caller's registers are; for addresses without CFI, see linux/arch/code.h.
 */
const struct row *code_row_get(struct elf_file *f, const struct arch_mode *abi, uint64_t addr);
/* The same of code that is in no file; the caller's to free. */
struct row *row_from_code(const struct arch_mode *abi, const struct code_source *code,
			  uint64_t addr);

#endif
