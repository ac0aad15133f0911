/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The A32 instruction set: Arm Architecture Reference Manual for A-profile, F4.1. */
#include "linux/arch/arm/sets.h"

enum { SUB = 2, ADD = 4, TST = 8, CMN = 11, MOV = 13 };

static struct arm_value immediate(uint32_t insn)
{
	const uint32_t n = arm_field(insn, 0, 8), by = 2 * arm_field(insn, 8, 4);

	return arm_number(by ? n >> by | n << (32 - by) : n);
}

static enum arm_outcome compute(struct arm_path *p, uint32_t insn, struct arm_value operand)
{
	const unsigned op = arm_field(insn, 21, 4), to = arm_field(insn, 12, 4);
	const struct arm_value first = p->r[arm_field(insn, 16, 4)];
	struct arm_value v = arm_unknown;

	if (arm_field(insn, 20, 1))
		arm_flags(p);
	if (op >= TST && op <= CMN)
		return ARM_GO_ON;
	if (op == ADD)
		v = arm_sum(first, operand);
	else if (op == SUB)
		v = arm_difference(first, operand);
	else if (op == MOV)
		v = operand;
	return arm_set(p, to, v);
}

/*
 * Executes multiplications, and memory accesses other than words and bytes: F4.1.2 with bits 4 and
 * 7 set.
 */
static enum arm_outcome extra(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;
	const unsigned kind = arm_field(insn, 5, 2), high = arm_field(insn, 16, 4),
		       low = arm_field(insn, 12, 4);
	const bool load = arm_field(insn, 20, 1), dual = !load && kind >= 2;
	const int32_t n = (int32_t)((insn >> 4 & 0xf0) | (insn & 0xf));
	struct arm_access a = {.load = dual ? kind == 2 : load,
			       .before = arm_field(insn, 24, 1),
			       .keep = arm_field(insn, 21, 1),
			       .reg = dual ? low : ARM_NONE,
			       .base = high,
			       .offset = arm_unknown};

	if (!kind) {
		if (!arm_field(insn, 24, 1))
			arm_set(p, high == ARM_PC ? ARM_NONE : high, arm_unknown);
		if (low != ARM_PC)
			arm_set(p, low, arm_unknown);
		return ARM_GO_ON;
	}
	if (arm_field(insn, 22, 1))
		a.offset = arm_number(arm_field(insn, 23, 1) ? n : -n);
	if (dual)
		return arm_access_two(s, a, low + 1);
	if (load && low != ARM_PC)
		arm_set(p, low, arm_unknown);
	return arm_access(s, a);
}

static enum arm_outcome miscellaneous(struct arm_path *p, uint32_t insn)
{
	const unsigned reg = arm_field(insn, 0, 4), to = arm_field(insn, 12, 4);

	switch (insn & 0x0ff000f0) {
	case 0x01200010: /* BX */
		return arm_jump(p, p->r[reg]);
	case 0x01200030: /* BLX */
		arm_called(p);
		return ARM_GO_ON;
	case 0x01200070: /* BKPT */
		return ARM_DEAD_END;
	}
	/*
	 * MRS, CLZ and others set the register `to`. MSR sets no register: in this instruction, the
	 * bits that encode `to` are all ones, so `to` is ARM_PC.
	 */
	return to == ARM_PC ? ARM_GO_ON : arm_set(p, to, arm_unknown);
}

/* Executes MOVW, MOVT, MSR and hints. */
static enum arm_outcome wide(struct arm_path *p, uint32_t insn)
{
	const unsigned to = arm_field(insn, 12, 4);
	const uint32_t n = arm_field(insn, 16, 4) << 12 | arm_field(insn, 0, 12);
	const struct arm_value was = p->r[to];

	if (arm_field(insn, 21, 1)) {
		if (arm_field(insn, 16, 4) || arm_field(insn, 22, 1))
			arm_flags(p);
		return ARM_GO_ON;
	}
	if (!arm_field(insn, 22, 1))
		return arm_set(p, to, arm_number(n));
	if (was.kind != ARM_PLUS || was.reg != ARM_NONE)
		return arm_set(p, to, arm_unknown);
	return arm_set(p, to, arm_number(n << 16 | (was.n & 0xffff)));
}

static enum arm_outcome word_or_byte(struct arm_search *s, uint32_t insn)
{
	const unsigned reg = arm_field(insn, 12, 4);
	const int32_t n = (int32_t)arm_field(insn, 0, 12);
	struct arm_access a = {.load = arm_field(insn, 20, 1),
			       .before = arm_field(insn, 24, 1),
			       .keep = arm_field(insn, 21, 1),
			       .reg = reg,
			       .base = arm_field(insn, 16, 4),
			       .offset = arm_unknown};

	if (!arm_field(insn, 25, 1))
		a.offset = arm_number(arm_field(insn, 23, 1) ? n : -n);
	if (arm_field(insn, 22, 1)) {
		a.reg = ARM_NONE;
		if (a.load && reg != ARM_PC)
			s->path.r[reg] = arm_unknown;
	}
	return arm_access(s, a);
}

/*
 * Executes media instructions (F4.1.15). Some of them encode the result register in bits 16 to 19,
 * others in bits 12 to 15.
 */
static enum arm_outcome media(struct arm_path *p, uint32_t insn)
{
	const unsigned op = arm_field(insn, 20, 5);
	const unsigned to = arm_field(insn, (op & 0x18) == 0x10 || op == 0x18 ? 16 : 12, 4);

	if (op == 0x1f && arm_field(insn, 5, 3) == 7) /* UDF */
		return ARM_DEAD_END;
	return to == ARM_PC ? ARM_GO_ON : arm_set(p, to, arm_unknown);
}

static enum arm_outcome unconditional(struct arm_path *p, uint32_t insn)
{
	if ((insn & 0xfe000000) == 0xfa000000) /* BLX */
		arm_called(p);
	else if ((insn & 0xff100000) == 0xf4000000 && arm_field(insn, 0, 4) != ARM_PC)
		/* Vector accesses, which may change the base register. */
		p->r[arm_field(insn, 16, 4)] = arm_unknown;
	return ARM_GO_ON;
}

static enum arm_outcome follow(struct arm_search *s, uint32_t insn)
{
	struct arm_path *p = &s->path;

	switch (arm_field(insn, 25, 3)) {
	case 0:
		if ((insn & 0x90) == 0x90)
			return extra(s, insn);
		if ((insn & 0x01900000) == 0x01000000)
			return miscellaneous(p, insn);
		return compute(p, insn, insn & 0xff0 ? arm_unknown : p->r[insn & 15]);
	case 1:
		return (insn & 0x01900000) == 0x01000000 ? wide(p, insn)
							 : compute(p, insn, immediate(insn));
	case 3:
		if (arm_field(insn, 4, 1))
			return media(p, insn);
		return word_or_byte(s, insn);
	case 2:
		return word_or_byte(s, insn);
	case 4:
		return arm_block(s, arm_field(insn, 20, 1), arm_field(insn, 23, 1),
				 arm_field(insn, 24, 1), arm_field(insn, 21, 1),
				 arm_field(insn, 16, 4), arm_field(insn, 0, 16));
	case 5:
		if (arm_field(insn, 24, 1))
			arm_called(p);
		else
			p->pc += 4 + 4 * (uint32_t)arm_signed(arm_field(insn, 0, 24), 24);
		return ARM_GO_ON;
	default:
		if (arm_field(insn, 24, 4) == 0xf)
			return arm_svc(p);
		arm_coprocessor(p, insn);
		return ARM_GO_ON;
	}
}

enum arm_outcome arm_step_a32(struct arm_search *s)
{
	struct arm_path *p = &s->path;
	enum arm_outcome o = ARM_GO_ON;
	uint32_t insn;

	if (!s->code->read(s->code->ctx, p->pc, &insn, sizeof(insn)))
		return ARM_DEAD_END;
	if (insn >> 28 == 0xf)
		o = unconditional(p, insn);
	else if (arm_holds(s, insn >> 28))
		o = follow(s, insn);
	p->pc += 4;
	return o;
}
