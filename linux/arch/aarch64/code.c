/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/aarch64/code.h"

/* Arm Architecture Reference Manual, C4.1: index by encoding; all instructions have 4 bytes. */

#define STEPS_MAX 600
#define FORKS_MAX 16
#define SEEN_SIZE 256

enum { FIRST_SAVED = 19, FP = 29, RA = 30, SP = 31 };

/* The instructions from a pc on, up to a return. */
struct path {
	uint64_t pc;
	int64_t sp;	   /* where sp points to, in bytes from sp or bp at the start */
	bool lost;	   /* a call has overwritten x30 */
	bool own_fp;	   /* the path has set bp, to sp's place fp */
	int64_t fp;	   /* see own_fp */
	uint32_t stored;   /* bit mask of the registers that the path has stored itself */
	int64_t where[SP]; /* by register, for those in stored: its offset */
	struct code_exit x;
};

struct search {
	struct path forks[FORKS_MAX];
	unsigned nforks;
	uint64_t seen[SEEN_SIZE];
};

enum outcome { GO_ON, RETURNS, DEAD_END };

/* The field of n bits from bit low on, without and with its sign. */
static uint32_t field(uint32_t insn, unsigned low, unsigned n)
{
	return insn >> low & ((1u << n) - 1);
}

static int64_t signed_field(uint32_t insn, unsigned low, unsigned n)
{
	return (int64_t)((uint64_t)field(insn, low, n) << (64 - n)) >> (64 - n);
}

/* A register is stored at an offset, or loaded from there. */
static void transfer(struct path *p, unsigned reg, int64_t at, bool load)
{
	const uint32_t bit = 1u << reg;

	if (reg < FIRST_SAVED || reg > RA)
		return;
	if (!load) {
		if (!(p->stored & bit))
			p->where[reg] = at;
		p->stored |= bit;
		return;
	}
	if (reg == RA)
		p->lost = false;
	/* What the path has stored itself comes back unchanged. */
	if (p->stored & bit && p->where[reg] == at) {
		p->x.saved &= ~bit;
		return;
	}
	p->x.saved |= bit;
	p->x.at[reg] = at;
}

/* From here on sp is bp + n. Registers that were found from where sp was have no known place. */
static void base_on_bp(struct path *p, int64_t n)
{
	if (p->own_fp) {
		p->sp = p->fp + n;
		return;
	}
	if (!p->x.by_bp)
		p->x.saved = p->stored = 0;
	p->x.by_bp = true;
	p->sp = n;
}

/* ADD and SUB with an immediate operand, of 64 bits. */
static enum outcome add(struct path *p, uint32_t insn)
{
	const unsigned to = field(insn, 0, 5), from = field(insn, 5, 5);
	int64_t n = (int64_t)field(insn, 10, 12) << (field(insn, 22, 1) ? 12 : 0);

	if (field(insn, 30, 1))
		n = -n;
	if (to == SP && from == SP)
		p->sp += n;
	else if (to == SP && from == FP)
		base_on_bp(p, n);
	else if (to == SP)
		return DEAD_END;
	else if (to == FP && from == SP) {
		p->own_fp = true;
		p->fp = p->sp + n;
	}
	return GO_ON;
}

/* A load or store, of two registers if second is one, by mode: 1 after, 3 before sp is moved. */
static enum outcome access(struct path *p, uint32_t insn, unsigned mode, int64_t n, bool load,
			   bool wide, unsigned second)
{
	const unsigned base = field(insn, 5, 5), first = field(insn, 0, 5);
	const int64_t at = mode == 1 ? p->sp : p->sp + n;

	if (base != SP)
		return load && wide && (first == RA || second == RA) ? DEAD_END : GO_ON;
	if (wide) {
		transfer(p, first, at, load);
		transfer(p, second, at + 8, load);
	}
	if (mode == 1 || mode == 3)
		p->sp += n;
	return GO_ON;
}

static enum outcome access_pair(struct path *p, uint32_t insn)
{
	const unsigned opc = field(insn, 30, 2);
	const bool vector = field(insn, 26, 1);
	const unsigned scale = vector ? 2 + opc : 2 + (opc >> 1);

	return access(p, insn, field(insn, 23, 2), signed_field(insn, 15, 7) * (1 << scale),
		      field(insn, 22, 1), !vector && opc == 2, field(insn, 10, 5));
}

static enum outcome access_one(struct path *p, uint32_t insn)
{
	const unsigned size = field(insn, 30, 2), opc = field(insn, 22, 2);
	const bool vector = field(insn, 26, 1), wide = !vector && size == 3 && opc < 2;
	const unsigned scale = vector && opc & 2 ? 4 : size;

	if (field(insn, 24, 1))
		return access(p, insn, 2, (int64_t)field(insn, 10, 12) << scale, opc & 1, wide, SP);
	/* Those with an index in a register leave sp alone, and no frame is made by them. */
	if (field(insn, 21, 1))
		return GO_ON;
	return access(p, insn, field(insn, 10, 2), signed_field(insn, 12, 9), opc & 1, wide, SP);
}

static void fork_path(struct search *s, const struct path *p, int64_t n)
{
	if (s->nforks == FORKS_MAX)
		return;
	s->forks[s->nforks] = *p;
	s->forks[s->nforks++].pc = p->pc + n * 4;
}

static bool is_call(uint32_t insn)
{
	/* BL; BLR; BLRAA, BLRAB and those with zero */
	return (insn & 0xfc000000) == 0x94000000 || (insn & 0xfffffc1f) == 0xd63f0000 ||
	       (insn & 0xfefff800) == 0xd63f0800;
}

/* Whether it writes sp in a way that is not followed: from another register, or with a mask. */
static bool writes_sp(uint32_t insn)
{
	if (field(insn, 0, 5) != SP)
		return false;
	return ((insn & 0x1f800000) == 0x12000000 && field(insn, 29, 2) != 3) ||
	       ((insn & 0x3fe00000) == 0x0b200000);
}

static enum outcome follow(struct search *s, struct path *p, uint32_t insn)
{
	enum outcome o = GO_ON;
	int64_t next = 1;

	if (insn == 0xd65f03c0 || (insn & 0xfffffbff) == 0xd65f0bff) { /* RET, RETAA, RETAB */
		p->x.ra_kept = !(p->x.saved & 1u << RA);
		if (p->x.ra_kept && p->lost)
			return DEAD_END;
		p->x.ra = p->x.at[RA];
		p->x.saved &= ~(1u << RA);
		p->x.sp = p->sp;
		return RETURNS;
	}
	if (is_call(insn))
		p->lost = true;
	else if ((insn & 0xfe000000) == 0xd6000000 || !(insn & 0xffff0000))
		return DEAD_END; /* BR and others of its kind; UDF */
	else if ((insn & 0xffe0001f) == 0xd4200000 || (insn & 0xffe0001f) == 0xd4400000)
		return DEAD_END;		    /* BRK, HLT */
	else if ((insn & 0xfc000000) == 0x14000000) /* B */
		next = signed_field(insn, 0, 26);
	else if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000)
		fork_path(s, p, signed_field(insn, 5, 19)); /* B.cond, CBZ, CBNZ */
	else if ((insn & 0x7e000000) == 0x36000000)	    /* TBZ, TBNZ */
		fork_path(s, p, signed_field(insn, 5, 14));
	else if ((insn & 0xbf800000) == 0x91000000)
		o = add(p, insn);
	else if ((insn & 0x3a000000) == 0x28000000)
		o = access_pair(p, insn);
	else if ((insn & 0x3a000000) == 0x38000000)
		o = access_one(p, insn);
	else if (writes_sp(insn))
		return DEAD_END;
	p->pc += (uint64_t)next * 4;
	return o;
}

static bool seen_before(struct search *s, uint64_t pc)
{
	uint64_t *slot = &s->seen[pc / 4 % SEEN_SIZE];

	if (*slot == pc + 1)
		return true;
	*slot = pc + 1; /* 1 + pc, since zero stands for an empty slot */
	return false;
}

static bool find_exit(const struct code_source *code, uint64_t pc, struct code_exit *out)
{
	struct search s = {.nforks = 0};
	struct path p = {.pc = pc};

	for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
		enum outcome o = DEAD_END;
		uint32_t insn;

		if (!seen_before(&s, p.pc) && code->read(code->ctx, p.pc, &insn, sizeof(insn)))
			o = follow(&s, &p, insn);
		if (o == RETURNS) {
			*out = p.x;
			return true;
		}
		if (o == DEAD_END) {
			if (!s.nforks)
				return false;
			p = s.forks[--s.nforks];
		}
	}
	return false;
}

static bool follows_call(const struct code_source *code, uint64_t ra)
{
	uint32_t insn;

	return !(ra % 4) && code->read(code->ctx, ra - 4, &insn, sizeof(insn)) && is_call(insn);
}

const struct arch_code code_aarch64 = {.find_exit = find_exit, .follows_call = follows_call};
