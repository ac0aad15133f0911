/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Models a path through 32-bit Arm code and the effects of the path's instructions on registers and
 * memory. path.c models instructions, a32.c and t32.c decode the two instruction sets, A32 (4 bytes
 * each) and T32 (Thumb, 2 or 4 bytes), and code.c follows paths. See the Arm Architecture Reference
 * Manual for A-profile, F3 to F5.
 */
#ifndef TRACER_LINUX_ARCH_ARM_PATH_H
#define TRACER_LINUX_ARCH_ARM_PATH_H

#include "linux/arch/code.h"

enum { ARM_R7 = 7, ARM_IP = 12, ARM_SP, ARM_LR, ARM_PC, ARM_REGS, ARM_NONE = ARM_REGS };
/* The registers that a function must preserve: AAPCS32, 6.1.1. */
enum { ARM_FIRST_SAVED = 4, ARM_LAST_SAVED = 11 };
#define ARM_ALWAYS 14 /* the condition code that means "always" */
#define ARM_STORES 32
#define ARM_FORKS  64

/*
 * The contents of a register or a memory word. `reg` stands for the value that this register had at
 * the start of the path.
 */
struct arm_value {
	enum {
		ARM_UNKNOWN,
		ARM_PLUS,
		ARM_SLOT
	} kind;	     /* unknown; reg + n; the word at address reg + n */
	uint8_t reg; /* ARM_NONE if the value is just n */
	int32_t n;
};

struct arm_path {
	uint32_t pc;
	bool thumb; /* true in T32 code, false in A32 code */
	uint8_t it; /* ITSTATE, F1.4.2: the conditions of the next instructions */
	/*
	 * Bit masks of the conditions that the path assumes to be true and to be false, given the
	 * current flags.
	 */
	uint16_t hold, fail;
	struct arm_value r[ARM_REGS];
	unsigned nstores;
	bool overflow; /* true if the path has stored more words than `stores` can hold */
	struct {
		/* `at` is the address, whose kind is ARM_PLUS; v is the value */
		struct arm_value at, v;
	} stores[ARM_STORES];
	struct code_exit x;
};

struct arm_search {
	const struct code_source *code;
	struct arm_path path, forks[ARM_FORKS];
	unsigned nforks;
};

enum arm_outcome {
	ARM_GO_ON,
	ARM_RETURNS, /* the member x of the path has been filled in */
	ARM_DEAD_END,
	ARM_EXITS /* a call of exit(2) or exit_group(2) */
};

/*
 * Executes coprocessor instructions, including VFP. Both instruction sets encode these instructions
 * in the same way.
 */
void arm_coprocessor(struct arm_path *p, uint32_t insn);

static inline uint32_t arm_field(uint32_t insn, unsigned low, unsigned n)
{
	return insn >> low & ((1u << n) - 1);
}

static inline int32_t arm_signed(uint32_t v, unsigned bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static inline struct arm_value arm_number(uint32_t n)
{
	return (struct arm_value){ARM_PLUS, ARM_NONE, (int32_t)n};
}

static const struct arm_value arm_unknown = {ARM_UNKNOWN, ARM_NONE, 0};

/*
 * These functions return the sum of a value and a number, the sum of two values, and the difference
 * of two values.
 */
struct arm_value arm_plus(struct arm_value v, int32_t n);
struct arm_value arm_sum(struct arm_value a, struct arm_value b);
struct arm_value arm_difference(struct arm_value a, struct arm_value b);

/*
 * Returns true if a condition holds. If this is unknown, the path forks: this path assumes that the
 * condition is false, and a new path repeats the instruction and assumes that the condition is
 * true.
 */
bool arm_holds(struct arm_search *s, unsigned condition);
/* Drops the path's assumptions about conditions. Called after the flags have changed. */
void arm_flags(struct arm_path *p);
/* Invalidates the registers that a called function may change. */
void arm_called(struct arm_path *p);
/* Jumps to the address in a register. The jump may be a return or a tail call. */
enum arm_outcome arm_jump(struct arm_path *p, struct arm_value to);
/* Sets a register. Setting the pc is a jump. */
enum arm_outcome arm_set(struct arm_path *p, unsigned reg, struct arm_value v);
/* Executes SVC, which makes a syscall. */
enum arm_outcome arm_svc(struct arm_path *p);

/*
 * A load or store of a word. If `before` is set, the address is `base` + `offset`, and if `keep` is
 * also set, this address is stored in `base`. Otherwise, the address is `base`, and `offset` is
 * added to `base` after the access. `reg` is ARM_NONE if less than a whole register is transferred.
 */
struct arm_access {
	bool load, before, keep;
	unsigned reg, base;
	struct arm_value offset;
};
enum arm_outcome arm_access(struct arm_search *s, struct arm_access a);
/* Like arm_access(), but loads or stores two registers. */
enum arm_outcome arm_access_two(struct arm_search *s, struct arm_access a, unsigned second);
/*
 * Executes LDM, STM and similar instructions. The addressing mode (`up` and `before`) determines
 * where the words are in memory. `list` has one bit per register.
 */
enum arm_outcome arm_block(struct arm_search *s, bool load, bool up, bool before, bool keep,
			   unsigned base, uint32_t list);

#endif
