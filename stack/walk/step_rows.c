/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/rules.h"
#include "stack/walk/stepper.h"

/*
 * Ends the step because an expression could not be evaluated. err is the error that cfi_expr()
 * returned.
 */
static enum outcome no_value(struct walk *w, const struct walk_state *s, int err)
{
	if (err == -EFAULT)
		return walk_ended(w, STACK_UNREADABLE, s->pc);
	return walk_refused(w, STACK_BAD_CFI, s->pc);
}

/*
 * Computes the value that a register has in the caller. Sets *known to false if the CFI marks
 * the register as undefined, or if the value is in a register that is not known. Returns GO_ON, or
 * another outcome if memory cannot be read or if an expression is invalid.
 */
static enum outcome recover(struct walk *w, const struct walk_state *s, const struct row *row,
			    const struct row_reg *g, uint64_t cfa, uint64_t *v, bool *known)
{
	const struct arch_mode *mode = w->mode;
	uint64_t at = cfa + g->n;
	int err;

	*known = true;
	switch (g->where) {
	case CFI_VAL_OFFSET:
		*v = walk_address(mode, at);
		return GO_ON;
	case CFI_REGISTER:
		*known = (uint64_t)g->n < mode->columns && (s->m.valid & 1ull << g->n);
		*v = *known ? s->m.reg[g->n] : 0;
		return GO_ON;
	case CFI_EXPR:
	case CFI_VAL_EXPR:
		err = cfi_expr(&s->m, row->bytes + g->n, g->len, true, cfa, v);
		if (err)
			return no_value(w, s, err);
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
	at = walk_address(mode, at);
	if (!walk_word(w, at, v))
		return walk_ended(w, STACK_UNREADABLE, at);
	return GO_ON;
}

static const struct row_reg *find_saved(const struct row *row, unsigned column)
{
	for (size_t i = 0; i < row->nregs; i++)
		if (row->regs[i].column == column && row->regs[i].where == CFI_OFFSET)
			return &row->regs[i];
	return NULL;
}

/*
 * Guesses the CFA of a frame whose sp is unknown because the previous step used the frame pointer.
 * If, according to the row, bp and the return address are saved next to each other as in a frame
 * record, assumes that bp points to this frame record. The guess is wrong if the function has not
 * set bp. Returns false if the row does not describe such a frame record, or if bp is unknown.
 */
static bool cfa_of_chain(const struct walk_state *s, const struct row *row, uint64_t *cfa)
{
	const struct arch_mode *mode = s->m.mode;
	const struct arch_chain chain = mode->chain;
	const struct row_reg *bp = find_saved(row, mode->bp), *ra = find_saved(row, mode->ra);

	if (row->cfa_reg != mode->sp || !bp || !ra || !(s->m.valid & 1ull << mode->bp) ||
	    ra->n - bp->n != (chain.ra - chain.bp) * mode->word)
		return false;
	*cfa = walk_address(mode, s->m.reg[mode->bp] + chain.bp * mode->word - bp->n);
	return true;
}

static enum outcome row_cfa(struct walk *w, struct walk_state *s, const struct row *row,
			    uint64_t *cfa, bool *guessed)
{
	int err;

	*guessed = false;
	if (!row->cfa_expr) {
		if (!(s->m.valid & 1ull << row->cfa_reg)) {
			*guessed = cfa_of_chain(s, row, cfa);
			return *guessed ? GO_ON : walk_ended(w, STACK_NO_CFI, s->pc);
		}
		*cfa = walk_address(w->mode, s->m.reg[row->cfa_reg] + row->cfa_n);
		return GO_ON;
	}
	err = cfi_expr(&s->m, row->bytes + row->cfa_n, row->cfa_len, false, 0, cfa);
	if (err)
		return no_value(w, s, err);
	return GO_ON;
}

/*
 * Returns true if the CFI is valid only at the start of the function, but the function has already
 * made a call. Some assembly code in C libraries has such CFI, for example _dl_runtime_resolve() of
 * glibc on riscv64. According to this CFI, the return address is still in its register, but the
 * call has overwritten that register.
 */
static bool is_function_start_row(const struct walk *w, const struct walk_state *s,
				  const struct row *row)
{
	return w->mode->ra != w->mode->pc && w->mode->code && !s->exact && w->frames.n > 1 &&
	       !row->nregs && !row->cfa_n;
}

/*
 * Returns true if the row may be wrong for the current instruction because it comes from Arm's
 * unwind tables. These tables are valid only at function calls. They also omit the callee-saved
 * register that holds the syscall number during a syscall.
 */
static bool row_may_be_wrong(const struct walk *w, const struct walk_state *s)
{
	return w->mode->unwind_table && w->mode->code && walk_stopped(w, s);
}

static enum outcome step(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr)
{
	const struct arch_mode *mode = w->mode;
	const struct row *row;
	struct cfi_machine next = s->m;
	bool ra_known = mode->ra != mode->pc && s->m.valid & 1ull << mode->ra, known, plain,
	     guessed;
	enum outcome o;
	uint64_t cfa, v;

	if (row_may_be_wrong(w, s) && row_get(f, mode, addr)->err != -ENOENT &&
	    step_file_code(w, s, f, addr + !s->exact) == GO_ON)
		return GO_ON;
	/* step_file_code() may free rows, so get the row only now. */
	row = row_get(f, mode, addr);
	if (row->err == -ENOENT)
		return NO_CFI;
	if (row->err == -EAGAIN)
		return walk_ended(w, STACK_OVER_BUDGET, s->pc);
	if (row->err == -ESRCH)
		return walk_ended(w, STACK_NO_CFI, s->pc);
	if (row->err)
		return walk_refused(w, STACK_BAD_CFI, s->pc);
	o = row_cfa(w, s, row, &cfa, &guessed);
	if (o != GO_ON)
		return o;
	next.reg[mode->sp] = cfa;
	next.valid |= 1ull << mode->sp;
	for (size_t i = 0; i < row->nregs; i++) {
		const struct row_reg *g = &row->regs[i];

		if (g->column == mode->ra && g->where == CFI_UNDEFINED)
			return walk_ended(w, STACK_COMPLETE, 0);
		o = recover(w, s, row, g, cfa, &v, &known);
		if (o != GO_ON) {
			/*
			 * If another register cannot be recovered, continue. The walk ends only if
			 * a later frame needs the register.
			 */
			if (g->column == mode->ra || g->column == mode->sp)
				return o;
			known = false;
		}
		if (known) {
			next.reg[g->column] = v;
			next.valid |= 1ull << g->column;
		} else {
			next.valid &= ~(1ull << g->column);
		}
		if (g->column == mode->ra)
			ra_known = known;
	}
	if (!ra_known)
		return walk_refused(w, STACK_BAD_CFI, s->pc);
	v = next.reg[mode->ra];
	next.reg[mode->ra] &= w->ra_mask;
	if (mode->pc != mode->ra)
		next.valid &= ~(1ull << mode->pc);
	/*
	 * An ordinary step must lead to a higher sp. Signal frames and stack switches can lead
	 * anywhere; is_loop() in walk.c detects cycles in them. A frame has size 0 if its return
	 * address is in a register or was already popped, as in vfork(). If a frame has size 0, the
	 * caller must be a different function.
	 */
	plain = !guessed && !row->signal && !row->cfa_expr &&
		(row->cfa_reg == mode->sp || row->cfa_reg == mode->bp);
	if (plain && next.reg[mode->sp] == cfa &&
	    (cfa < s->m.reg[mode->sp] ||
	     (cfa == s->m.reg[mode->sp] && next.reg[mode->ra] == s->pc)))
		return is_function_start_row(w, s, row) ? NO_CFI : walk_ended(w, STACK_LOOP, s->pc);
	s->m = next;
	walk_return(w, s, v);
	s->exact = row->signal;
	s->by = guessed ? FRAME_BY_FP : FRAME_BY_ROWS;
	return GO_ON;
}

const struct stepper stepper_rows = {.step = step, .whole = true};
