/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/riscv64/code.h"

#include "linux/arch/exit_path.h"

/*
 * See the RISC-V Instruction Set Manual, volume I: "RV32/64G Instruction Set Listings" for 4-byte
 * instructions, whose two lowest bits are set, and "RVC Instruction Set Listings" for 2-byte
 * instructions. See the RISC-V ABIs Specification for the preserved registers (s0 to s11) and the
 * registers that stubs use for jumps.
 */

enum { RA = 1, SP = 2, T0 = 5, T1 = 6, FP = 8, T3 = 28 };
#define KEPT (1u << RA | 1u << 8 | 1u << 9 | 0x3ffu << 18)

enum {
	LOAD = 0x03,
	OP_IMM = 0x13,
	AUIPC = 0x17,
	OP_IMM_32 = 0x1b,
	STORE = 0x23,
	OP = 0x33,
	LUI = 0x37,
	OP_32 = 0x3b,
	BRANCH = 0x63,
	JALR = 0x67,
	JAL = 0x6f,
	SYSTEM = 0x73
};

/* Returns the n-bit field that starts at bit `low`, shifted to start at bit `to`. */
static uint32_t field(uint32_t insn, unsigned low, unsigned n, unsigned to)
{
	return (insn >> low & ((1u << n) - 1)) << to;
}

/* Returns the n-bit number v, sign-extended. */
static int64_t with_sign(uint32_t v, unsigned n)
{
	return (int64_t)((uint64_t)v << (64 - n)) >> (64 - n);
}

static unsigned rd(uint32_t insn)
{
	return field(insn, 7, 5, 0);
}

/*
 * Handles an n-byte instruction that jumps to the address in register `to` and stores the return
 * address in register `link`.
 */
static enum exit_outcome jump(struct exit_path *p, unsigned to, unsigned link, unsigned n)
{
	if (link == RA) {
		p->lost = true;
		p->pc += n;
		return EXIT_GO_ON;
	}
	if (link == 0 && to == RA)
		return exit_return(p);
	/*
	 * An entry of the procedure linkage table jumps to the address in t3 and stores the return
	 * address in t1.
	 */
	if ((link == 0 || link == T1) && (to == T1 || to == T3))
		return exit_leave(p);
	return EXIT_DEAD_END;
}

static enum exit_outcome follow_4(struct exit_search *s, struct exit_path *p, uint32_t insn)
{
	const unsigned opcode = field(insn, 0, 7, 0), funct3 = field(insn, 12, 3, 0),
		       rs1 = field(insn, 15, 5, 0);
	const int64_t imm = with_sign(field(insn, 20, 12, 0), 12);
	enum exit_outcome o = EXIT_GO_ON;

	switch (opcode) {
	case JAL:
		if (rd(insn) != 0 && rd(insn) != RA)
			/*
			 * The called code creates the stack frame of the calling function, so the
			 * frame is unknown.
			 */
			return EXIT_DEAD_END;
		p->lost |= rd(insn) == RA;
		p->pc += rd(insn) == RA ? 4
					: (uint64_t)with_sign(field(insn, 21, 10, 1) |
								      field(insn, 20, 1, 11) |
								      field(insn, 12, 8, 12) |
								      field(insn, 31, 1, 20),
							      21);
		return EXIT_GO_ON;
	case JALR:
		return jump(p, rs1, rd(insn), 4);
	case BRANCH:
		exit_fork(s, p,
			  p->pc + (uint64_t)with_sign(field(insn, 8, 4, 1) | field(insn, 25, 6, 5) |
							      field(insn, 7, 1, 11) |
							      field(insn, 31, 1, 12),
						      13));
		break;
	case STORE: /* SD */
		if (rs1 == SP && funct3 == 3)
			exit_store(p, field(insn, 20, 5, 0),
				   p->sp + with_sign(rd(insn) | field(insn, 25, 7, 5), 12));
		break;
	case LOAD: /* LD */
		if (rs1 == SP && funct3 == 3)
			exit_load(p, rd(insn), p->sp + imm);
		else if (rd(insn) == RA)
			return EXIT_DEAD_END;
		break;
	case OP_IMM: /* ADDI */
		if (!funct3)
			o = exit_add(p, rd(insn), rs1, imm);
		else if (rd(insn) == SP)
			return EXIT_DEAD_END;
		break;
	case SYSTEM: /* EBREAK */
		if (insn == 0x00100073)
			return EXIT_DEAD_END;
		break;
	case OP:
	case OP_32:
	case OP_IMM_32:
	case LUI:
	case AUIPC:
		if (rd(insn) == SP)
			return EXIT_DEAD_END;
		break;
	default:
		break;
	}
	p->pc += 4;
	return o;
}

/*
 * Applies an instruction of quadrant 0. Only C.ADDI4SPN is relevant, because it can set bp to a
 * stack address.
 */
static void follow_quadrant_0(struct exit_path *p, uint32_t insn)
{
	if (!field(insn, 13, 3, 0)) /* C.ADDI4SPN */
		exit_add(p, 8 + field(insn, 2, 3, 0), SP,
			 field(insn, 11, 2, 4) | field(insn, 7, 4, 6) | field(insn, 6, 1, 2) |
				 field(insn, 5, 1, 3));
}

static enum exit_outcome follow_quadrant_1(struct exit_search *s, struct exit_path *p,
					   uint32_t insn)
{
	const int64_t imm = with_sign(field(insn, 2, 5, 0) | field(insn, 12, 1, 5), 6);

	switch (field(insn, 13, 3, 0)) {
	case 0: /* C.ADDI */
		return exit_add(p, rd(insn), rd(insn), imm);
	case 3: /* C.ADDI16SP, otherwise C.LUI */
		if (rd(insn) == SP)
			p->sp += with_sign(field(insn, 6, 1, 4) | field(insn, 2, 1, 5) |
						   field(insn, 5, 1, 6) | field(insn, 3, 2, 7) |
						   field(insn, 12, 1, 9),
					   10);
		return EXIT_GO_ON;
	case 5: /* C.J; p->pc is advanced by 2 below */
		p->pc += (uint64_t)with_sign(field(insn, 3, 3, 1) | field(insn, 11, 1, 4) |
						     field(insn, 2, 1, 5) | field(insn, 7, 1, 6) |
						     field(insn, 6, 1, 7) | field(insn, 9, 2, 8) |
						     field(insn, 8, 1, 10) | field(insn, 12, 1, 11),
					     12) -
			 2;
		return EXIT_GO_ON;
	case 6: /* C.BEQZ */
	case 7: /* C.BNEZ */
		exit_fork(s, p,
			  p->pc + (uint64_t)with_sign(field(insn, 3, 2, 1) | field(insn, 10, 2, 3) |
							      field(insn, 2, 1, 5) |
							      field(insn, 5, 2, 6) |
							      field(insn, 12, 1, 8),
						      9));
		return EXIT_GO_ON;
	default:
		return EXIT_GO_ON;
	}
}

static enum exit_outcome follow_quadrant_2(struct exit_path *p, uint32_t insn)
{
	const unsigned rs2 = field(insn, 2, 5, 0);

	switch (field(insn, 13, 3, 0)) {
	case 3: /* C.LDSP */
		exit_load(p, rd(insn),
			  p->sp + (field(insn, 5, 2, 3) | field(insn, 12, 1, 5) |
				   field(insn, 2, 3, 6)));
		return EXIT_GO_ON;
	case 4: /* C.MV, C.ADD; C.EBREAK */
		if (rs2 && !field(insn, 12, 1, 0))
			return exit_add(p, rd(insn), rs2, 0);
		return rd(insn) == SP || rd(insn) == 0 ? EXIT_DEAD_END : EXIT_GO_ON;
	case 7: /* C.SDSP */
		exit_store(p, rs2, p->sp + (field(insn, 10, 3, 3) | field(insn, 7, 3, 6)));
		return EXIT_GO_ON;
	default:
		return EXIT_GO_ON;
	}
}

static enum exit_outcome follow(struct exit_search *s, struct exit_path *p,
				const struct code_source *code)
{
	enum exit_outcome o = EXIT_GO_ON;
	uint16_t half[2];
	uint32_t insn;

	if (!code->read(code->ctx, p->pc, &half[0], sizeof(half[0])))
		return EXIT_DEAD_END;
	insn = half[0];
	if ((insn & 3) == 3) {
		if ((insn & 0x1c) == 0x1c || /* longer instructions are not defined */
		    !code->read(code->ctx, p->pc + 2, &half[1], sizeof(half[1])))
			return EXIT_DEAD_END;
		return follow_4(s, p, insn | (uint32_t)half[1] << 16);
	}
	if (!insn) /* C.UNIMP */
		return EXIT_DEAD_END;
	if ((insn & 0xe07f) == 0x8002 && rd(insn)) /* C.JR, C.JALR */
		return jump(p, rd(insn), field(insn, 12, 1, 0) ? RA : 0, 2);
	if (!(insn & 3))
		follow_quadrant_0(p, insn);
	else
		o = (insn & 3) == 1 ? follow_quadrant_1(s, p, insn) : follow_quadrant_2(p, insn);
	p->pc += 2;
	return o;
}

static const struct exit_machine machine = {
	.ra = RA, .sp = SP, .bp = FP, .kept = KEPT, .follow = follow};

static bool find_exit(const struct code_source *code, uint64_t pc, struct code_exit *x)
{
	return exit_find(&machine, code, pc, x);
}

/* Recognizes JAL and JALR that link to ra, and C.JALR. */
static bool follows_call(const struct code_source *code, uint64_t ra)
{
	uint32_t wide;
	uint16_t narrow;

	if (ra % 2)
		return false;
	if (code->read(code->ctx, ra - 4, &wide, sizeof(wide)) &&
	    ((wide & 0xfff) == 0x0ef || (wide & 0x7fff) == 0x0e7))
		return true;
	return code->read(code->ctx, ra - 2, &narrow, sizeof(narrow)) &&
	       (narrow & 0xf07f) == 0x9002 && narrow & 0x0f80;
}

const struct arch_code code_riscv64 = {.find_exit = find_exit, .follows_call = follows_call};
