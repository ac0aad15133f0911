/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/arm/path.h"

/* Syscall numbers of the EABI, asm/unistd.h. */
enum { NR_EXIT = 1, NR_EXIT_GROUP = 248 };

struct arm_value arm_plus(struct arm_value v, int32_t n)
{
	if (v.kind != ARM_PLUS)
		return arm_unknown;
	v.n = (int32_t)((uint32_t)v.n + (uint32_t)n);
	return v;
}

struct arm_value arm_sum(struct arm_value a, struct arm_value b)
{
	if (a.kind != ARM_PLUS || b.kind != ARM_PLUS)
		return arm_unknown;
	if (b.reg == ARM_NONE)
		return arm_plus(a, b.n);
	return a.reg == ARM_NONE ? arm_plus(b, a.n) : arm_unknown;
}

struct arm_value arm_difference(struct arm_value a, struct arm_value b)
{
	if (b.kind != ARM_PLUS || b.reg != ARM_NONE)
		return arm_unknown;
	return arm_plus(a, (int32_t) - (uint32_t)b.n);
}

bool arm_holds(struct arm_search *s, unsigned condition)
{
	struct arm_path *p = &s->path;
	const uint16_t bit = 1u << condition, opposite = 1u << (condition ^ 1);

	if (condition >= ARM_ALWAYS || p->hold & bit)
		return true;
	if (p->fail & bit)
		return false;
	if (s->nforks < ARM_FORKS) {
		s->forks[s->nforks] = *p;
		s->forks[s->nforks].hold |= bit;
		s->forks[s->nforks++].fail |= opposite;
	}
	p->fail |= bit;
	p->hold |= opposite;
	return false;
}

void arm_flags(struct arm_path *p)
{
	p->hold = p->fail = 0;
}

void arm_called(struct arm_path *p)
{
	for (unsigned i = 0; i < ARM_FIRST_SAVED; i++)
		p->r[i] = arm_unknown;
	p->r[ARM_IP] = p->r[ARM_LR] = arm_unknown;
	arm_flags(p);
}

/* Returns true if v is the value of lr at the start of the path. */
static bool is_return_address(struct arm_value v)
{
	return v.kind == ARM_PLUS && v.reg == ARM_LR && !v.n;
}

/*
 * Ends the path at a jump to a return address. Stores the locations of the return address and of
 * the caller's registers in p->x.
 */
static enum arm_outcome returns(struct arm_path *p, struct arm_value to)
{
	const struct arm_value sp = p->r[ARM_SP];
	struct code_exit *x = &p->x;

	x->ra_kept = is_return_address(to);
	if (sp.kind != ARM_PLUS || sp.reg == ARM_NONE || (sp.reg == ARM_SP && sp.n < 0) ||
	    (!x->ra_kept && (to.kind != ARM_SLOT || to.reg != sp.reg)))
		return ARM_DEAD_END;
	x->base = sp.reg;
	x->sp = sp.n;
	x->ra = to.n;
	for (unsigned i = ARM_FIRST_SAVED; i <= ARM_LAST_SAVED; i++) {
		const struct arm_value v = p->r[i];

		if (v.kind == ARM_SLOT && v.reg == sp.reg) {
			x->saved |= 1u << i;
			x->at[i] = v.n;
		} else if (v.kind == ARM_PLUS && v.reg != i && v.reg < ARM_SP && !v.n) {
			x->moved |= 1u << i;
			x->at[i] = v.reg;
		} else if (v.kind != ARM_PLUS || v.reg != i || v.n) {
			x->lost |= 1u << i;
		}
	}
	return ARM_RETURNS;
}

enum arm_outcome arm_jump(struct arm_path *p, struct arm_value to)
{
	/*
	 * If the target is not a return address, this is a tail call. The called function returns
	 * to the address in lr.
	 */
	if (!is_return_address(to) && (to.kind != ARM_SLOT || p->r[ARM_LR].kind != ARM_UNKNOWN))
		to = p->r[ARM_LR];
	return returns(p, to);
}

enum arm_outcome arm_set(struct arm_path *p, unsigned reg, struct arm_value v)
{
	if (reg == ARM_PC)
		return v.kind == ARM_SLOT || (v.kind == ARM_PLUS && v.reg == ARM_LR) ? returns(p, v)
										     : ARM_DEAD_END;
	if (reg < ARM_REGS)
		p->r[reg] = v;
	return ARM_GO_ON;
}

enum arm_outcome arm_svc(struct arm_path *p)
{
	const struct arm_value nr = p->r[ARM_R7];

	if (nr.kind == ARM_PLUS && nr.reg == ARM_NONE && (nr.n == NR_EXIT || nr.n == NR_EXIT_GROUP))
		return ARM_EXITS;
	p->r[0] = arm_unknown;
	return ARM_GO_ON;
}

static bool same_place(struct arm_value a, struct arm_value b)
{
	return a.reg == b.reg && a.n == b.n;
}

static struct arm_value load(struct arm_search *s, struct arm_value at)
{
	const struct arm_path *p = &s->path;
	uint32_t word;

	if (at.kind != ARM_PLUS || p->overflow)
		return arm_unknown;
	for (unsigned i = p->nstores; i-- > 0;)
		if (same_place(p->stores[i].at, at))
			return p->stores[i].v;
	/*
	 * Memory below the path's initial sp was unused when the path began, so its contents are
	 * unknown.
	 */
	if (at.reg == ARM_SP && at.n < 0)
		return arm_unknown;
	if (at.reg != ARM_NONE)
		return (struct arm_value){ARM_SLOT, at.reg, at.n};
	if (!s->code->read(s->code->ctx, (uint32_t)at.n, &word, sizeof(word)))
		return arm_unknown;
	return arm_number(word);
}

static void store(struct arm_path *p, struct arm_value at, struct arm_value v)
{
	unsigned i = 0;

	if (at.kind != ARM_PLUS)
		return;
	while (i < p->nstores && !same_place(p->stores[i].at, at))
		i++;
	if (i == ARM_STORES) {
		p->overflow = true;
		return;
	}
	p->nstores += i == p->nstores;
	p->stores[i].at = at;
	p->stores[i].v = v;
}

enum arm_outcome arm_access_two(struct arm_search *s, struct arm_access a, unsigned second)
{
	struct arm_path *p = &s->path;
	const struct arm_value base = p->r[a.base], sum = arm_sum(base, a.offset),
			       at = a.before ? sum : base;
	struct arm_value first, other;

	if (!a.load) {
		if (a.reg < ARM_PC)
			store(p, at, p->r[a.reg]);
		if (second < ARM_PC)
			store(p, arm_plus(at, 4), p->r[second]);
	}
	first = a.reg == ARM_NONE ? arm_unknown : load(s, at);
	other = second == ARM_NONE ? arm_unknown : load(s, arm_plus(at, 4));
	if ((!a.before || a.keep) && a.base != ARM_PC)
		p->r[a.base] = sum;
	if (!a.load)
		return ARM_GO_ON;
	if (second < ARM_PC)
		p->r[second] = other;
	/* The address comes from a jump table, or is the address of another function. */
	if (a.reg == ARM_PC && first.kind != ARM_SLOT)
		return a.offset.kind == ARM_UNKNOWN ? ARM_DEAD_END : arm_jump(p, first);
	return arm_set(p, a.reg, first);
}

enum arm_outcome arm_access(struct arm_search *s, struct arm_access a)
{
	return arm_access_two(s, a, ARM_NONE);
}

enum arm_outcome arm_block(struct arm_search *s, bool load_them, bool up, bool before, bool keep,
			   unsigned base, uint32_t list)
{
	struct arm_path *p = &s->path;
	const int32_t bytes = 4 * __builtin_popcount(list);
	const struct arm_value from = p->r[base];
	struct arm_value at = arm_plus(from, (up ? 0 : -bytes) + (up == before ? 4 : 0)),
			 pc = arm_unknown;

	/*
	 * This instruction pushes lr after a call has overwritten lr. Functions do not do this, so
	 * the call never returns, and the path has continued into another function.
	 */
	if (!load_them && base == ARM_SP && list & 1u << ARM_LR && p->r[ARM_LR].kind == ARM_UNKNOWN)
		return ARM_DEAD_END;
	if (keep)
		p->r[base] = arm_plus(from, up ? bytes : -bytes);
	for (unsigned i = 0; i < ARM_REGS; i++) {
		if (!(list & 1u << i))
			continue;
		if (!load_them)
			store(p, at, i == base ? from : i == ARM_PC ? arm_unknown : p->r[i]);
		else if (i == ARM_PC)
			pc = load(s, at);
		else
			p->r[i] = load(s, at);
		at = arm_plus(at, 4);
	}
	return load_them && list & 1u << ARM_PC ? arm_set(p, ARM_PC, pc) : ARM_GO_ON;
}

void arm_coprocessor(struct arm_path *p, uint32_t insn)
{
	const unsigned first = arm_field(insn, 12, 4), second = arm_field(insn, 16, 4);
	const bool to_register = arm_field(insn, 20, 1);

	/* MRC, VMRS and VMOV can write a core register. MCR and CDP (bit 4 is 0) write none. */
	if (arm_field(insn, 24, 4) == 0xe) {
		if (!to_register || !arm_field(insn, 4, 1))
			return;
		if (first == ARM_PC)
			arm_flags(p);
		else
			p->r[first] = arm_unknown;
	} else if (arm_field(insn, 21, 7) == 0x62) { /* MRRC, VMOV; MCRR writes no register */
		if (to_register) {
			p->r[first] = arm_unknown;
			p->r[second] = arm_unknown;
		}
	} else if (arm_field(insn, 21, 1) && second != ARM_PC) { /* VLDM, VPOP; VSTM, VPUSH */
		const int32_t bytes = 4 * (int32_t)arm_field(insn, 0, 8);

		p->r[second] = arm_plus(p->r[second], arm_field(insn, 23, 1) ? bytes : -bytes);
	}
}
