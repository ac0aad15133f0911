/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/x86_64/code.h"

#include <string.h>

/* See the AMD64 Architecture Programmer's Manual, volume 3: opcode maps and instruction formats. */

#define INSTRUCTION_MAX	    15
#define STEPS_MAX	    600
#define FORKS_MAX	    16
#define FRAME_POINTER_STEPS 48
#define SEEN_SIZE	    256

/* Encodings of sp and bp in a ModRM byte. */

#define REG_SP 4
#define REG_BP 5

enum immediate { IMM_NONE, IMM_8, IMM_16, IMM_Z /* 32 bits, or 16 bits with the prefix 66 */ };

struct insn {
	uint8_t map, op; /* opcode maps: 0 = one byte, 1 = 0f, 2 = 0f 38, 3 = 0f 3a */
	uint8_t rex;
	bool vex, size16, has_modrm;
	uint8_t modrm;
	uint8_t base; /* base register of the memory operand; 0xff if there is none, or if there is
			 an index */
	int32_t disp;
	int64_t imm;
	size_t len;
};

static bool known(const struct insn *i)
{
	uint8_t op = i->op;

	if (i->map || i->vex)
		return true;
	/* These opcodes are invalid in 64-bit mode. */
	return !((op < 0x40 && (op & 7) >= 6) || op == 0x60 || op == 0x61 || op == 0x62 ||
		 op == 0x82 || op == 0x9a || op == 0xc4 || op == 0xc5 || op == 0xce ||
		 (op >= 0xd4 && op <= 0xd6) || op == 0xea);
}

static bool has_modrm(const struct insn *i)
{
	uint8_t op = i->op;

	if (i->map >= 2)
		return true;
	if (i->map == 1)
		return !(op == 0x05 || op == 0x06 || op == 0x07 || op == 0x08 || op == 0x09 ||
			 op == 0x0b || op == 0x0e || (op >= 0x30 && op <= 0x37) || op == 0x77 ||
			 (op >= 0x80 && op <= 0x8f) || (op >= 0xa0 && op <= 0xa2) ||
			 (op >= 0xa8 && op <= 0xaa) || (op >= 0xc8 && op <= 0xcf));
	return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b ||
	       (op >= 0x80 && op <= 0x8f) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
	       (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) || op == 0xf6 ||
	       op == 0xf7 || op >= 0xfe;
}

static enum immediate immediate_of(const struct insn *i)
{
	uint8_t op = i->op;

	if (i->map == 3)
		return IMM_8;
	if (i->map == 2)
		return IMM_NONE;
	if (i->map == 1) {
		if (op >= 0x80 && op <= 0x8f && !i->vex)
			return IMM_Z;
		return (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
				       op == 0xc2 || (op >= 0xc4 && op <= 0xc6)
			       ? IMM_8
			       : IMM_NONE;
	}
	if (op < 0x40)
		return (op & 7) == 4 ? IMM_8 : (op & 7) == 5 ? IMM_Z : IMM_NONE;
	if (op == 0x68 || op == 0x69 || op == 0x81 || op == 0xa9 || op == 0xc7 || op == 0xe8 ||
	    op == 0xe9 || (op >= 0xb8 && op <= 0xbf))
		return IMM_Z;
	if (op == 0x6a || op == 0x6b || (op >= 0x70 && op <= 0x80) || op == 0x83 || op == 0xa8 ||
	    (op >= 0xb0 && op <= 0xb7) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xcd ||
	    (op >= 0xe0 && op <= 0xe7) || op == 0xeb)
		return IMM_8;
	if (op == 0xc2)
		return IMM_16;
	if (op == 0xf6 && !(i->modrm & 0x30))
		return IMM_8;
	if (op == 0xf7 && !(i->modrm & 0x30))
		return IMM_Z;
	return IMM_NONE;
}

static int64_t take(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n);
}

/* Callers pass more than INSTRUCTION_MAX bytes at p, so reading further bytes is safe. */
static void decode_modrm(struct insn *i, const uint8_t *p, size_t *at)
{
	uint8_t mod, rm;

	i->modrm = p[(*at)++];
	mod = i->modrm >> 6;
	rm = i->modrm & 7;
	i->base = 0xff;
	if (mod == 3)
		return;
	i->base = rm;
	if (rm == 4) {
		uint8_t sib = p[(*at)++];

		i->base = sib & 7;
		if ((sib >> 3 & 7) != 4 || (i->rex & 2))
			i->base = 0xff;
		if ((sib & 7) == 5 && !mod) {
			i->base = 0xff;
			*at += 4;
		}
	} else if (rm == 5 && !mod) {
		i->base = 0xff; /* the address is relative to the pc */
		*at += 4;
	}
	if (i->base != 0xff && (i->rex & 1))
		i->base += 8;
	if (mod == 1)
		i->disp = take(p + (*at)++, 1);
	else if (mod == 2) {
		i->disp = take(p + *at, 4);
		*at += 4;
	}
}

static size_t decode_prefixes(struct insn *i, const uint8_t *p)
{
	size_t at = 0;

	while (at < INSTRUCTION_MAX) {
		uint8_t b = p[at];

		if (b == 0x66)
			i->size16 = true;
		else if (b != 0x67 && b != 0xf0 && b != 0xf2 && b != 0xf3 && b != 0x2e &&
			 b != 0x36 && b != 0x3e && b != 0x26 && b != 0x64 && b != 0x65)
			break;
		at++;
	}
	if ((p[at] & 0xf0) == 0x40)
		i->rex = p[at++];
	return at;
}

static size_t decode_opcode(struct insn *i, const uint8_t *p, size_t at)
{
	uint8_t b = p[at++];

	if (b == 0xc5 || b == 0xc4 || b == 0x62) {
		i->vex = true;
		i->map = 1;
		if (b == 0xc4) {
			i->map = p[at] & 0x1f;
			at++;
		} else if (b == 0x62) {
			i->map = p[at] & 7;
			at += 2;
		}
		at++;
		i->op = p[at++];
		return i->map >= 1 && i->map <= 3 ? at : 0;
	}
	if (b != 0x0f) {
		i->op = b;
		return at;
	}
	b = p[at++];
	if (b == 0x38 || b == 0x3a) {
		i->map = b == 0x38 ? 2 : 3;
		b = p[at++];
	} else {
		i->map = 1;
	}
	i->op = b;
	return at;
}

static bool decode(const uint8_t *p, size_t n, struct insn *i)
{
	uint8_t buf[2 * INSTRUCTION_MAX + 16] = {0};
	size_t at;

	memcpy(buf, p, n < INSTRUCTION_MAX ? n : INSTRUCTION_MAX);
	*i = (struct insn){.base = 0xff};
	at = decode_prefixes(i, buf);
	at = decode_opcode(i, buf, at);
	if (!at || !known(i))
		return false;
	i->has_modrm = has_modrm(i);
	if (i->has_modrm)
		decode_modrm(i, buf, &at);
	if (at > sizeof(buf) - 8)
		return false;
	switch (immediate_of(i)) {
	case IMM_8:
		i->imm = take(buf + at, 1);
		at += 1;
		break;
	case IMM_16:
		at += 2;
		break;
	case IMM_Z:
		if (!i->map && i->op >= 0xb8 && i->op <= 0xbf && (i->rex & 8)) {
			at += 8;
		} else if (i->size16 && i->op != 0xe8 && i->op != 0xe9) {
			at += 2;
		} else {
			i->imm = take(buf + at, 4);
			at += 4;
		}
		break;
	case IMM_NONE:
		break;
	}
	if (!i->map && !i->vex && i->op >= 0xa0 && i->op <= 0xa3)
		at += 8;
	/* Refuse the instruction enter, which has three operand bytes. Compilers do not use it. */
	if (!i->map && !i->vex && i->op == 0xc8)
		return false;
	i->len = at;
	return at <= n && at <= INSTRUCTION_MAX;
}

/* Returns the length of the instruction at p, or 0 if unknown. n bytes can be read at p. */
static size_t code_length(const uint8_t *p, size_t n)
{
	struct insn i;

	return decode(p, n, &i) ? i.len : 0;
}

/* A path: the instructions from a pc to a return. */

struct path {
	uint64_t pc;
	int64_t sp; /* current sp, as an offset in bytes from the initial sp or bp */
	struct code_exit x;
};

struct search {
	struct path forks[FORKS_MAX];
	unsigned nforks;
	uint64_t seen[SEEN_SIZE];
};

enum outcome { GO_ON, RETURNS, DEAD_END };

static const uint8_t column_of[16] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
enum { COLUMN_BP = 6, COLUMN_SP = 7 };

static void forget_saved(struct path *p)
{
	p->x.saved = 0;
}

static void pop(struct path *p, unsigned reg)
{
	/*
	 * A pop restores a caller's register only if the word was on the stack before the path
	 * began. Otherwise, it only undoes a push of the same path.
	 */
	if (p->x.base == COLUMN_BP || p->sp >= 0) {
		p->x.saved |= 1u << column_of[reg];
		p->x.at[column_of[reg]] = p->sp;
	}
	p->sp += 8;
}

/*
 * Handles an instruction that sets sp to bp + n. The distance between bp and the old sp is unknown,
 * so offsets from the old sp are forgotten.
 */
static void base_on_bp(struct path *p, int64_t n)
{
	if (p->x.base != COLUMN_BP)
		forget_saved(p);
	p->x.base = COLUMN_BP;
	p->sp = n;
}

static bool writes_sp(const struct insn *i)
{
	uint8_t op = i->op, mod = i->modrm >> 6;
	bool rm_sp = mod == 3 && (i->modrm & 7) == REG_SP && !(i->rex & 1);
	bool reg_sp = (i->modrm >> 3 & 7) == REG_SP && !(i->rex & 4);

	if (i->map || i->vex || !i->has_modrm)
		return !i->map && !i->vex && (op == 0xbc || op == 0x94) && !(i->rex & 1);
	if (op < 0x38)
		return op & 2 ? reg_sp && (op & 1) : rm_sp && (op & 1);
	if (op == 0x81 || op == 0x83)
		return rm_sp && (i->modrm >> 3 & 7) != 7;
	if (op == 0x89 || op == 0x87 || op == 0xc1 || op == 0xc7 || op == 0xd1 || op == 0xd3)
		return rm_sp || (op == 0x87 && reg_sp);
	if (op == 0x8b || op == 0x8d || op == 0x63 || op == 0x69 || op == 0x6b)
		return reg_sp;
	if (op == 0xf7)
		return rm_sp && (i->modrm >> 3 & 7) >= 2 && (i->modrm >> 3 & 7) <= 3;
	return op == 0xff && rm_sp && (i->modrm >> 3 & 7) < 2;
}

/* Updates the path for an instruction that commonly changes sp. */
static enum outcome move_sp(struct path *p, const struct insn *i)
{
	uint8_t reg = i->modrm >> 3 & 7;
	bool wide = i->rex & 8;

	if (!wide)
		return DEAD_END;
	if ((i->op == 0x81 || i->op == 0x83) && (reg == 0 || reg == 5)) {
		p->sp += reg ? -i->imm : i->imm;
		return GO_ON;
	}
	if (i->op == 0x8d && i->base == REG_SP) {
		p->sp += i->disp;
		return GO_ON;
	}
	if (i->op == 0x8d && i->base == REG_BP) {
		base_on_bp(p, i->disp);
		return GO_ON;
	}
	/* mov %rbp, %rsp in both encodings */
	if ((i->op == 0x89 && reg == REG_BP && !(i->rex & 4)) ||
	    (i->op == 0x8b && (i->modrm & 7) == REG_BP && i->modrm >> 6 == 3 && !(i->rex & 1))) {
		base_on_bp(p, 0);
		return GO_ON;
	}
	return DEAD_END;
}

static void fork_path(struct search *s, const struct path *p, uint64_t to)
{
	if (s->nforks == FORKS_MAX)
		return;
	s->forks[s->nforks] = *p;
	s->forks[s->nforks++].pc = to;
}

static enum outcome follow(struct search *s, struct path *p, const struct insn *i)
{
	uint8_t op = i->op, reg = i->modrm >> 3 & 7;
	uint64_t next = p->pc + i->len;

	if (i->vex)
		goto on;
	if (i->map == 1) {
		if (op == 0x0b)
			return DEAD_END;
		if (op >= 0x80 && op <= 0x8f)
			fork_path(s, p, next + i->imm);
		goto on;
	}
	if (i->map)
		goto on;
	if (op >= 0x50 && op <= 0x57) {
		p->sp -= 8;
	} else if (op >= 0x58 && op <= 0x5f) {
		if ((op & 7) == REG_SP && !(i->rex & 1))
			return DEAD_END;
		pop(p, (op & 7) | (i->rex & 1) << 3);
	} else if (op == 0x68 || op == 0x6a) {
		p->sp -= 8;
	} else if (op == 0x9c) {
		p->sp -= 8;
	} else if (op == 0x9d || op == 0x8f) {
		p->sp += 8;
	} else if (op == 0xc9) {
		base_on_bp(p, 0);
		pop(p, REG_BP);
	} else if (op == 0xc3 || op == 0xc2) {
		p->x.ra = p->sp;
		p->x.sp = p->sp + 8;
		return RETURNS;
	} else if ((op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3)) {
		fork_path(s, p, next + i->imm);
	} else if (op == 0xeb || op == 0xe9) {
		next += i->imm;
	} else if (op == 0xff && reg == 6) {
		p->sp -= 8;
	} else if ((op == 0xff && reg >= 3 && reg <= 5) || op == 0xcc || op == 0xf4 || op == 0xcf ||
		   op == 0xca || op == 0xcb) {
		return DEAD_END;
	} else if (writes_sp(i)) {
		if (move_sp(p, i) == DEAD_END)
			return DEAD_END;
	}
on:
	p->pc = next;
	return GO_ON;
}

static bool seen_before(struct search *s, uint64_t pc)
{
	uint64_t *slot = &s->seen[(pc ^ pc >> 8) % SEEN_SIZE];

	/*
	 * If two pcs share a slot, a pc may be followed twice. This is harmless, because the number
	 * of steps is limited.
	 */
	if (*slot == pc + 1)
		return true;
	*slot = pc + 1; /* 1 + pc, because 0 marks an empty slot */
	return false;
}

static bool find_exit(const struct code_source *code, uint64_t pc, struct code_exit *out)
{
	struct search s = {.nforks = 0};
	struct path p = {.pc = pc, .x.base = COLUMN_SP};
	uint8_t bytes[INSTRUCTION_MAX];

	for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
		enum outcome o = DEAD_END;
		struct insn i;
		size_t n = sizeof(bytes);

		if (!seen_before(&s, p.pc)) {
			/* Fewer bytes than usual can be read near the end of a mapping. */
			while (n && !code->read(code->ctx, p.pc, bytes, n))
				n--;
			if (n && decode(bytes, n, &i))
				o = follow(&s, &p, &i);
		}
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
	uint8_t b[7];

	if (!code->read(code->ctx, ra - sizeof(b), b, sizeof(b)))
		return false;
	if (b[2] == 0xe8)
		return true;
	/*
	 * an indirect call: ff /2 with a register, a 1- or 4-byte displacement, and possibly an
	 * index
	 */
	for (size_t n = 2; n <= 7; n++) {
		const uint8_t *p = b + sizeof(b) - n;

		if (p[0] == 0xff && (p[1] >> 3 & 7) == 2 && code_length(p, n) == n)
			return true;
	}
	return false;
}

/* Returns true if an instruction uses rbp as anything other than the base of an address. */
static bool names_bp(const struct insn *i)
{
	bool rm = i->modrm >> 6 == 3 && (i->modrm & 7) == REG_BP && !(i->rex & 1);
	bool reg = (i->modrm >> 3 & 7) == REG_BP && !(i->rex & 4);

	if (i->map || i->vex)
		return false;
	if (!i->has_modrm)
		return (i->op == 0x5d || i->op == 0xbd || i->op == 0x95) && !(i->rex & 1);
	/* In these instructions, the reg field is part of the opcode. */
	if ((i->op >= 0x80 && i->op <= 0x83) || i->op == 0xc0 || i->op == 0xc1 || i->op >= 0xc6)
		return rm;
	return rm || reg;
}

static bool keeps_frame_pointer(const struct code_source *code, uint64_t pc)
{
	for (unsigned steps = 0; steps < FRAME_POINTER_STEPS; steps++) {
		uint8_t bytes[INSTRUCTION_MAX];
		size_t n = sizeof(bytes);
		struct path to = {0};
		struct insn i;

		while (n && !code->read(code->ctx, pc, bytes, n))
			n--;
		if (!n || !decode(bytes, n, &i))
			return false;
		/* Code accesses memory below rbp only if rbp is a frame pointer. */
		if (i.base == REG_BP && i.disp < 0)
			return true;
		if (!i.map && !i.vex) {
			if (i.op == 0xc9 ||
			    (writes_sp(&i) && move_sp(&to, &i) == GO_ON && to.x.base == COLUMN_BP))
				return true;
			if (names_bp(&i) || i.op == 0xc3 || i.op == 0xc2 || i.op == 0xf4 ||
			    i.op == 0xcc || (i.op == 0xff && (i.modrm >> 3 & 7) >= 4))
				return false;
			if (i.op == 0xeb || i.op == 0xe9)
				pc += i.imm;
		}
		pc += i.len;
	}
	return false;
}

const struct arch_code code_x86_64 = {.find_exit = find_exit,
				      .follows_call = follows_call,
				      .keeps_frame_pointer = keeps_frame_pointer};
