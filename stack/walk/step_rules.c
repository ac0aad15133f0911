/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mmap_cache.h"
#include "stack/walk/rules.h"
#include "stack/walk/stepper.h"

/*
 * Steps over the innermost frame, whose return address is still in the return address register.
 * Returns NEED_REGISTERS for other frames.
 */
static enum outcome step_leaf(struct walk *w, struct walk_state *s, struct rule r)
{
	const struct arch_mode *mode = w->mode;
	const uint64_t cfa = s->m.reg[mode->sp] + r.cfa_off;
	uint64_t ra;

	if (w->frames.n != 1 || r.cfa_off < 0)
		return NEED_REGISTERS;
	if (!walk_load_bp(w, s))
		return walk_ended(w, STACK_GONE, s->pc);
	ra = s->regs[mode->ra];
	if ((ra & w->ra_mask) == s->pc)
		return NEED_REGISTERS;
	s->m.reg[mode->sp] = cfa;
	walk_return(w, s, ra);
	s->by = FRAME_BY_RULES;
	return GO_ON;
}

static enum outcome step_rule(struct walk *w, struct walk_state *s, struct rule r)
{
	const struct arch_mode *mode = w->mode;
	uint64_t *sp = &s->m.reg[mode->sp], *bp = &s->m.reg[mode->bp], cfa, at, ra;

	switch (r.kind) {
	case RULE_SP:
		cfa = *sp + r.cfa_off;
		break;
	case RULE_BP:
		if (!walk_load_bp(w, s))
			return walk_ended(w, STACK_GONE, s->pc);
		cfa = *bp + r.cfa_off;
		break;
	case RULE_LEAF:
		return step_leaf(w, s, r);
	case RULE_END:
		return walk_ended(w, STACK_COMPLETE, 0);
	case RULE_LOST:
		return walk_ended(w, STACK_NO_CFI, s->pc);
	case RULE_NONE:
		return NO_CFI;
	default: /* This includes RULE_BAD: step_rows.c finds the exact reason, and another stepper
		    may succeed. */
		return NEED_REGISTERS;
	}
	if (mode->word == 4)
		cfa = (uint32_t)cfa;
	/* A frame of size 0 can have a caller, too; see step_rows.c. */
	if (unlikely(cfa == *sp))
		return NEED_REGISTERS;
	if (unlikely(cfa < *sp))
		return walk_ended(w, STACK_LOOP, s->pc);
	at = cfa + r.ra_at * mode->word;
	if (!walk_word(w, at, &ra))
		return walk_ended(w, STACK_UNREADABLE, at);
	if (r.bp_at != RULE_BP_KEPT) {
		at = cfa + r.bp_at * mode->word;
		if (!walk_word(w, at, bp))
			return walk_ended(w, STACK_UNREADABLE, at);
		s->bp_known = true;
	}
	*sp = cfa;
	walk_return(w, s, ra);
	s->by = FRAME_BY_RULES;
	return GO_ON;
}

static struct known_pc *known_slot(const struct walk *w, uint64_t table, uint64_t pc)
{
	uint64_t hash = (pc ^ table << 32) * 0x9e3779b97f4a7c15ull;

	return &w->known[hash >> 32 & (KNOWN_PCS - 1)];
}

void walk_remember_step(struct walk *w, const struct walk_state *s, struct rule rule,
			enum frame_by by, unsigned uses)
{
	const struct raw_frame *frame = &w->frames.v[w->frames.n - 1];
	uint64_t table = map_view_settled(&w->view);

	if (!table || (rule.kind != RULE_SP && rule.kind != RULE_BP && rule.kind != RULE_END &&
		       rule.kind != RULE_PROVIDED))
		return;
	*known_slot(w, table, s->pc) = (struct known_pc){.table = table,
							 .pc = s->pc,
							 .addr = frame->addr,
							 .m = frame->m,
							 .mode = w->mode,
							 .exact = s->exact,
							 .by = by,
							 .uses_left = uses,
							 .rule = rule};
}

bool walk_is_provided(const struct walk *w, const struct walk_state *s)
{
	uint64_t table = map_view_settled(&w->view);
	const struct known_pc *k = known_slot(w, table, s->pc);

	return table && k->table == table && k->pc == s->pc && k->exact == s->exact &&
	       k->mode == w->mode && k->rule.kind == RULE_PROVIDED;
}

/*
 * k contains a remembered step over code without CFI. Returns true if the step may be used: it has
 * not been used too often, and the return address `ra` is also a remembered pc. Counts the use.
 */
static bool is_plausible(const struct walk *w, struct known_pc *k, uint64_t ra)
{
	const struct known_pc *next = known_slot(w, k->table, ra);

	if (k->uses_left != KNOWN_FOREVER && !k->uses_left--) {
		k->table = 0;
		return false;
	}
	return next->pc == ra && next->table == k->table && !next->exact && next->mode == k->mode;
}

/*
 * Steps over frames whose pcs are remembered, until it reaches an unknown pc. The result is the
 * same as from step(), at a lower cost. Cycles are impossible because each step leads to a higher
 * sp.
 */
static enum outcome steps_known(struct walk *w, struct walk_state *s)
{
	const struct arch_mode *mode = w->mode;
	const uint64_t table = map_view_settled(&w->view);
	uint64_t pc = s->pc, sp = s->m.reg[mode->sp], bp = s->m.reg[mode->bp],
		 flags = walk_flags(s), mask = w->ra_mask;
	const size_t before = w->frames.n;
	bool bp_known = s->bp_known, last = false;
	enum frame_by by = s->by;

	if (!table || mode->word != 8)
		return GO_ON;
	while (pc && w->frames.n < w->limit) {
		struct known_pc *k = known_slot(w, table, pc);
		const struct rule r = k->rule;
		const uint64_t frame_bp = bp_known ? bp : 0;
		uint64_t cfa = 0, ra = 0, saved;

		if (k->pc != pc || k->table != table || k->exact != (flags & FRAME_EXACT) ||
		    k->mode != mode || r.kind == RULE_PROVIDED)
			break;
		if (unlikely(r.kind == RULE_END)) {
			last = true;
		} else {
			if (r.kind == RULE_BP && !bp_known)
				break;
			cfa = (r.kind == RULE_SP ? sp : bp) + r.cfa_off;
			if (cfa <= sp || !snapshot_read(&w->snap, cfa + r.ra_at * 8, &ra, 8))
				break;
			if (unlikely(k->by == FRAME_BY_FP) && !is_plausible(w, k, ra & mask))
				break;
			if (r.bp_at != RULE_BP_KEPT) {
				if (!snapshot_read(&w->snap, cfa + r.bp_at * 8, &saved, 8))
					break;
				bp = saved;
				bp_known = true;
			}
		}
		*vec_push(&w->frames) = (struct raw_frame){pc, k->addr, k->m, flags, NULL};
		walk_keep_regs(w, sp, frame_bp);
		if (unlikely(last))
			break;
		w->by[k->by]++;
		by = k->by;
		sp = cfa;
		pc = ra & mask;
		flags = FRAME_BY(by);
	}
	if (w->frames.n == before)
		return GO_ON;
	/*
	 * w->by counts, for each frame in w->frames, the method that found this frame. The loop
	 * above has counted the method that found the frame's caller instead. So add the method of
	 * the first frame, and subtract the method of the last caller, which has not been pushed
	 * yet.
	 */
	w->by[s->by]++;
	if (!last)
		w->by[by]--;
	s->m.reg[mode->sp] = sp;
	if (last)
		return walk_ended(w, STACK_COMPLETE, 0);
	s->m.reg[mode->bp] = bp;
	s->bp_known = bp_known;
	s->pc = pc;
	s->exact = false;
	s->by = by;
	return GO_ON;
}

static enum outcome step(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr)
{
	struct rule rule;

	/*
	 * The unwind tables may be wrong at this instruction, so step_rows.c must first analyse the
	 * code.
	 */
	if (w->mode->unwind_table && walk_stopped(w, s))
		return NEED_REGISTERS;
	rule = rule_get(f, w->mode, addr);
	walk_remember_step(w, s, rule, FRAME_BY_RULES, KNOWN_FOREVER);
	return step_rule(w, s, rule);
}

const struct stepper stepper_rules = {.step = step, .run = steps_known};
