/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "capture/memory.h"
#include "linux/arch/code.h"
#include "mmap_cache.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/walk/rules.h"
#include "stack/walk/stepper.h"

static bool is_sigreturn(struct walk *w, uint64_t addr)
{
	const struct arch_sigframe *f = &w->mode->sigframe;
	uint8_t code[ARCH_SIGRETURN_MAX];

	return f->code_len && !memory_read(w->snap.memory, addr, code, f->code_len) &&
	       !memcmp(code, f->code, f->code_len);
}

bool walk_at_sigreturn(struct walk *w, const struct walk_state *s)
{
	/* A thread that has made the call is behind it. */
	return is_sigreturn(w, s->pc) || (w->frames.n == 1 && !s->exact &&
					  is_sigreturn(w, s->pc - w->mode->sigframe.code_len));
}

/* Steps over the frame that the kernel made on the stack to deliver a signal. */
static enum outcome step_sigreturn(struct walk *w, struct walk_state *s)
{
	const struct arch_sigframe *f = &w->mode->sigframe;
	const uint64_t at = s->m.reg[w->mode->sp] + f->regs_at;

	s->m.valid = 0;
	for (unsigned i = 0; i < f->nregs; i++) {
		if (!walk_word(w, at + i * w->mode->word, &s->m.reg[f->regs[i]]))
			return walk_ended(w, STACK_UNREADABLE, at);
		s->m.valid |= 1ull << f->regs[i];
	}
	s->pc = s->m.reg[w->mode->pc];
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
 * Whether a return address that was found without CFI can be believed: it must follow a call
 * instruction. jit: accept any address of code that is in no file, because interpreters jump
 * where compiled code calls.
 */
static bool is_return_address(struct walk *w, uint64_t ra, bool jit)
{
	struct mapping *m = mmap_cache_find(w->mm, ra - 1);
	struct module *mod = m ? module_get(w->files, &w->who, m) : NULL;
	uint64_t addr;

	if (!m)
		return false;
	if (!w->mode->code)
		return true;
	if (mod->file && elf_file_address(mod->file, m, ra - 1, &addr))
		return w->mode->code->follows_call(&(struct code_source){read_file_code, mod->file},
						   addr + 1);
	return jit || w->mode->code->follows_call(&(struct code_source){read_tracee_code, w}, ra);
}

/* Steps by the frame pointer, if bp holds one. */
static enum outcome step_fp(struct walk *w, struct walk_state *s, bool whole)
{
	const struct arch_mode *mode = w->mode;
	const struct arch_chain chain = mode->chain;
	uint64_t sp = s->m.reg[mode->sp], bp = s->m.reg[mode->bp], next_bp, ra;

	/* The ABIs mark a thread's first frame by a frame pointer of zero. */
	if (!bp)
		return walk_ended(w, STACK_COMPLETE, 0);
	if (bp < sp || bp % mode->word || !walk_word(w, bp + chain.bp * mode->word, &next_bp) ||
	    !walk_word(w, bp + chain.ra * mode->word, &ra))
		return walk_ended(w, STACK_NO_CFI, s->pc);
	ra &= w->ra_mask;
	if (!ra)
		return walk_ended(w, STACK_COMPLETE, 0);
	if (!is_return_address(w, ra, true))
		return walk_ended(w, STACK_NO_CFI, s->pc);
	/* Rules take it that sp is known; rows know whether it is. */
	if (!chain.sp_known && !whole)
		return NEED_REGISTERS;
	s->m.reg[mode->sp] = bp + chain.sp * mode->word;
	s->m.reg[mode->bp] = next_bp;
	s->m.valid = 1ull << mode->bp;
	if (chain.sp_known)
		s->m.valid |= 1ull << mode->sp;
	s->pc = ra;
	s->exact = false;
	s->by = FRAME_BY_FP;
	return GO_ON;
}

/*
 * Steps by what the code does until it returns. Returns NO_CFI if that gives no return address that
 * can be believed.
 */
static enum outcome step_code(struct walk *w, struct walk_state *s, const struct row *row,
			      bool whole)
{
	const struct arch_mode *mode = w->mode;
	struct cfi_machine next = s->m;
	bool kept = true; /* the return address is in its register */
	uint64_t cfa, ra;

	if (row->err || !(s->m.valid & 1ull << row->cfa_reg))
		return NO_CFI;
	/* Rules know no register of a return address. */
	if (mode->ra != mode->pc && !whole)
		return NEED_REGISTERS;
	cfa = s->m.reg[row->cfa_reg] + row->cfa_n;
	for (size_t i = 0; i < row->nregs; i++) {
		const struct row_reg *g = &row->regs[i];

		if (!walk_word(w, cfa + g->n, &next.reg[g->column]))
			return NO_CFI;
		next.valid |= 1ull << g->column;
		kept &= g->column != mode->ra;
	}
	/* Code that was returned to has overwritten the register; the innermost was not. */
	if (kept && ((!s->exact && w->frames.n > 1) || !(s->m.valid & 1ull << mode->ra)))
		return NO_CFI;
	ra = next.reg[mode->ra] & w->ra_mask;
	if (cfa < s->m.reg[mode->sp] || (!kept && cfa == s->m.reg[mode->sp]) || cfa % mode->word ||
	    !ra || !is_return_address(w, ra, false))
		return NO_CFI;
	if (mode->ra != mode->pc)
		next.valid &= ~(1ull << mode->pc);
	next.reg[mode->ra] = ra;
	next.reg[mode->sp] = cfa;
	s->m = next;
	s->pc = ra;
	s->exact = false;
	s->by = FRAME_BY_FP;
	return GO_ON;
}

/* Steps out of a small function without CFI that does not use the stack. */
static bool step_thunk(struct walk *w, struct walk_state *s)
{
	const struct arch_mode *mode = w->mode;
	uint8_t code[ARCH_THUNK];
	uint64_t ra;

	if (!mode->is_thunk || !s->exact ||
	    memory_read(w->snap.memory, s->pc, code, sizeof(code)) || !mode->is_thunk(code))
		return false;
	if (!walk_word(w, s->m.reg[mode->sp], &ra) || !mmap_cache_find(w->mm, ra - 1))
		return false;
	s->m.reg[mode->sp] += mode->word;
	s->pc = ra;
	s->exact = false;
	s->by = FRAME_BY_FP;
	return true;
}

enum outcome step_guess(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr,
			bool whole)
{
	struct code_source code = {read_tracee_code, w};
	enum outcome o;
	struct row *row;

	if (!walk_know_bp(w, s))
		return walk_ended(w, STACK_GONE, s->pc);
	if (walk_at_sigreturn(w, s))
		return whole ? step_sigreturn(w, s) : NEED_REGISTERS;
	if (step_thunk(w, s))
		return GO_ON;
	/*
	 * Compiled programs rarely keep frame pointers, so the code of a file is read first.
	 * JITs nearly always keep them, so for code of no file the frame pointer comes first.
	 */
	if (f && w->mode->code) {
		o = step_code(w, s, code_row_get(f, w->mode, addr), whole);
		if (o != NO_CFI)
			return o;
	}
	o = step_fp(w, s, whole);
	if (f || !w->mode->code || o == GO_ON || w->status != STACK_NO_CFI)
		return o;
	row = row_from_code(w->mode, &code, s->pc);
	o = step_code(w, s, row, whole);
	free(row);
	return o == NO_CFI ? ENDED : o;
}
