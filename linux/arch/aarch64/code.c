/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/aarch64/code.h"

#include "linux/arch/exit_path.h"

/*
 * See the Arm Architecture Reference Manual, C4.1, for the encodings. All instructions have 4
 * bytes.
 */

enum { FIRST_SAVED = 19, FP = 29, RA = 30, SP = 31 };

/* Returns the n-bit field that starts at bit `low`, as an unsigned number. */
static uint32_t field(uint32_t insn, unsigned low, unsigned n)
{
	return insn >> low & ((1u << n) - 1);
}

static int64_t signed_field(uint32_t insn, unsigned low, unsigned n)
{
	return (int64_t)((uint64_t)field(insn, low, n) << (64 - n)) >> (64 - n);
}

/* Applies the 64-bit forms of ADD and SUB with an immediate operand. */
static enum exit_outcome add(struct exit_path *p, uint32_t insn)
{
	const unsigned to = field(insn, 0, 5), from = field(insn, 5, 5);
	int64_t n = (int64_t)field(insn, 10, 12) << (field(insn, 22, 1) ? 12 : 0);

	if (field(insn, 30, 1))
		n = -n;
	return exit_add(p, to, from, n);
}

/*
 * Applies a load or store of two registers, or of one register if `second` is SP. n is the offset
 * of the address from the base register. In mode 1, n is added to the base register after the
 * access. In mode 3, n is added to the base register before the access.
 */
static enum exit_outcome access(struct exit_path *p, uint32_t insn, unsigned mode, int64_t n,
				bool load, bool wide, unsigned second)
{
	const unsigned base = field(insn, 5, 5), first = field(insn, 0, 5);
	const int64_t at = mode == 1 ? p->sp : p->sp + n;

	if (base != SP)
		return load && wide && (first == RA || second == RA) ? EXIT_DEAD_END : EXIT_GO_ON;
	if (wide) {
		(load ? exit_load : exit_store)(p, first, at);
		(load ? exit_load : exit_store)(p, second, at + 8);
	}
	if (mode == 1 || mode == 3)
		p->sp += n;
	return EXIT_GO_ON;
}

static enum exit_outcome access_pair(struct exit_path *p, uint32_t insn)
{
	const unsigned opc = field(insn, 30, 2);
	const bool vector = field(insn, 26, 1);
	const unsigned scale = vector ? 2 + opc : 2 + (opc >> 1);

	return access(p, insn, field(insn, 23, 2), signed_field(insn, 15, 7) * (1 << scale),
		      field(insn, 22, 1), !vector && opc == 2, field(insn, 10, 5));
}

static enum exit_outcome access_one(struct exit_path *p, uint32_t insn)
{
	const unsigned size = field(insn, 30, 2), opc = field(insn, 22, 2);
	const bool vector = field(insn, 26, 1), wide = !vector && size == 3 && opc < 2;
	const unsigned scale = vector && opc & 2 ? 4 : size;

	if (field(insn, 24, 1))
		return access(p, insn, 2, (int64_t)field(insn, 10, 12) << scale, opc & 1, wide, SP);
	/* Accesses with an index register do not change sp and do not set up a stack frame. */
	if (field(insn, 21, 1))
		return EXIT_GO_ON;
	return access(p, insn, field(insn, 10, 2), signed_field(insn, 12, 9), opc & 1, wide, SP);
}

static bool is_call(uint32_t insn)
{
	/* BL; BLR; BLRAA, BLRAB, BLRAAZ, BLRABZ */
	return (insn & 0xfc000000) == 0x94000000 || (insn & 0xfffffc1f) == 0xd63f0000 ||
	       (insn & 0xfefff800) == 0xd63f0800;
}

/*
 * Returns true if an instruction sets sp in a way that the search does not track: from another
 * register, or with a bit mask.
 */
static bool writes_sp(uint32_t insn)
{
	if (field(insn, 0, 5) != SP)
		return false;
	return ((insn & 0x1f800000) == 0x12000000 && field(insn, 29, 2) != 3) ||
	       ((insn & 0x3fe00000) == 0x0b200000);
}

/* Returns the target of a branch whose n-bit offset field starts at bit `low`. */
static uint64_t target(const struct exit_path *p, uint32_t insn, unsigned low, unsigned n)
{
	return p->pc + (uint64_t)signed_field(insn, low, n) * 4;
}

static enum exit_outcome follow(struct exit_search *s, struct exit_path *p,
				const struct code_source *code)
{
	enum exit_outcome o = EXIT_GO_ON;
	uint64_t next = p->pc + 4;
	uint32_t insn;

	if (!code->read(code->ctx, p->pc, &insn, sizeof(insn)))
		return EXIT_DEAD_END;
	if (insn == 0xd65f03c0 || (insn & 0xfffffbff) == 0xd65f0bff) /* RET, RETAA, RETAB */
		return exit_return(p);
	if (insn == 0xd61f0200 || insn == 0xd61f0220) /* BR x16, BR x17 */
		return exit_leave(p);
	if (is_call(insn))
		p->lost = true;
	else if ((insn & 0xfe000000) == 0xd6000000 || !(insn & 0xffff0000))
		return EXIT_DEAD_END; /* BR and similar instructions; UDF */
	else if ((insn & 0xffe0001f) == 0xd4200000 || (insn & 0xffe0001f) == 0xd4400000)
		return EXIT_DEAD_END;		    /* BRK, HLT */
	else if ((insn & 0xfc000000) == 0x14000000) /* B */
		next = target(p, insn, 0, 26);
	else if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000)
		exit_fork(s, p, target(p, insn, 5, 19)); /* B.cond, CBZ, CBNZ */
	else if ((insn & 0x7e000000) == 0x36000000)	 /* TBZ, TBNZ */
		exit_fork(s, p, target(p, insn, 5, 14));
	else if ((insn & 0xbf800000) == 0x91000000)
		o = add(p, insn);
	else if ((insn & 0x3a000000) == 0x28000000)
		o = access_pair(p, insn);
	else if ((insn & 0x3a000000) == 0x38000000)
		o = access_one(p, insn);
	else if (writes_sp(insn))
		return EXIT_DEAD_END;
	p->pc = next;
	return o;
}

static const struct exit_machine machine = {.ra = RA,
					    .sp = SP,
					    .bp = FP,
					    .kept = (1u << (RA + 1)) - (1u << FIRST_SAVED),
					    .follow = follow};

static bool find_exit(const struct code_source *code, uint64_t pc, struct code_exit *x)
{
	return exit_find(&machine, code, pc, x);
}

static bool follows_call(const struct code_source *code, uint64_t ra)
{
	uint32_t insn;

	return !(ra % 4) && code->read(code->ctx, ra - 4, &insn, sizeof(insn)) && is_call(insn);
}

const struct arch_code code_aarch64 = {.find_exit = find_exit, .follows_call = follows_call};
