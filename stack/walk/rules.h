/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache of CFI rows for each file, indexed by address. Most rows fit into a rule, which has 16
 * bytes. For other rows, the kind of the rule is RULE_SLOW, and the full row is stored as well.
 *
 * The rows come from the project's own CFI parser (stack/walk/cfi.h), because libunwind trusts its
 * input.
 */
#ifndef TRACER_STACK_WALK_RULES_H
#define TRACER_STACK_WALK_RULES_H

#include "defs.h"

struct elf_file;
struct arch_mode;
struct code_source;

enum rule_kind {
	RULE_EMPTY, /* an unused slot of a table */
	RULE_SP,    /* CFA = sp + cfa_off */
	RULE_BP,    /* CFA = bp + cfa_off */
	/*
	 * CFA = sp + cfa_off; the return address register holds the return address, and bp is
	 * unchanged
	 */
	RULE_LEAF,
	RULE_END,  /* the thread's first frame */
	RULE_SLOW, /* the walk needs the full row, because three registers (pc, sp, bp) are not
		      enough */
	RULE_NONE, /* there is no CFI */
	RULE_LOST, /* the caller is on another stack, which cannot be found */
	RULE_BAD,  /* the CFI is invalid */
	/*
	 * Only in struct known_pc: there is no rule, but the step_provider of the walk can step
	 * over the frame.
	 */
	RULE_PROVIDED
};

/* Value of bp_at if the function has not saved bp. */
#define RULE_BP_KEPT 0

/*
 * A compressed row of CFI, which describes how to step over a frame. The return address is at CFA +
 * ra_at, and the caller's bp is at CFA + bp_at. Both offsets are in words of the mode.
 */
struct rule {
	uint64_t addr : 48, kind : 16;
	int32_t cfa_off; /* offset of the CFA in bytes */
	int16_t bp_at, ra_at;
};
static_assert_size(struct rule, 16);

/* Returns the rule for addr, an ELF address of f, and creates it if necessary. */
struct rule rule_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr);

struct row;
/*
 * Converts a row to a rule. The rule's kind is RULE_SLOW if the row needs more than pc, sp and bp.
 */
struct rule rule_of_row(const struct arch_mode *mode, const struct row *row);

/*
 * How to recover one register of the caller. `where`, `len` and `n` are as in struct cfi_rule.
 */
struct row_reg {
	uint8_t column, where;
	uint16_t len;
	int64_t n;
};

/*
 * A full row of CFI, for walks that use all registers. Registers that are not in `regs` have the
 * same values in the caller.
 */
struct row {
	uint64_t key; /* the address, with CODE_KEY if the row was derived from code */
	/*
	 * 0, an error as from cfi_lookup(), or -ESRCH if the caller is on another stack
	 * (stack/walk/go.h). The members below are set only if err is 0.
	 */
	int err;
	bool signal, cfa_expr;
	bool corrected; /* true if tracer has corrected the CFA's rule in the file's CFI */
	uint8_t cfa_reg, nregs;
	uint16_t cfa_len;     /* length of the CFA's expression; see struct cfi_rule */
	int64_t cfa_n;	      /* n of the CFA's rule, see struct cfi_rule */
	const uint8_t *bytes; /* the bytes of all expressions */
	size_t nbytes;
	struct row_reg regs[];
};

/*
 * Returns the row for addr, an ELF address of f, and creates it if necessary. The row is owned by
 * f, and is valid until the next call of row_get() or code_row_get() for f. Never returns NULL.
 */
const struct row *row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr);
/*
 * How to analyse code without CFI (struct arch_code). CODE_EXIT follows the instructions from an
 * address to a return instruction. CODE_ENTRY analyses the instructions before an address.
 */
enum code_analysis { CODE_EXIT, CODE_ENTRY, CODE_ANALYSES };
/*
 * Returns a row for code without CFI, derived from the code around addr (linux/arch/code.h). addr
 * is the ELF address at which the thread will continue, plus set_bit of the mode if the code is in
 * the second instruction set. mode->code must not be NULL. The row is owned by f, and is valid
 * until the next call of row_get() or code_row_get() for f. Never returns NULL.
 */
const struct row *code_row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
			       enum code_analysis analysis);
/* Does the same as code_row_get() for code that is not in a file. The caller frees the row. */
struct row *row_from_code(const struct arch_mode *mode, const struct code_source *code,
			  uint64_t addr, enum code_analysis analysis);

#endif
