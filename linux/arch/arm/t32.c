/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The T32 (Thumb) instruction set: Arm Architecture Reference Manual for A-profile, F3.1. */
#include "linux/arch/arm/sets.h"

/* 2-byte instructions */

static enum arm_outcome jump_by(struct arm_path *p, int32_t n)
{
	/* n is relative to pc + 4. The caller adds 2, the size of this instruction. */
	p->pc += 2 + (uint32_t)n;
	return ARM_GO_ON;
}

/*
 * Must be called for instructions that set the flags, except comparisons. Outside IT blocks, such
 * an instruction changes the flags.
 */
static void flags_of(struct arm_path *p)
{
	if (!p->it)
		arm_flags(p);
}

static enum arm_outcome narrow_add(struct arm_path *p, uint32_t insn)
{
	const unsigned low = arm_field(insn, 0, 3), high = arm_field(insn, 6, 3),
		       wide = arm_field(insn, 8, 3);
	const struct arm_value first = p->r[arm_field(insn, 3, 3)],
			       n = arm_number(arm_field(insn, 0, 8)),
			       second = arm_field(insn, 10, 1) ? arm_number(high) : p->r[high];

	flags_of(p);
	switch (arm_field(insn, 11, 3)) {
	case 3: /* ADD and SUB of registers or small numbers */
		return arm_set(p, low,
			       arm_field(insn, 9, 1) ? arm_difference(first, second)
						     : arm_sum(first, second));
	case 4: /* MOV */
		return arm_set(p, wide, n);
	case 5: /* CMP */
		arm_flags(p);
		return ARM_GO_ON;
	case 6:
		return arm_set(p, wide, arm_sum(p->r[wide], n));
	case 7:
		return arm_set(p, wide, arm_difference(p->r[wide], n));
	default: /* shifts */
		return arm_set(p, low, arm_unknown);
	}
}

/* Executes operations on registers, including r8 to r15 (F3.2.3). */
static enum arm_outcome special(struct arm_path *p, uint32_t insn)
{
	const unsigned to = arm_field(insn, 7, 1) << 3 | arm_field(insn, 0, 3),
		       from = arm_field(insn, 3, 4);

	switch (arm_field(insn, 8, 2)) {
	case 0:
		return arm_set(p, to, arm_sum(p->r[to], p->r[from]));
	case 1:
		arm_flags(p);
		return ARM_GO_ON;
	case 2:
		return arm_set(p, to, p->r[from]);
	default:
		if (!arm_field(insn, 7, 1))
			return arm_jump(p, p->r[from]);
		arm_called(p);
		return ARM_GO_ON;
	}
}

static enum arm_outcome narrow_registers(struct arm_path *p, uint32_t insn)
{
	const unsigned op = arm_field(insn, 6, 4);

	flags_of(p);
	if (op == 8 || op == 10 || op == 11) { /* TST, CMP, CMN */
		arm_flags(p);
		return ARM_GO_ON;
	}
	return arm_set(p, arm_field(insn, 0, 3), arm_unknown);
}

static enum arm_outcome literal(struct arm_search *s, uint32_t insn)
{
	return arm_access(s, (struct arm_access){.load = true,
						 .before = true,
						 .reg = arm_field(insn, 8, 3),
						 .base = ARM_PC,
						 .offset = arm_number(4 * arm_field(insn, 0, 8))});
}

/* Executes loads and stores of one register (F3.2). */
static enum arm_outcome narrow_access(struct arm_search *s, uint32_t insn)
{
	const unsigned low = arm_field(insn, 0, 3);
	struct arm_access a = {.load = arm_field(insn, 11, 1),
			       .before = true,
			       .reg = low,
			       .base = arm_field(insn, 3, 3),
			       .offset = arm_number(4 * arm_field(insn, 6, 5))};

	switch (arm_field(insn, 12, 4)) {
	case 5: /* with an index register; the first three opcodes are stores */
		if (arm_field(insn, 9, 3) >= 3)
			s->path.r[low] = arm_unknown;
		return ARM_GO_ON;
	case 6:
		return arm_access(s, a);
	case 9:
		a.reg = arm_field(insn, 8, 3);
		a.base = ARM_SP;
		a.offset = arm_number(4 * arm_field(insn, 0, 8));
		return arm_access(s, a);
	default: /* byte and halfword accesses */
		if (a.load)
			s->path.r[low] = arm_unknown;
		return ARM_GO_ON;
	}
}

static enum arm_outcome miscellaneous(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const uint32_t list = arm_field(insn, 0, 8), n = 4 * arm_field(insn, 0, 7);

	if ((insn & 0xf500) == 0xb100) { /* CBZ, CBNZ */
		if (s->nforks < ARM_FORKS) {
			struct arm_path *fork = &s->forks[s->nforks++];

			*fork = *p;
			fork->pc += 4 + (arm_field(insn, 9, 1) << 6 | arm_field(insn, 3, 5) << 1);
		}
		return ARM_GO_ON;
	}
	switch (arm_field(insn, 8, 4)) {
	case 0x0:
		p->r[ARM_SP] =
			arm_plus(p->r[ARM_SP], arm_field(insn, 7, 1) ? -(int32_t)n : (int32_t)n);
		return ARM_GO_ON;
	case 0x2:
	case 0xa: /* extensions, reversals */
		return arm_set(p, arm_field(insn, 0, 3), arm_unknown);
	case 0x4:
	case 0x5:
		return arm_block(s, false, false, true, true, ARM_SP,
				 list | (arm_field(insn, 8, 1) ? 1u << ARM_LR : 0));
	case 0xc:
	case 0xd:
		return arm_block(s, true, true, false, true, ARM_SP,
				 list | (arm_field(insn, 8, 1) ? 1u << ARM_PC : 0));
	case 0xe: /* BKPT */
		return ARM_DEAD_END;
	case 0xf: /* IT if bits 0 to 3 are not all zero, otherwise a hint such as NOP */
		if (insn & 0xf)
			p->it = arm_field(insn, 0, 8);
		return ARM_GO_ON;
	default:
		return ARM_GO_ON;
	}
}

static enum arm_outcome branch(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const unsigned condition = arm_field(insn, 8, 4);

	if (condition == 0xf)
		return arm_svc(p);
	if (condition == 0xe) /* UDF */
		return ARM_DEAD_END;
	if (arm_holds(s, condition))
		return jump_by(p, arm_signed(insn << 1 & 0x1ff, 9));
	return ARM_GO_ON;
}

static enum arm_outcome narrow(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const unsigned wide = arm_field(insn, 8, 3);

	switch (arm_field(insn, 12, 4)) {
	case 0x0:
	case 0x1:
	case 0x2:
	case 0x3:
		return narrow_add(p, insn);
	case 0x4:
		if (arm_field(insn, 11, 1))
			return literal(s, insn);
		return arm_field(insn, 10, 1) ? special(p, insn) : narrow_registers(p, insn);
	case 0xa: /* ADR, and ADD with sp */
		return arm_set(p, wide,
			       arm_plus(p->r[arm_field(insn, 11, 1) ? ARM_SP : ARM_PC],
					4 * (int32_t)arm_field(insn, 0, 8)));
	case 0xb:
		return miscellaneous(s, insn);
	case 0xc: /* a base register that is also loaded is not updated */
		return arm_block(s, arm_field(insn, 11, 1), true, false,
				 !arm_field(insn, 11, 1) || !(insn & 1u << wide), wide,
				 arm_field(insn, 0, 8));
	case 0xd:
		return branch(s, insn);
	case 0xe:
		return jump_by(p, arm_signed(insn << 1 & 0xfff, 12));
	default:
		return narrow_access(s, insn);
	}
}

/* 4-byte instructions. The first halfword is the upper half of insn. */

/* Returns the 12-bit immediate operand of an instruction (F4.2.4). modified() expands it. */
static uint32_t plain(uint32_t insn)
{
	return arm_field(insn, 26, 1) << 11 | arm_field(insn, 12, 3) << 8 | arm_field(insn, 0, 8);
}

static uint32_t modified(uint32_t insn)
{
	const uint32_t n = plain(insn), byte = n & 0xff, by = n >> 7;

	switch (n >> 8) {
	case 0:
		return byte;
	case 1:
		return byte << 16 | byte;
	case 2:
		return byte << 24 | byte << 8;
	case 3:
		return byte << 24 | byte << 16 | byte << 8 | byte;
	default:
		return (byte | 0x80) >> by | (byte | 0x80) << (32 - by);
	}
}

enum { ORR = 2, ADD = 8, SUB = 13 };

/* Executes operations whose operand is a shifted register or an immediate (F3.3.2, F3.3.5). */
static enum arm_outcome compute(struct arm_path *p, uint32_t insn, struct arm_value operand)
{
	const unsigned op = arm_field(insn, 21, 4), first = arm_field(insn, 16, 4),
		       to = arm_field(insn, 8, 4);
	struct arm_value v = arm_unknown;

	if (arm_field(insn, 20, 1))
		arm_flags(p);
	if (to == ARM_PC)
		return ARM_GO_ON; /* a comparison */
	if (op == ADD)
		v = arm_sum(p->r[first], operand);
	else if (op == SUB)
		v = arm_difference(p->r[first], operand);
	else if (op == ORR && first == ARM_PC)
		v = operand;
	return arm_set(p, to, v);
}

/* Executes operations with an unmodified immediate operand (F3.3.6). */
static enum arm_outcome plain_number(struct arm_path *p, uint32_t insn)
{
	const unsigned from = arm_field(insn, 16, 4), to = arm_field(insn, 8, 4);
	const struct arm_value was = p->r[to];
	const uint32_t n = plain(insn), half = from << 12 | n;

	switch (arm_field(insn, 20, 5)) {
	case 0x00: /* ADDW */
		return arm_set(p, to, arm_plus(p->r[from], (int32_t)n));
	case 0x0a: /* SUBW */
		return arm_set(p, to, arm_plus(p->r[from], -(int32_t)n));
	case 0x04: /* MOVW */
		return arm_set(p, to, arm_number(half));
	case 0x0c: /* MOVT */
		if (was.kind == ARM_PLUS && was.reg == ARM_NONE)
			return arm_set(p, to, arm_number(half << 16 | (was.n & 0xffff)));
		return arm_set(p, to, arm_unknown);
	default:
		return to == ARM_PC ? ARM_GO_ON : arm_set(p, to, arm_unknown);
	}
}

/* Executes branches (F3.3.9). */
static enum arm_outcome wide_branch(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const uint32_t sign = arm_field(insn, 26, 1), j1 = arm_field(insn, 13, 1),
		       j2 = arm_field(insn, 11, 1), low = arm_field(insn, 0, 11) << 1;
	uint32_t to;

	if (arm_field(insn, 14, 1)) { /* BL, BLX */
		arm_called(p);
		return ARM_GO_ON;
	}
	if (arm_field(insn, 12, 1)) {
		to = sign << 24 | !(j1 ^ sign) << 23 | !(j2 ^ sign) << 22 |
		     arm_field(insn, 16, 10) << 12 | low;
		p->pc += (uint32_t)arm_signed(to, 25);
		return ARM_GO_ON;
	}
	if ((insn & 0xfff0f000) == 0xf7f0a000) /* UDF */
		return ARM_DEAD_END;
	if (arm_field(insn, 23, 3) == 7) { /* MSR, MRS, barriers, hints */
		if (arm_field(insn, 20, 7) == 0x3e)
			p->r[arm_field(insn, 8, 4)] = arm_unknown;
		return ARM_GO_ON;
	}
	if (!arm_holds(s, arm_field(insn, 22, 4)))
		return ARM_GO_ON;
	to = sign << 20 | j2 << 19 | j1 << 18 | arm_field(insn, 16, 6) << 12 | low;
	p->pc += (uint32_t)arm_signed(to, 21);
	return ARM_GO_ON;
}

/*
 * Executes LDRD and STRD, exclusive accesses, TBB and TBH (F3.3.3). Follows only the first case of
 * a branch table.
 */
static enum arm_outcome dual(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const unsigned first = arm_field(insn, 12, 4), second = arm_field(insn, 8, 4);
	const int32_t n = 4 * (int32_t)arm_field(insn, 0, 8);
	const bool load = arm_field(insn, 20, 1), before = arm_field(insn, 24, 1),
		   keep = arm_field(insn, 21, 1);

	if (before || keep)
		return arm_access_two(
			s,
			(struct arm_access){load, before, keep, first, arm_field(insn, 16, 4),
					    arm_number(arm_field(insn, 23, 1) ? n : -n)},
			second);
	if ((insn & 0xfff0ffe0) == 0xe8d0f000) {
		const bool halves = arm_field(insn, 4, 1);
		uint16_t entry = 0;

		if (arm_field(insn, 16, 4) != ARM_PC ||
		    !s->code->read(s->code->ctx, p->pc + 4, &entry, halves ? 2 : 1))
			return ARM_DEAD_END;
		p->pc += 2 * (uint32_t)entry;
		return ARM_GO_ON;
	}
	if (load && first != ARM_PC)
		p->r[first] = arm_unknown;
	if (second != ARM_PC)
		p->r[second] = arm_unknown;
	if (!load)
		/* STREX sets this register to 0 if it stored the value, otherwise to 1 */
		p->r[arm_field(insn, 0, 4)] = arm_unknown;
	return ARM_GO_ON;
}

/* Executes loads and stores of one word, halfword or byte (F3.3.11). */
static enum arm_outcome wide_access(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const unsigned reg = arm_field(insn, 12, 4), base = arm_field(insn, 16, 4);
	const int32_t n = (int32_t)arm_field(insn, 0, 8), more = (int32_t)arm_field(insn, 0, 12);
	struct arm_access a = {.load = arm_field(insn, 20, 1),
			       .before = true,
			       .reg = reg,
			       .base = base,
			       .offset = arm_unknown};

	if (base == ARM_PC) {
		a.offset = arm_number(arm_field(insn, 23, 1) ? more : -more);
	} else if (arm_field(insn, 23, 1)) {
		a.offset = arm_number(more);
	} else if (arm_field(insn, 11, 1)) {
		a.offset = arm_number(arm_field(insn, 9, 1) ? n : -n);
		a.before = arm_field(insn, 10, 1);
		a.keep = arm_field(insn, 8, 1);
	}
	if (arm_field(insn, 21, 2) != 2 || arm_field(insn, 24, 1)) {
		a.reg = ARM_NONE;
		if (a.load && reg != ARM_PC)
			p->r[reg] = arm_unknown;
	}
	return arm_access(s, a);
}

/* Executes operations with register operands only (F3.3.12 to F3.3.14). */
static enum arm_outcome multiply(struct arm_path *p, uint32_t insn)
{
	const unsigned low = arm_field(insn, 12, 4), to = arm_field(insn, 8, 4);

	if (to != ARM_PC)
		p->r[to] = arm_unknown;
	if (arm_field(insn, 23, 5) == 0x17 && low != ARM_PC)
		p->r[low] = arm_unknown;
	if (arm_field(insn, 24, 4) == 0xa && arm_field(insn, 20, 1))
		arm_flags(p);
	return ARM_GO_ON;
}

static enum arm_outcome wide(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;

	switch (arm_field(insn, 25, 4)) {
	case 0x4: /* instruction bits 1110 100 */
		if (arm_field(insn, 22, 1))
			return dual(s, insn);
		return arm_block(s, arm_field(insn, 20, 1), arm_field(insn, 23, 1),
				 arm_field(insn, 24, 1), arm_field(insn, 21, 1),
				 arm_field(insn, 16, 4), arm_field(insn, 0, 16));
	case 0x5: /* instruction bits 1110 101 */
		return compute(p, insn, insn & 0x70f0 ? arm_unknown : p->r[insn & 15]);
	case 0x6: /* instruction bits 1110 110, 1110 111 */
	case 0x7:
		if (arm_field(insn, 24, 4) != 0xf)
			arm_coprocessor(p, insn);
		return ARM_GO_ON;
	case 0x8: /* instruction bits 1111 0 */
	case 0x9:
	case 0xa:
	case 0xb:
		if (arm_field(insn, 15, 1))
			return wide_branch(s, insn);
		if (arm_field(insn, 25, 1))
			return plain_number(p, insn);
		return compute(p, insn, arm_number(modified(insn)));
	case 0xc: /* instruction bits 1111 100 */
		if ((insn & 0x01100000) != 0x01000000)
			return wide_access(s, insn);
		if (arm_field(insn, 0, 4) != ARM_PC)
			p->r[arm_field(insn, 16, 4)] =
				arm_unknown; /* vector accesses, as in a32.c */
		return ARM_GO_ON;
	case 0xd: /* instruction bits 1111 101 */
		return multiply(p, insn);
	default:
		return ARM_GO_ON;
	}
}

/*
 * Updates ITSTATE after an instruction, so that it contains the condition of the next instruction
 * (F1.4.2).
 */
static void next_condition(struct arm_path *p)
{
	p->it = p->it & 7 ? (p->it & 0xe0) | (p->it << 1 & 0x1f) : 0;
}

enum arm_outcome arm_step_t32(struct arm_search *s)
{
	struct arm_path *p = &s->path;
	const bool in_it = p->it;
	enum arm_outcome o = ARM_GO_ON;
	uint16_t half, second = 0;
	bool is_wide;

	if (!s->code->read(s->code->ctx, p->pc, &half, sizeof(half)))
		return ARM_DEAD_END;
	is_wide = half >> 11 >= 0x1d;
	if (is_wide && !s->code->read(s->code->ctx, p->pc + 2, &second, sizeof(second)))
		return ARM_DEAD_END;
	if (!in_it || arm_holds(s, p->it >> 4))
		o = is_wide ? wide(s, (uint32_t)half << 16 | second) : narrow(s, half);
	if (in_it)
		next_condition(p);
	p->pc += is_wide ? 4 : 2;
	return o;
}
