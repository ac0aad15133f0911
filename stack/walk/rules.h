/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache for each file: CFI rows by address. A row of the common kind is a rule of 16 bytes; the
 * others are kept in full. A rule is exact, or its kind says that a walk needs the full row.
 *
 * Rows come from the project's own reader of CFI (stack/walk/cfi.h) and not from libunwind's
 * unw_reg_states_iterate(), because that has a private format, knows neither .debug_frame nor
 * 32-bit code, and trusts what it reads. --verify-stacks compares the walks with libunwind's.
 */
#ifndef TRACER_STACK_WALK_RULES_H
#define TRACER_STACK_WALK_RULES_H

#include "defs.h"

struct elf_file;
struct arch_mode;
struct code_source;

enum rule_kind {
	RULE_EMPTY, /* no rule: a free slot of a table */
	RULE_SP,    /* CFA = sp + cfa_off */
	RULE_BP,    /* CFA = bp + cfa_off */
	RULE_LEAF,  /* CFA = sp + cfa_off; the return address is in ra's register, bp unchanged */
	RULE_END,   /* this is the thread's first frame */
	RULE_SLOW,  /* the walk needs more than pc, sp and bp: see the row */
	RULE_NONE,  /* there is no CFI */
	RULE_BAD    /* the CFI cannot be right */
};

/* The value of bp_at for a frame that has not saved bp. */
#define RULE_BP_KEPT 0

/*
 * The return address is at CFA + ra_at and the caller's bp at CFA + bp_at, where both offsets count
 * words of the mode.
 */
struct rule {
	uint64_t addr : 48, kind : 16;
	int32_t cfa_off; /* in bytes */
	int16_t bp_at, ra_at;
};
static_assert_size(struct rule, 16);

/* The rule for an ELF address of f, made when it is first needed. */
struct rule rule_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr);

struct row;
/* The rule for a row; its kind is RULE_SLOW if the row needs more than pc, sp and bp. */
struct rule rule_of_row(const struct arch_mode *mode, const struct row *row);

/* The rule of one register: len and n are those of struct cfi_rule. */
struct row_reg {
	uint8_t column, where; /* where: enum cfi_where */
	uint16_t len;
	int64_t n;
};

/* A full row, for walks that know all registers. Registers that it does not list are unchanged. */
struct row {
	uint64_t key; /* the address; with CODE_KEY if the row was read from code */
	int err;      /* the result of cfi_lookup(): the rest is set only if it is 0 */
	bool signal, cfa_expr;
	bool mended; /* it is not what the file's CFI says, as that cannot be right */
	uint8_t cfa_reg, nregs;
	uint16_t cfa_len;     /* len of the CFA's rule */
	int64_t cfa_n;	      /* n of the CFA's rule */
	const uint8_t *bytes; /* all expressions */
	size_t nbytes;
	struct row_reg regs[];
};

/* The row for an ELF address of f, made when it is first needed and owned by f. Never NULL. */
const struct row *row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr);
/* Which code tells: that from there on up to a return, or that before (struct arch_code). */
enum code_way { CODE_EXIT, CODE_ENTRY, CODE_WAYS };
/*
 * The row for an ELF address without CFI, where the thread will continue (with set_bit of the mode
 * where the code is of the second instruction set): found by reading the code
 * from there on to its return, see linux/arch/code.h. mode->code must not be NULL. Owned by f;
 * never NULL.
 */
const struct row *code_row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
			       enum code_way way);
/* As code_row_get(), for code that is in no file. The caller frees the row. */
struct row *row_from_code(const struct arch_mode *mode, const struct code_source *code,
			  uint64_t addr, enum code_way way);

#endif
