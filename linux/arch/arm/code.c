/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/arm/code.h"

#include "linux/arch/arm/path.h"
#include "linux/arch/arm/sets.h"

#define STEPS_MAX  4000
#define STEPS_EXIT 8
#define STEPS_PUSH 16
/* Maximum distance in bytes from a pc back to the start of its function. */
#define BACK_MAX  16384
#define ENTRIES	  3
#define SEEN_SIZE 1024

static enum arm_outcome step(struct arm_search *s)
{
	struct arm_path *p = &s->path;

	/* Reading the pc yields the address two instructions further on. */
	p->r[ARM_PC] = arm_number(p->thumb ? (p->pc + 4) & ~3u : p->pc + 8);
	return p->thumb ? arm_step_t32(s) : arm_step_a32(s);
}

static bool follows_call(const struct code_source *code, uint64_t ra)
{
	const uint64_t pc = ra & ~1ull;
	uint16_t h[2];
	uint32_t insn;

	if (!code->read(code->ctx, pc - 4, h, sizeof(h)))
		return false;
	insn = (uint32_t)h[1] << 16 | h[0];
	if (ra & 1) /* Thumb: a 4-byte BL or BLX, or a 2-byte BLX with a register operand */
		return ((h[0] & 0xf800) == 0xf000 && (h[1] & 0xc000) == 0xc000) ||
		       (h[1] & 0xff87) == 0x4780;
	if (ra % 4)
		return false;
	if (insn >> 28 == 0xf)
		return (insn & 0xfe000000) == 0xfa000000;
	if ((insn & 0x0f000000) == 0x0b000000 || (insn & 0x0ffffff0) == 0x012fff30)
		return true;
	/* mov lr, pc, followed by a jump */
	return code->read(code->ctx, pc - 8, &insn, sizeof(insn)) && insn == 0xe1a0e00f;
}

static void begin(struct arm_search *s, const struct code_source *code, uint64_t pc)
{
	s->code = code;
	s->nforks = 0;
	s->path = (struct arm_path){.pc = (uint32_t)pc & ~1u, .thumb = pc & 1};
	for (unsigned i = 0; i < ARM_PC; i++)
		s->path.r[i] = (struct arm_value){ARM_PLUS, i, 0};
	/*
	 * During a syscall, the kernel stores in the register ip whether the stop is the entry or
	 * the exit, so the previous value of ip is lost.
	 */
	s->path.r[ARM_IP] = arm_unknown;
	/* If pc follows a call, that call has overwritten lr. */
	if (follows_call(code, pc))
		s->path.r[ARM_LR] = arm_unknown;
}

/* Returns true if a path has already reached this pc with the same conditions. */
static bool seen_before(uint64_t *seen, const struct arm_path *p)
{
	const uint64_t key = ((uint64_t)p->pc << 16 | p->hold) + 1;
	uint64_t *slot = &seen[(p->pc / 2 ^ p->hold * 31u) % SEEN_SIZE];

	if (*slot == key)
		return true;
	*slot = key;
	return false;
}

/*
 * Follows all paths from pc until one of them returns. If `to` is not 0, pc is the start of a
 * function, and the search ends when a path reaches `to`. Returns false if no path does so.
 */
static bool search(struct arm_search *s, const struct code_source *code, uint64_t pc, uint32_t to)
{
	uint64_t seen[SEEN_SIZE] = {0};

	begin(s, code, pc);
	if (to)
		s->path.r[ARM_LR] = (struct arm_value){ARM_PLUS, ARM_LR, 0};
	for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
		enum arm_outcome o = ARM_DEAD_END;

		if (!seen_before(seen, &s->path))
			o = step(s);
		if (to ? o == ARM_GO_ON && s->path.pc == to : o == ARM_RETURNS)
			return true;
		if (o != ARM_GO_ON) {
			if (!s->nforks)
				return false;
			s->path = s->forks[--s->nforks];
		}
	}
	return false;
}

/*
 * Returns true if the instruction at pc (T32 if bit 0 is set) saves lr on the stack with PUSH,
 * STMDB or STR, as at the start of functions.
 */
static bool pushes_lr(const struct code_source *code, uint64_t pc)
{
	uint16_t h[2];
	uint32_t insn;

	if (!code->read(code->ctx, pc & ~1ull, h, sizeof(h)))
		return false;
	insn = (uint32_t)h[0] << 16 | h[1];
	if (pc & 1)
		return (h[0] & 0xff00) == 0xb500 || (insn & 0xffffe000) == 0xe92d4000 ||
		       insn == 0xf84ded04;
	insn = (uint32_t)h[1] << 16 | h[0];
	return (insn & 0xffffe000) == 0xe92d4000 || insn == 0xe52de004;
}

/*
 * Returns the start of the function that pushes lr with the instruction at pc. If the instructions
 * before pc push the argument registers, this is a variadic function, and these instructions are
 * its start. Other functions are assumed to start at pc.
 */
static uint64_t with_arguments(const struct code_source *code, uint64_t pc)
{
	const unsigned width = pc & 1 ? 2 : 4;
	uint32_t insn = 0;

	for (unsigned back = width; back <= 4 * width && back <= pc; back += width) {
		if (!code->read(code->ctx, (pc - back) & ~1ull, &insn, width))
			break;
		if (width == 2 ? (insn & 0xfff0) == 0xb400 : (insn & 0xfffffff0) == 0xe92d0000)
			return pc - back;
	}
	return pc;
}

/* Returns a - b with wrap-around, as in a register. */
static int32_t less(int32_t a, int32_t b)
{
	return (int32_t)((uint32_t)a - (uint32_t)b);
}

/*
 * Sets *x to the locations where the path has saved the caller's registers, relative to the
 * register `base`. The current value of `base` is n higher than the value of sp at the start of the
 * path. Returns false if the path has not saved lr.
 */
static bool read_frame(const struct arm_path *p, unsigned base, int32_t n, struct code_exit *x)
{
	bool ra_found = false;

	*x = (struct code_exit){.base = base, .sp = less(0, n)};
	for (unsigned i = 0; i < p->nstores; i++) {
		const struct arm_value at = p->stores[i].at, v = p->stores[i].v;

		if (at.reg != ARM_SP || v.kind != ARM_PLUS || v.n)
			continue;
		if (v.reg == ARM_LR) {
			x->ra = less(at.n, n);
			ra_found = true;
		} else if (v.reg >= ARM_FIRST_SAVED && v.reg <= ARM_LAST_SAVED) {
			x->saved |= 1u << v.reg;
			x->at[v.reg] = less(at.n, n);
		}
	}
	for (unsigned i = ARM_FIRST_SAVED; i <= ARM_LAST_SAVED; i++)
		if (p->r[i].kind != ARM_PLUS || p->r[i].reg != i || p->r[i].n)
			x->lost |= 1u << i & ~x->saved;
	return ra_found;
}

/*
 * Sets *x to the locations of the caller's registers at pc, in a function that starts at `entry`.
 * Returns false if they are not found.
 */
static bool frame_since(struct arm_search *s, const struct code_source *code, uint64_t entry,
			uint64_t pc, struct code_exit *x)
{
	const struct arm_value *r = s->path.r;

	if (!search(s, code, entry, (uint32_t)pc & ~1u))
		return false;
	if (r[ARM_SP].kind == ARM_PLUS && r[ARM_SP].reg == ARM_SP)
		return read_frame(&s->path, ARM_SP, r[ARM_SP].n, x);
	for (unsigned i = ARM_FIRST_SAVED; i <= ARM_LAST_SAVED; i++)
		if (r[i].kind == ARM_PLUS && r[i].reg == ARM_SP)
			return read_frame(&s->path, i, r[i].n, x);
	return false;
}

/*
 * Finds the frame of code that never returns, such as main loops and exit(3), by following its
 * function from the start. The start is assumed to be the last instruction before pc that pushes lr
 * and from which a path leads to pc.
 */
static bool find_push(struct arm_search *s, const struct code_source *code, uint64_t pc,
		      struct code_exit *x)
{
	const unsigned width = pc & 1 ? 2 : 4;
	unsigned entries = 0;

	for (unsigned back = width; back < BACK_MAX && back <= pc && entries < ENTRIES;
	     back += width) {
		if (!pushes_lr(code, pc - back))
			continue;
		entries++;
		if (frame_since(s, code, with_arguments(code, pc - back), pc, x))
			return true;
	}
	return false;
}

/* Returns true if the code at pc has not pushed lr yet. */
static bool ahead_of_push(struct arm_search *s, const struct code_source *code, uint64_t pc)
{
	const struct arm_path *p = &s->path;

	begin(s, code, pc);
	for (unsigned i = 0; i < STEPS_PUSH && !s->nforks && step(s) == ARM_GO_ON; i++) {
		const struct arm_value last =
			p->nstores ? p->stores[p->nstores - 1].v : arm_unknown;

		if (last.kind == ARM_PLUS && last.reg == ARM_LR && !last.n)
			return true;
	}
	return false;
}

static bool find_exit(const struct code_source *code, uint64_t pc, struct code_exit *out)
{
	struct arm_search s;

	if (!search(&s, code, pc, 0))
		return false;
	*out = s.path.x;
	return true;
}

static bool find_entry(const struct code_source *code, uint64_t pc, struct code_exit *out)
{
	struct arm_search s;

	if (!ahead_of_push(&s, code, pc))
		return find_push(&s, code, pc, out);
	*out = (struct code_exit){.base = ARM_SP, .ra_kept = true};
	return true;
}

static bool ends_thread(const struct code_source *code, uint64_t ra)
{
	struct arm_search s;
	enum arm_outcome o = ARM_GO_ON;

	begin(&s, code, ra);
	for (unsigned i = 0; i < STEPS_EXIT && o == ARM_GO_ON && !s.nforks; i++)
		o = step(&s);
	return o == ARM_EXITS;
}

const struct arch_code code_arm = {.find_exit = find_exit,
				   .find_entry = find_entry,
				   .follows_call = follows_call,
				   .ends_thread = ends_thread};
