/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/walk.h"

#include "mmap_cache.h"
#include "stack/files/module.h"
#include "stack/walk/cfi.h"
#include "stack/walk/ehabi.h"
#include "stack/walk/step_provider.h"
#include "stack/walk/stepper.h"

#define STEPPERS_MAX 4
#define ENTRY_CODE   64 /* size limit in bytes for the entry code of C libraries, see in_entry() */

/*
 * The steppers of each unwinder kind, in the order in which they are tried. Steppers that need all
 * registers come last.
 */
static const struct stepper *const orders[UNWINDERS][STEPPERS_MAX] = {
	[UNWINDER_AUTO] = {&stepper_rules, &stepper_rows, &stepper_libunwind},
	[UNWINDER_RULES] = {&stepper_rules, &stepper_rows},
	[UNWINDER_LIBUNWIND] = {&stepper_libunwind},
	[UNWINDER_ROWS] = {&stepper_rows},
};

static struct mapping *mapping_at(struct walk *w, struct walk_state *s, uint64_t pc)
{
	if (s->mapping && pc >= s->mapping->start && pc < s->mapping->end)
		return s->mapping;
	s->mapping = map_view_find(&w->view, pc);
	return s->mapping;
}

static bool read_machine(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct walk *w = ctx;

	/*
	 * Read through the snapshot, which can read any memory: CFI may refer to read-only data as
	 * well.
	 */
	return snapshot_read(&w->snap, addr, buf, n);
}

static bool is_loop(struct walk_state *s, uint64_t sp)
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

/*
 * Tries the steppers in order until one of them does not refuse the frame. If the first stepper
 * refuses the frame and no other one finds the caller or the end of the stack, the walk ends with
 * the reason that the first stepper gave.
 */
static enum outcome try_steppers(struct walk *w, struct walk_state *s,
				 const struct stepper *const *steppers, struct elf_file *f,
				 uint64_t addr)
{
	enum outcome o = (*steppers)->step(w, s, f, addr);
	enum stack_status status = w->status;
	uint64_t end = w->end;

	if (likely(o != REFUSED))
		return o;
	while (o == REFUSED && *++steppers)
		o = (*steppers)->step(w, s, f, addr);
	if (o == GO_ON || (o == ENDED && w->status == STACK_COMPLETE))
		return o;
	return walk_ended(w, status, end);
}

/*
 * Returns true if addr is the first instruction of a function. Such an address is not the return
 * address of a call: makecontext(3) puts a function's address on a new stack in place of a return
 * address. The frame of that function has no caller, whatever its CFI says.
 */
static bool begins_function(struct elf_file *f, uint64_t addr)
{
	uint64_t lo, hi;

	return (cfi_function(f, addr, &lo, &hi) && lo == addr) || ehabi_begins(f, addr);
}

/*
 * Returns true if addr is in a program's entry code, which the kernel or the dynamic linker jumps
 * to. No function calls this code. The entry code consists of a few assembly instructions, which
 * have no CFI in some C libraries.
 */
static bool in_entry(const struct elf_file *f, uint64_t addr)
{
	return f->entry && addr - f->entry < ENTRY_CODE;
}

/*
 * Finds the caller with w->provider. m is the mapping of the file that contains the code, or NULL.
 * Returns NO_CFI if there is no provider or if the provider does not know the code.
 */
static enum outcome step_provided(struct walk *w, struct walk_state *s, struct mapping *m)
{
	const struct arch_mode *mode = w->mode;
	struct step_frame frame = {.pc = s->pc,
				   .sp = s->m.reg[mode->sp],
				   .exact = s->exact,
				   .m = m},
			  caller;

	if (!w->provider)
		return NO_CFI;
	if (!walk_load_bp(w, s))
		return walk_ended(w, STACK_GONE, s->pc);
	frame.fp = s->m.reg[mode->bp];
	switch (w->provider->step(w->provider, w, &frame, &caller)) {
	case STEP_CALLER:
		break;
	case STEP_FIRST:
		return walk_ended(w, STACK_COMPLETE, 0);
	default:
		return NO_CFI;
	}
	if (caller.sp <= frame.sp)
		return walk_ended(w, STACK_LOOP, s->pc);
	walk_remember_step(w, s, (struct rule){.kind = RULE_PROVIDED}, FRAME_BY_ROWS,
			   KNOWN_FOREVER);
	s->m.reg[mode->sp] = caller.sp;
	s->m.reg[mode->bp] = caller.fp;
	s->m.valid = 1ull << mode->sp | 1ull << mode->bp;
	walk_return(w, s, caller.pc);
	s->exact = caller.exact;
	s->by = FRAME_BY_ROWS;
	return GO_ON;
}

static enum outcome step(struct walk *w, struct walk_state *s,
			 const struct stepper *const *steppers)
{
	uint64_t lookup = s->exact ? s->pc : s->pc - 1, addr, end;
	struct raw_frame *frame;
	struct mapping *m;
	struct module *mod;
	enum outcome o;

	if (!s->pc && w->frames.n)
		return walk_ended(w, STACK_COMPLETE, 0);
	if (w->frames.n >= w->limit)
		return walk_ended(w, STACK_FRAME_LIMIT, s->pc);
	m = mapping_at(w, s, lookup);
	/*
	 * The kernel's sigreturn code can be at the start of a page. Then the byte before the code
	 * has no mapping.
	 */
	if (unlikely(!m) && !s->exact && walk_at_sigreturn(w, s)) {
		lookup = s->pc;
		m = mapping_at(w, s, lookup);
	}
	if (unlikely(!m))
		return walk_ended(
			w, map_view_incomplete(&w->view) ? STACK_MAPS_LOST : STACK_NO_MAPPING,
			s->pc);
	mod = module_get(w->files, &w->who, m);
	frame = vec_push(&w->frames);
	*frame = (struct raw_frame){s->pc, s->pc, m, walk_flags(s), NULL};
	walk_keep_regs(w, s->m.reg[w->mode->sp], s->bp_known ? s->m.reg[w->mode->bp] : 0);
	w->by[s->by]++;
	if (unlikely(is_loop(s, s->m.reg[w->mode->sp])))
		return walk_ended(w, STACK_LOOP, s->pc);
	if (!mod->file || !elf_file_address(mod->file, m, lookup, &addr)) {
		if (m->inode)
			frame->addr = s->pc - m->start + m->offset;
		o = step_provided(w, s, NULL);
		return o == NO_CFI ? step_guess(w, s, NULL, 0, (*steppers)->whole) : o;
	}
	frame->addr = addr + (s->pc - lookup);
	if (unlikely(mod->mode != w->mode))
		return walk_ended(w, STACK_UNSUPPORTED, s->pc);
	if (walk_is_provided(w, s)) {
		o = step_provided(w, s, m);
		if (o != NO_CFI)
			return o;
	}
	o = try_steppers(w, s, steppers, mod->file, addr);
	if (o != NO_CFI)
		return o;
	/*
	 * The return address of a signal handler is also the start of a function: the sigreturn
	 * code.
	 */
	if (!s->exact && begins_function(mod->file, addr + 1) && !walk_at_sigreturn(w, s)) {
		if (!row_get(mod->file, w->mode, addr + 1)->signal)
			return walk_ended(w, STACK_COMPLETE, 0);
		s->exact = true;
		return try_steppers(w, s, steppers, mod->file, addr + 1);
	}
	o = step_guess(w, s, mod->file, addr + (s->pc - lookup), (*steppers)->whole);
	if (o != ENDED || w->status != STACK_NO_CFI)
		return o;
	if (in_entry(mod->file, addr))
		return walk_ended(w, STACK_COMPLETE, 0);
	end = w->end;
	o = step_provided(w, s, m);
	return o == NO_CFI ? walk_ended(w, STACK_NO_CFI, end) : o;
}

static enum outcome walk_with(struct walk *w, uint64_t *regs, bool exact,
			      const struct stepper *const *steppers)
{
	struct walk_state s = {.pc = regs[w->mode->pc], .exact = exact, .power = 4};
	const struct stepper *first = *steppers;
	enum outcome o;

	s.regs = regs;
	s.bp_known = !w->fetch;
	s.m.mode = w->mode;
	s.m.read = read_machine;
	s.m.ctx = w;
	s.m.valid = UINT64_MAX >> (64 - w->mode->columns);
	memcpy(s.m.reg, regs, w->mode->columns * sizeof(*regs));
	walk_interrupted(w, &s);
	w->frames.n = 0;
	w->regs.n = 0;
	do {
		o = first->run ? first->run(w, &s) : GO_ON;
		if (o == GO_ON)
			o = step(w, &s, steppers);
	} while (o == GO_ON);
	return o;
}

void walk_run(struct walk *w, uint64_t *regs, bool exact)
{
	const struct stepper *const *steppers = orders[w->order];

	w->slow = (*steppers)->whole;
	if (!w->slow) {
		if (walk_with(w, regs, exact, steppers) != NEED_REGISTERS)
			return;
		vec_for_each (&w->frames, f)
			w->by[frame_by_of(f->flags)]--;
		w->slow = true;
		steppers++;
	}
	if (w->fetch && !w->fetch(w->ctx)) {
		w->frames.n = 0;
		walk_ended(w, STACK_GONE, 0);
		return;
	}
	w->fetch = NULL;
	walk_with(w, regs, exact, steppers);
}
