/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "capture/memory.h"
#include "linux/arch/code.h"
#include "mmap_cache.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/walk/rules.h"
#include "stack/walk/stepper.h"

/* Maximum size in bytes of a frame in which to look for return addresses. */
#define SCAN_MAX 8192
/* No code is mapped below this address (vm.mmap_min_addr). */
#define SMALL_MAX 65536
/*
 * Number of times that a step over code without a file may be repeated before the code is read
 * again.
 */
#define MEMORY_USES 128

/*
 * If the code at pc is sigreturn code, returns the kind of its signal frame. Otherwise returns
 * NULL.
 */
static const struct arch_sigframe *sigframe_at(struct walk *w, uint64_t pc)
{
	uint8_t code[ARCH_SIGRETURN_MAX];

	for (unsigned i = 0; i < w->mode->nsigframes; i++) {
		const struct arch_sigframe *f = &w->mode->sigframes[i];

		if (!memory_read(w->snap.memory, pc, code, f->code_len) &&
		    !memcmp(code, f->code, f->code_len))
			return f;
	}
	return NULL;
}

/*
 * If the current frame is at sigreturn code, returns the kind of its signal frame, otherwise NULL.
 * If the thread is already in sigreturn(2), the pc of the innermost frame is after this code.
 */
static const struct arch_sigframe *present_sigframe(struct walk *w, const struct walk_state *s)
{
	const struct arch_sigframe *f = sigframe_at(w, s->pc);

	for (unsigned i = 0; !f && w->frames.n == 1 && !s->exact && i < w->mode->nsigframes; i++) {
		const struct arch_sigframe *kind = &w->mode->sigframes[i];

		if (sigframe_at(w, s->pc - kind->code_len) == kind)
			f = kind;
	}
	return f;
}

bool walk_at_sigreturn(struct walk *w, const struct walk_state *s)
{
	return present_sigframe(w, s);
}

/* Steps over the frame that the kernel created on the stack to deliver a signal. */
static enum outcome step_sigreturn(struct walk *w, struct walk_state *s,
				   const struct arch_sigframe *f)
{
	const struct arch_mode *mode = w->mode;
	const uint64_t at = s->m.reg[mode->sp] + f->regs_at;

	s->m.valid = 0;
	for (unsigned i = 0; i < mode->sigframe_nregs; i++) {
		if (!walk_word(w, at + i * mode->word, &s->m.reg[mode->sigframe_regs[i]]))
			return walk_ended(w, STACK_UNREADABLE, at);
		s->m.valid |= 1ull << mode->sigframe_regs[i];
	}
	walk_interrupted(w, s);
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
 * Returns true if `word`, which was found without CFI, is plausible as a return address. A
 * plausible address follows a call instruction or is the address of sigreturn code. If jit is set,
 * an address in code without a file is also plausible if its function keeps a frame pointer, or if
 * tracer cannot check this. Such code may call functions with jump instructions. If tracer cannot
 * analyse code for this architecture, any address in an executable mapping is plausible.
 */
static bool is_return_address(struct walk *w, uint64_t word, bool jit)
{
	const uint64_t ra = word & w->ra_mask, set = word & w->mode->set_bit;
	struct mapping *m = map_view_find(&w->view, ra - 1);
	struct module *mod = m ? module_get(w->files, &w->who, m) : NULL;
	const struct code_source memory = {read_tracee_code, w},
				 file = {read_file_code, mod ? mod->file : NULL};
	const struct arch_code *code = w->mode->code;
	uint64_t addr;

	if (!m)
		return sigframe_at(w, ra);
	if (!code)
		return true;
	if (mod->file && elf_file_address(mod->file, m, ra - 1, &addr)) {
		if (code->follows_call(&file, (addr + 1) | set))
			return true;
	} else if (code->follows_call(&memory, ra | set) ||
		   (jit &&
		    (!code->keeps_frame_pointer || code->keeps_frame_pointer(&memory, ra | set)))) {
		return true;
	}
	return sigframe_at(w, ra);
}

/*
 * Returns true if bp is the frame pointer of the current function, either according to the
 * function's code, or because no word between sp and bp looks like a return address. (If bp
 * belonged to an outer frame, the current function's return address would be between sp and bp.)
 * Otherwise returns false, also if bp is below sp or more than SCAN_MAX bytes above it, because the
 * words are then not checked. If tracer cannot analyse code for this architecture, returns true
 * without a check.
 */
static bool keeps_frame_pointer(struct walk *w, const struct walk_state *s,
				const struct code_source *code, uint64_t addr)
{
	const uint64_t sp = s->m.reg[w->mode->sp], bp = s->m.reg[w->mode->bp];
	const struct arch_code *reader = w->mode->code;

	if (!reader || (reader->keeps_frame_pointer && reader->keeps_frame_pointer(code, addr)))
		return true;
	if (bp - sp > SCAN_MAX)
		return false;
	for (uint64_t at = sp; at < bp; at += w->mode->word) {
		uint64_t word;

		if (!walk_word(w, at, &word))
			return false;
		/*
		 * Skip small numbers and nearby addresses. They are common and are not code
		 * addresses.
		 */
		if (word < SMALL_MAX || (word >= sp - SCAN_MAX && word < bp + SCAN_MAX))
			continue;
		if (is_return_address(w, word, true))
			return false;
	}
	return true;
}

/*
 * Steps to the caller with the frame pointer. Ends the walk with STACK_NO_CFI if bp is not a frame
 * pointer. `addr` is the address in `code` at which the current frame continues. `uses` limits how
 * often the step may be repeated in later walks.
 */
static enum outcome step_fp(struct walk *w, struct walk_state *s, const struct code_source *code,
			    uint64_t addr, bool whole, unsigned uses)
{
	const struct arch_mode *mode = w->mode;
	const struct arch_chain chain = mode->chain;
	uint64_t sp = s->m.reg[mode->sp], bp = s->m.reg[mode->bp], next_bp, ra;

	if (!chain.ra && !chain.bp)
		return walk_ended(w, STACK_NO_CFI, s->pc);
	/* A zero frame pointer marks a thread's first frame (psABI). */
	if (!bp)
		return walk_ended(w, STACK_COMPLETE, 0);
	if (bp < sp || bp % mode->word || !walk_word(w, bp + chain.bp * mode->word, &next_bp) ||
	    !walk_word(w, bp + chain.ra * mode->word, &ra))
		return walk_ended(w, STACK_NO_CFI, s->pc);
	/*
	 * A return address of zero means that the walk is complete, but only if bp is a frame
	 * pointer. bp may also contain another value, such as the address of argv.
	 */
	if ((ra & w->ra_mask && !is_return_address(w, ra, true)) ||
	    !keeps_frame_pointer(w, s, code, addr))
		return walk_ended(w, STACK_NO_CFI, s->pc);
	if (!(ra & w->ra_mask))
		return walk_ended(w, STACK_COMPLETE, 0);
	/* The caller's sp is not known, which a walk with rules cannot express. */
	if (!chain.sp_known && !whole)
		return NEED_REGISTERS;
	if (chain.sp_known)
		walk_remember_step(w, s,
				   (struct rule){.kind = RULE_BP,
						 .cfa_off = chain.sp * mode->word,
						 .ra_at = chain.ra - chain.sp,
						 .bp_at = chain.bp - chain.sp},
				   FRAME_BY_FP, uses);
	s->m.reg[mode->sp] = bp + chain.sp * mode->word;
	s->m.reg[mode->bp] = next_bp;
	s->m.valid = 1ull << mode->bp;
	if (chain.sp_known)
		s->m.valid |= 1ull << mode->sp;
	walk_return(w, s, ra);
	s->by = FRAME_BY_FP;
	return GO_ON;
}

/*
 * Steps to the caller according to `row`, which is the result of an analysis of the code. Returns
 * NO_CFI if the row cannot be used or if the return address is not plausible. Returns
 * NEED_REGISTERS if more registers than in a walk with rules are needed.
 */
static enum outcome step_code(struct walk *w, struct walk_state *s, const struct row *row,
			      bool whole, unsigned uses)
{
	const bool jit = uses != KNOWN_FOREVER;
	const struct arch_mode *mode = w->mode;
	struct cfi_machine next = s->m;
	bool kept = true; /* true if the return address is still in the return address register */
	uint64_t cfa, ra;

	if (row->err || !(s->m.valid & 1ull << row->cfa_reg))
		return NO_CFI;
	/* A walk with rules does not know the return address register. */
	if (mode->ra != mode->pc && !whole)
		return NEED_REGISTERS;
	cfa = walk_address(mode, s->m.reg[row->cfa_reg] + row->cfa_n);
	for (size_t i = 0; i < row->nregs; i++) {
		const struct row_reg *g = &row->regs[i];
		bool known = g->where != CFI_UNDEFINED;

		if (!known) {
			next.reg[g->column] = 0;
		} else if (g->where == CFI_REGISTER) {
			known = s->m.valid & 1ull << g->n;
			next.reg[g->column] = s->m.reg[g->n];
		} else if (!walk_word(w, walk_address(mode, cfa + g->n), &next.reg[g->column])) {
			return NO_CFI;
		}
		next.valid &= ~(1ull << g->column);
		next.valid |= (uint64_t)known << g->column;
		kept &= g->column != mode->ra;
	}
	/*
	 * A frame that is not the innermost one has made a call, and the call has overwritten the
	 * return address register.
	 */
	if (kept && ((!s->exact && w->frames.n > 1) || !(s->m.valid & 1ull << mode->ra)))
		return NO_CFI;
	ra = next.reg[mode->ra];
	if (cfa < s->m.reg[mode->sp] || (!kept && cfa == s->m.reg[mode->sp]) || cfa % mode->word ||
	    !(ra & w->ra_mask) || !is_return_address(w, ra, jit))
		return NO_CFI;
	if (mode->ra == mode->pc)
		walk_remember_step(w, s, rule_of_row(mode, row), FRAME_BY_FP, uses);
	else
		next.valid &= ~(1ull << mode->pc);
	next.reg[mode->ra] = ra & w->ra_mask;
	next.reg[mode->sp] = cfa;
	s->m = next;
	walk_return(w, s, ra);
	s->by = FRAME_BY_FP;
	return GO_ON;
}

/*
 * If the thread is in a small function without CFI that does not use the stack, steps out of the
 * function and returns true. Otherwise returns false.
 */
static bool step_thunk(struct walk *w, struct walk_state *s)
{
	const struct arch_mode *mode = w->mode;
	uint8_t code[ARCH_THUNK];
	uint64_t ra;

	if (!mode->is_thunk || !s->exact ||
	    memory_read(w->snap.memory, s->pc, code, sizeof(code)) || !mode->is_thunk(code))
		return false;
	if (!walk_word(w, s->m.reg[mode->sp], &ra) || !map_view_find(&w->view, ra - 1))
		return false;
	s->m.reg[mode->sp] += mode->word;
	walk_return(w, s, ra);
	s->by = FRAME_BY_FP;
	return true;
}

enum outcome step_file_code(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr)
{
	return step_code(w, s, code_row_get(f, w->mode, addr | s->set, CODE_EXIT), true,
			 KNOWN_FOREVER);
}

/* Returns true if the return address addr is in the first function of the thread. */
static bool begins_thread(struct walk *w, const struct walk_state *s, struct elf_file *f,
			  uint64_t addr)
{
	const struct arch_code *code = w->mode->code;

	return code->ends_thread && !walk_stopped(w, s) &&
	       code->ends_thread(&(struct code_source){read_file_code, f}, addr | s->set);
}

enum outcome step_guess(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr,
			bool whole)
{
	const struct code_source code = {read_tracee_code, w}, file = {read_file_code, f};
	const struct arch_sigframe *sigframe = present_sigframe(w, s);
	enum outcome o;
	struct row *row;

	if (!walk_load_bp(w, s))
		return walk_ended(w, STACK_GONE, s->pc);
	if (sigframe)
		return whole ? step_sigreturn(w, s, sigframe) : NEED_REGISTERS;
	if (step_thunk(w, s))
		return GO_ON;
	/*
	 * Analyse the code first. Compiled programs rarely keep frame pointers, and some JITs do
	 * not keep them either.
	 */
	if (f && w->mode->code) {
		/* A walk with rules does not know which instruction set the current frame uses. */
		if (w->mode->set_bit && !whole)
			return NEED_REGISTERS;
		if (begins_thread(w, s, f, addr))
			return walk_ended(w, STACK_COMPLETE, 0);
		for (enum code_analysis analysis = 0; analysis < CODE_ANALYSES; analysis++) {
			o = step_code(w, s, code_row_get(f, w->mode, addr | s->set, analysis),
				      whole, KNOWN_FOREVER);
			if (o != NO_CFI)
				return o;
		}
	} else if (w->mode->code) {
		row = row_from_code(w->mode, &code, s->pc | s->set, CODE_EXIT);
		o = step_code(w, s, row, whole, MEMORY_USES);
		free(row);
		if (o != NO_CFI)
			return o;
	}
	if (f)
		return step_fp(w, s, &file, addr | s->set, whole, KNOWN_FOREVER);
	return step_fp(w, s, &code, s->pc | s->set, whole, MEMORY_USES);
}
