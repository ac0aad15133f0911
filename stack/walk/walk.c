/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/walk.h"

#include <stdlib.h>

#include "mmap_cache.h"
#include "linux/arch/code.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/walk/rules.h"
#include "capture/memory.h"

/* The state of both walks; the rules use only pc, sp and bp of it. */
struct state {
	struct cfi_machine m;
	uint64_t pc;
	bool exact;
	unsigned flags; /* of the next frame */
	uint64_t *regs; /* as given to the walk */
	bool bp_known;
	struct mapping *mapping;
	/* Brent's cycle search: a state seen before means a loop. */
	uint64_t seen_pc, seen_sp;
	unsigned steps, power;
};

enum outcome {
	GO_ON,
	ENDED, /* status says how */
	NEED_FULL
};

static enum outcome ended(struct walk *w, enum stack_status status, uint64_t addr)
{
	w->status = status;
	w->end = addr;
	return ENDED;
}

static struct mapping *mapping_at(struct walk *w, struct state *s, uint64_t pc)
{
	if (s->mapping && pc >= s->mapping->start && pc < s->mapping->end)
		return s->mapping;
	s->mapping = mmap_cache_find(w->mm, pc);
	return s->mapping;
}

static bool read_word(struct walk *w, uint64_t addr, uint64_t *v)
{
	uint32_t v32;

	if (w->abi->word == 8)
		return snapshot_read(&w->snap, addr, v, 8);
	if (!snapshot_read(&w->snap, addr, &v32, 4))
		return false;
	*v = v32;
	return true;
}

static bool read_machine(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct walk *w = ctx;

	/* Indirect addresses of read-only data come here too: page by page, as any. */
	return snapshot_read(&w->snap, addr, buf, n);
}

static bool looped(struct state *s, uint64_t sp)
{
	if (s->pc == s->seen_pc && sp == s->seen_sp)
		return true;
	if (++s->steps == s->power) {
		s->steps = 0;
		s->power *= 2;
		s->seen_pc = s->pc;
		s->seen_sp = sp;
	}
	return false;
}

static bool at_sigreturn(struct walk *w, const struct state *s)
{
	const struct arch_sigframe *f = &w->abi->sigframe;
	uint8_t code[ARCH_SIGRETURN_MAX];

	return f->code_len && !memory_read(w->snap.memory, s->pc, code, f->code_len) &&
	       !memcmp(code, f->code, f->code_len);
}

/* The frame that the kernel laid down for a signal. */
static enum outcome step_sigreturn(struct walk *w, struct state *s)
{
	const struct arch_sigframe *f = &w->abi->sigframe;
	const uint64_t at = s->m.reg[w->abi->sp] + f->regs_at;

	s->m.valid = 0;
	for (unsigned i = 0; i < f->nregs; i++) {
		if (!read_word(w, at + i * w->abi->word, &s->m.reg[f->regs[i]]))
			return ended(w, STACK_UNREADABLE, at);
		s->m.valid |= 1u << f->regs[i];
	}
	s->pc = s->m.reg[w->abi->ra];
	s->exact = true;
	return GO_ON;
}

static bool read_tracee_code(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct walk *w = ctx;

	return snapshot_read(&w->snap, addr, buf, n);
}

static bool read_file_code(void *ctx, uint64_t addr, void *buf, size_t n)
{
	return elf_file_load(ctx, addr, buf, n);
}

/*
 * What was found without CFI is believed when it is the address after a call.
 * jit: code of no file is not asked for that; interpreters jump where others call.
 */
static bool is_return_address(struct walk *w, uint64_t ra, bool jit)
{
	struct mapping *m = mmap_cache_find(w->mm, ra - 1);
	struct module *mod = m ? module_get(w->files, &w->who, m) : NULL;
	uint64_t addr;

	if (!m)
		return false;
	if (!w->abi->code)
		return true;
	if (mod->file && elf_file_address(mod->file, m, ra - 1, &addr))
		return w->abi->code->follows_call(&(struct code_source){read_file_code, mod->file},
						  addr + 1);
	return jit || w->abi->code->follows_call(&(struct code_source){read_tracee_code, w}, ra);
}

/* bp as it is, when no frame so far has restored another: most stacks end without having asked. */
static bool know_bp(struct walk *w, struct state *s)
{
	if (likely(s->bp_known))
		return true;
	if (w->fetch && !w->fetch(w->ctx))
		return false;
	w->fetch = NULL;
	s->m.reg[w->abi->bp] = s->regs[w->abi->bp];
	s->bp_known = true;
	return true;
}

/* Over code without CFI, if bp is what it is in code that keeps a frame pointer. */
static enum outcome step_fp(struct walk *w, struct state *s)
{
	const struct arch_mode *abi = w->abi;
	const struct arch_chain chain = abi->chain;
	uint64_t sp = s->m.reg[abi->sp], bp = s->m.reg[abi->bp], next_bp, ra;

	/* The ABIs have the first frame marked by a zero frame pointer. */
	if (!bp)
		return ended(w, STACK_COMPLETE, 0);
	if (bp < sp || bp % abi->word || !read_word(w, bp + chain.bp * abi->word, &next_bp) ||
	    !read_word(w, bp + chain.ra * abi->word, &ra))
		return ended(w, STACK_NO_CFI, s->pc);
	if (!ra)
		return ended(w, STACK_COMPLETE, 0);
	if (!is_return_address(w, ra, true))
		return ended(w, STACK_NO_CFI, s->pc);
	s->m.reg[abi->sp] = bp + chain.sp * abi->word;
	s->m.reg[abi->bp] = next_bp;
	s->m.valid = 1u << abi->sp | 1u << abi->bp;
	s->pc = ra;
	s->exact = false;
	s->flags = FRAME_BY_FP;
	return GO_ON;
}

/* By what its code does until it returns; false where that leads to nothing to be believed. */
static bool step_code(struct walk *w, struct state *s, const struct row *row)
{
	const struct arch_mode *abi = w->abi;
	struct cfi_machine next = s->m;
	uint64_t cfa, ra;

	if (row->err || !(s->m.valid & 1u << row->cfa_reg))
		return false;
	cfa = s->m.reg[row->cfa_reg] + row->cfa_n;
	if (cfa <= s->m.reg[abi->sp] || cfa % abi->word || !read_word(w, cfa - abi->word, &ra) ||
	    !ra || !is_return_address(w, ra, false))
		return false;
	for (size_t i = 0; i < row->nregs; i++) {
		const struct row_reg *g = &row->regs[i];

		if (!read_word(w, cfa + g->n, &next.reg[g->column]))
			return false;
		next.valid |= 1u << g->column;
	}
	next.reg[abi->sp] = cfa;
	s->m = next;
	s->pc = ra;
	s->exact = false;
	s->flags = FRAME_BY_FP;
	return true;
}

/* Out of a small function without CFI that leaves the stack as it is. */
static bool step_stub(struct walk *w, struct state *s)
{
	const struct arch_mode *abi = w->abi;
	uint8_t code[ARCH_STUB];
	uint64_t ra;

	if (!abi->is_stub || !s->exact || memory_read(w->snap.memory, s->pc, code, sizeof(code)) ||
	    !abi->is_stub(code))
		return false;
	if (!read_word(w, s->m.reg[abi->sp], &ra) || !mmap_cache_find(w->mm, ra - 1))
		return false;
	s->m.reg[abi->sp] += abi->word;
	s->pc = ra;
	s->exact = false;
	s->flags = FRAME_BY_FP;
	return true;
}

/* addr: s->pc's in the file, f NULL: of no file. */
static enum outcome step_no_cfi(struct walk *w, struct state *s, struct elf_file *f, uint64_t addr,
				bool full)
{
	struct code_source code = {read_tracee_code, w};
	enum outcome o;
	struct row *row;
	bool found;

	if (!know_bp(w, s))
		return ended(w, STACK_GONE, s->pc);
	if (at_sigreturn(w, s))
		return full ? step_sigreturn(w, s) : NEED_FULL;
	if (step_stub(w, s))
		return GO_ON;
	/* Programs rarely keep frame pointers, JITs rarely do without. */
	if (f && w->abi->code && step_code(w, s, code_row_get(f, w->abi, addr)))
		return GO_ON;
	o = step_fp(w, s);
	if (f || !w->abi->code || o == GO_ON || w->status != STACK_NO_CFI)
		return o;
	row = row_from_code(w->abi, &code, s->pc);
	found = step_code(w, s, row);
	free(row);
	return found ? GO_ON : ENDED;
}

/* f and addr: where r is from. */
static enum outcome step_rule(struct walk *w, struct state *s, struct rule r, struct elf_file *f,
			      uint64_t addr)
{
	const struct arch_mode *abi = w->abi;
	uint64_t *sp = &s->m.reg[abi->sp], *bp = &s->m.reg[abi->bp], cfa, at, ra;

	switch (r.kind) {
	case RULE_SP:
		cfa = *sp + r.cfa_off;
		break;
	case RULE_BP:
		if (!know_bp(w, s))
			return ended(w, STACK_GONE, s->pc);
		cfa = *bp + r.cfa_off;
		break;
	case RULE_END:
		return ended(w, STACK_COMPLETE, 0);
	case RULE_NONE:
		return step_no_cfi(w, s, f, addr + (s->exact ? 0 : 1), false);
	case RULE_BAD:
		return ended(w, STACK_BAD_CFI, s->pc);
	default:
		return NEED_FULL;
	}
	if (abi->word == 4)
		cfa = (uint32_t)cfa;
	/* A frame of no size may have a caller all the same: see step_row(). */
	if (unlikely(cfa == *sp))
		return NEED_FULL;
	if (unlikely(cfa < *sp))
		return ended(w, STACK_LOOP, s->pc);
	at = cfa + r.ra_at * abi->word;
	if (!read_word(w, at, &ra))
		return ended(w, STACK_UNREADABLE, at);
	if (r.bp_at != RULE_BP_KEPT) {
		at = cfa + r.bp_at * abi->word;
		if (!read_word(w, at, bp))
			return ended(w, STACK_UNREADABLE, at);
		s->bp_known = true;
	}
	*sp = cfa;
	s->pc = ra;
	s->exact = false;
	s->flags = 0;
	return GO_ON;
}

static uint64_t to_word(const struct arch_mode *abi, uint64_t v)
{
	return abi->word == 4 ? (uint32_t)v : v;
}

/* One register of the caller; false: unknown from here on. */
static enum outcome recover(struct walk *w, const struct state *s, const struct row *row,
			    const struct row_reg *g, uint64_t cfa, uint64_t *v, bool *known)
{
	const struct arch_mode *abi = w->abi;
	uint64_t at = cfa + g->n;
	int err;

	*known = true;
	switch (g->where) {
	case CFI_VAL_OFFSET:
		*v = to_word(abi, at);
		return GO_ON;
	case CFI_REGISTER:
		*known = (uint64_t)g->n < abi->columns && (s->m.valid & 1u << g->n);
		*v = *known ? s->m.reg[g->n] : 0;
		return GO_ON;
	case CFI_EXPR:
	case CFI_VAL_EXPR:
		err = cfi_expr(&s->m, row->bytes + g->n, g->len, true, cfa, v);
		if (err)
			return ended(w, err == -EFAULT ? STACK_UNREADABLE : STACK_BAD_CFI, s->pc);
		if (g->where == CFI_VAL_EXPR)
			return GO_ON;
		at = *v;
		break;
	case CFI_OFFSET:
		break;
	default:
		*known = false;
		return GO_ON;
	}
	at = to_word(abi, at);
	if (!read_word(w, at, v))
		return ended(w, STACK_UNREADABLE, at);
	return GO_ON;
}

static enum outcome row_cfa(struct walk *w, struct state *s, const struct row *row, uint64_t *cfa)
{
	int err;

	if (!row->cfa_expr) {
		if (!(s->m.valid & 1u << row->cfa_reg))
			return ended(w, STACK_NO_CFI, s->pc);
		*cfa = to_word(w->abi, s->m.reg[row->cfa_reg] + row->cfa_n);
		return GO_ON;
	}
	err = cfi_expr(&s->m, row->bytes + row->cfa_n, row->cfa_len, false, 0, cfa);
	if (err)
		return ended(w, err == -EFAULT ? STACK_UNREADABLE : STACK_BAD_CFI, s->pc);
	return GO_ON;
}

static enum outcome step_row(struct walk *w, struct state *s, struct elf_file *f, uint64_t addr)
{
	const struct row *row = row_get(f, w->abi, addr);
	const struct arch_mode *abi = w->abi;
	struct cfi_machine next = s->m;
	bool ra_known = false, known, plain;
	uint64_t cfa, v;

	if (row->err == -ENOENT)
		return step_no_cfi(w, s, f, addr + (s->exact ? 0 : 1), true);
	if (row->err)
		return ended(w, STACK_BAD_CFI, s->pc);
	if (row_cfa(w, s, row, &cfa) == ENDED)
		return ENDED;
	next.reg[abi->sp] = cfa;
	next.valid |= 1u << abi->sp;
	for (size_t i = 0; i < row->nregs; i++) {
		const struct row_reg *g = &row->regs[i];

		if (g->column == abi->ra && g->where == CFI_UNDEFINED)
			return ended(w, STACK_COMPLETE, 0);
		if (recover(w, s, row, g, cfa, &v, &known) == ENDED) {
			/* A lost register ends the walk only when a later frame asks for it. */
			if (g->column == abi->ra || g->column == abi->sp)
				return ENDED;
			known = false;
		}
		if (known) {
			next.reg[g->column] = v;
			next.valid |= 1u << g->column;
		} else {
			next.valid &= ~(1u << g->column);
		}
		if (g->column == abi->ra)
			ra_known = known;
	}
	if (!ra_known)
		return ended(w, STACK_BAD_CFI, s->pc);
	/*
	 * Signal frames and switches of stacks may go anywhere; cycles of those are
	 * found apart. A frame of no size is one whose return address stands in a
	 * register or is popped already, as vfork() has it: its caller is another function.
	 */
	plain = !row->signal && !row->cfa_expr &&
		(row->cfa_reg == abi->sp || row->cfa_reg == abi->bp);
	if (plain && next.reg[abi->sp] == cfa &&
	    (cfa < s->m.reg[abi->sp] || (cfa == s->m.reg[abi->sp] && next.reg[abi->ra] == s->pc)))
		return ended(w, STACK_LOOP, s->pc);
	s->m = next;
	s->pc = next.reg[abi->ra];
	s->exact = row->signal;
	s->flags = 0;
	return GO_ON;
}

static struct known_pc *known_slot(const struct walk *w, uint64_t table, uint64_t pc)
{
	uint64_t hash = (pc ^ table << 32) * 0x9e3779b97f4a7c15ull;

	return &w->known[hash >> 32 & (KNOWN_PCS - 1)];
}

static void know(struct walk *w, const struct state *s, const struct raw_frame *frame,
		 struct rule rule)
{
	uint64_t table = mmap_cache_settled(w->mm);

	if (!table || (rule.kind != RULE_SP && rule.kind != RULE_BP && rule.kind != RULE_END))
		return;
	*known_slot(w, table, s->pc) =
		(struct known_pc){table, s->pc, frame->addr, frame->m, w->abi, s->exact, rule};
}

/*
 * Over frames whose pcs are known, up to one that is not: the same as step() with
 * step_rule(), which for most frames of most walks is all there is to do. No loops:
 * each step goes up the stack.
 */
static enum outcome steps_known(struct walk *w, struct state *s)
{
	const struct arch_mode *abi = w->abi;
	const uint64_t table = mmap_cache_settled(w->mm);
	uint64_t *sp = &s->m.reg[abi->sp], *bp = &s->m.reg[abi->bp];

	if (!table || abi->word != 8)
		return GO_ON;
	while (s->pc && w->frames.n < w->limit) {
		const struct known_pc *k = known_slot(w, table, s->pc);
		const struct rule *r = &k->rule;
		uint64_t cfa = 0, ra = 0, saved;

		if (k->pc != s->pc || k->table != table || k->exact != s->exact || k->abi != abi)
			break;
		if (r->kind == RULE_BP && !s->bp_known)
			break;
		if (r->kind != RULE_END) {
			cfa = (r->kind == RULE_SP ? *sp : *bp) + r->cfa_off;
			if (cfa <= *sp || !snapshot_read(&w->snap, cfa + r->ra_at * 8, &ra, 8))
				break;
			if (r->bp_at != RULE_BP_KEPT) {
				if (!snapshot_read(&w->snap, cfa + r->bp_at * 8, &saved, 8))
					break;
				*bp = saved;
				s->bp_known = true;
			}
		}
		*vec_push(&w->frames) = (struct raw_frame){s->pc, k->addr, k->m,
							   s->flags | (s->exact ? FRAME_EXACT : 0)};
		if (r->kind == RULE_END)
			return ended(w, STACK_COMPLETE, 0);
		*sp = cfa;
		s->pc = ra;
		s->exact = false;
		s->flags = 0;
	}
	return GO_ON;
}

static enum outcome step(struct walk *w, struct state *s, bool full)
{
	uint64_t lookup = s->exact ? s->pc : s->pc - 1, addr;
	struct raw_frame *frame;
	struct mapping *m;
	struct module *mod;
	struct rule rule;

	if (!s->pc && w->frames.n)
		return ended(w, STACK_COMPLETE, 0);
	if (w->frames.n >= w->limit)
		return ended(w, STACK_FRAME_LIMIT, s->pc);
	m = mapping_at(w, s, lookup);
	if (unlikely(!m))
		return ended(w, STACK_NO_MAPPING, s->pc);
	mod = module_get(w->files, &w->who, m);
	frame = vec_push(&w->frames);
	*frame = (struct raw_frame){s->pc, s->pc, m, s->flags | (s->exact ? FRAME_EXACT : 0)};
	if (unlikely(looped(s, s->m.reg[w->abi->sp])))
		return ended(w, STACK_LOOP, s->pc);
	if (!mod->file || !elf_file_address(mod->file, m, lookup, &addr)) {
		if (m->inode)
			frame->addr = s->pc - m->start + m->offset;
		return step_no_cfi(w, s, NULL, 0, full);
	}
	frame->addr = addr + (s->pc - lookup);
	if (unlikely(mod->abi != w->abi))
		return ended(w, STACK_UNSUPPORTED, s->pc);
	if (full)
		return step_row(w, s, mod->file, addr);
	rule = rule_get(mod->file, w->abi, addr);
	know(w, s, frame, rule);
	return step_rule(w, s, rule, mod->file, addr);
}

static enum outcome walk_with(struct walk *w, uint64_t *regs, bool exact, bool full)
{
	struct state s = {.pc = regs[w->abi->ra], .exact = exact, .power = 4};
	enum outcome o;

	s.regs = regs;
	s.bp_known = !w->fetch;
	s.m.abi = w->abi;
	s.m.read = read_machine;
	s.m.ctx = w;
	s.m.valid = (1u << w->abi->columns) - 1;
	memcpy(s.m.reg, regs, w->abi->columns * sizeof(*regs));
	w->frames.n = 0;
	do {
		o = full ? GO_ON : steps_known(w, &s);
		if (o == GO_ON)
			o = step(w, &s, full);
	} while (o == GO_ON);
	w->used = s.m.reg[w->abi->sp] - regs[w->abi->sp];
	return o;
}

void walk_run(struct walk *w, uint64_t *regs, bool exact)
{
	w->slow = false;
	if (w->rules && walk_with(w, regs, exact, false) != NEED_FULL)
		return;
	w->slow = w->rules;
	if (w->fetch && !w->fetch(w->ctx)) {
		w->frames.n = 0;
		ended(w, STACK_GONE, 0);
		return;
	}
	w->fetch = NULL;
	walk_with(w, regs, exact, true);
}
