/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache of CFI rows by address, for each file. Most rows fit into a rule of 16 bytes; the others
 * are stored in full. A rule is exact, or its kind says that the walk needs the full row.
 *
 * The rows come from the project's own CFI parser (stack/walk/cfi.h). libunwind's
 * unw_reg_states_iterate() is not used because its format is private, it supports neither
 * .debug_frame nor 32-bit code, and it trusts its input. --verify-stacks compares our walks with
 * those of libunwind.
 */
#ifndef TRACER_STACK_WALK_RULES_H
#define TRACER_STACK_WALK_RULES_H

#include "defs.h"

struct elf_file;
struct arch_mode;
struct code_source;

enum rule_kind {
	RULE_EMPTY, /* a free slot of a table */
	RULE_SP,    /* CFA = sp + cfa_off */
	RULE_BP,    /* CFA = bp + cfa_off */
	/* CFA = sp + cfa_off; the return address is in its register, and bp is unchanged. */
	RULE_LEAF,
	RULE_END,  /* this is the thread's first frame */
	RULE_SLOW, /* the walk needs more than pc, sp and bp, so it needs the row */
	RULE_NONE, /* there is no CFI */
	RULE_LOST, /* the caller is on another stack, and nothing describes where */
	RULE_BAD   /* the CFI is invalid */
};

/* The value of bp_at if the frame has not saved bp. */
#define RULE_BP_KEPT 0

/*
 * The return address is at CFA + ra_at, and the caller's bp at CFA + bp_at. Both offsets are in
 * words of the mode.
 */
struct rule {
	uint64_t addr : 48, kind : 16;
	int32_t cfa_off; /* in bytes */
	int16_t bp_at, ra_at;
};
static_assert_size(struct rule, 16);

/* Returns the rule for an ELF address of f. The first call for an address creates the rule. */
struct rule rule_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr);

struct row;
/* Returns the rule for a row. Its kind is RULE_SLOW if the row needs more than pc, sp and bp. */
struct rule rule_of_row(const struct arch_mode *mode, const struct row *row);

/*
 * The rule of one register. where is an enum cfi_where; where, len and n are those of struct
 * cfi_rule.
 */
struct row_reg {
	uint8_t column, where;
	uint16_t len;
	int64_t n;
};

/*
 * A full row, for walks that know all registers. Registers without an entry in regs are unchanged.
 */
struct row {
	uint64_t key; /* the address, with CODE_KEY if the row was derived from code */
	/*
	 * The result of cfi_lookup(), or -ESRCH if the caller is on another stack
	 * (stack/walk/go.h). If it is not 0, the members below are not set.
	 */
	int err;
	bool signal, cfa_expr;
	bool corrected; /* the row was corrected, because the file's CFI is wrong here */
	uint8_t cfa_reg, nregs;
	uint16_t cfa_len;     /* len of the CFA's rule */
	int64_t cfa_n;	      /* n of the CFA's rule */
	const uint8_t *bytes; /* the bytes of all expressions */
	size_t nbytes;
	struct row_reg regs[];
};

/*
 * Returns the row for an ELF address of f. The first call for an address creates the row. Owned by
 * f; never NULL.
 */
const struct row *row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr);
/*
 * Which code to analyse (struct arch_code). CODE_EXIT: from the address to a return. CODE_ENTRY:
 * the code before the address.
 */
enum code_analysis { CODE_EXIT, CODE_ENTRY, CODE_ANALYSES };
/*
 * Returns the row for an ELF address without CFI, at which the thread will continue. It is derived
 * from the code around the address, see linux/arch/code.h. addr has set_bit of the mode if the code
 * is of the second instruction set. mode->code must not be NULL. Owned by f; never NULL.
 */
const struct row *code_row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
			       enum code_analysis analysis);
/* Like code_row_get(), for code that is in no file. The caller frees the row. */
struct row *row_from_code(const struct arch_mode *mode, const struct code_source *code,
			  uint64_t addr, enum code_analysis analysis);

#endif
