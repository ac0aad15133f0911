/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Executes the instructions of a CIE and an FDE (DWARF 5, 6.4.2). */
#include <stdlib.h>
#include <string.h>

#include "stack/walk/cfi.h"
#include "util/cursor.h"
#include "util/mem.h"

#define STATES_MAX 64
#define EXPR_MAX   4096

struct program {
	const struct arch_mode *mode;
	const struct elf_file *file;
	const struct cfi_fde *fde;
	uint64_t loc, addr;
	struct cfi_row row, initial;
	bool has_initial;
	struct cfi_row *states;
	size_t nstates;
	uint8_t exprs[EXPR_MAX];
	size_t nexprs;
};

/*
 * Returns the rule of the register with the DWARF number `reg`. Returns `spare` if walks do not
 * need the register, for example if it is a vector register.
 */
static struct cfi_rule *column(struct program *p, uint64_t reg, struct cfi_rule *spare)
{
	return reg < p->mode->columns ? &p->row.regs[reg] : spare;
}

static void set_rule(struct program *p, uint64_t reg, enum cfi_where where, int64_t n)
{
	struct cfi_rule spare;

	*column(p, reg, &spare) = (struct cfi_rule){where, 0, n};
}

static bool keep_expr(struct program *p, struct cursor *c, struct cfi_rule *rule,
		      enum cfi_where where)
{
	uint64_t len = cursor_uleb(c);
	const uint8_t *e = cursor_skip(c, len);

	if (c->bad || len > sizeof(p->exprs) - p->nexprs)
		return false;
	memcpy(p->exprs + p->nexprs, e, len);
	*rule = (struct cfi_rule){where, len, p->nexprs};
	p->nexprs += len;
	return true;
}

static int64_t factored(const struct program *p, int64_t n)
{
	int64_t v;

	/*
	 * No valid offset overflows. On overflow, return an offset that leads to an unreadable
	 * address.
	 */
	return __builtin_mul_overflow(n, p->fde->data_align, &v) ? INT64_MAX / 2 : v;
}

static bool set_cfa(struct program *p, uint64_t reg, int64_t n)
{
	if (reg >= p->mode->columns)
		return false;
	p->row.cfa_expr = false;
	p->row.cfa_reg = reg;
	p->row.cfa = (struct cfi_rule){CFI_SAME, 0, n};
	return true;
}

static bool restore(struct program *p, uint64_t reg)
{
	struct cfi_rule spare;

	if (!p->has_initial)
		return false;
	if (reg < p->mode->columns)
		*column(p, reg, &spare) = p->initial.regs[reg];
	return true;
}

/*
 * Executes one instruction that does not advance the location (DWARF 5, 6.4.2 and 7.24). Returns
 * false if the instruction is invalid or not supported.
 */
static bool step(struct program *p, struct cursor *c, uint8_t op)
{
	struct cfi_rule spare;
	uint64_t reg;

	switch (op) {
	case 0x00: /* DW_CFA_nop */
		return true;
	case 0x05: /* DW_CFA_offset_extended */
		reg = cursor_uleb(c);
		set_rule(p, reg, CFI_OFFSET, factored(p, cursor_uleb(c)));
		return true;
	case 0x06: /* DW_CFA_restore_extended */
		return restore(p, cursor_uleb(c));
	case 0x07: /* DW_CFA_undefined */
		set_rule(p, cursor_uleb(c), CFI_UNDEFINED, 0);
		return true;
	case 0x08: /* DW_CFA_same_value */
		set_rule(p, cursor_uleb(c), CFI_SAME, 0);
		return true;
	case 0x09: /* DW_CFA_register */
		reg = cursor_uleb(c);
		set_rule(p, reg, CFI_REGISTER, cursor_uleb(c));
		return true;
	case 0x0a: /* DW_CFA_remember_state */
		if (p->nstates == STATES_MAX)
			return false;
		p->states = mem_realloc(p->states, (p->nstates + 1) * sizeof(p->row));
		p->states[p->nstates++] = p->row;
		return true;
	case 0x0b: /* DW_CFA_restore_state also restores the CFA; all compilers rely on this */
		if (!p->nstates)
			return false;
		p->row = p->states[--p->nstates];
		return true;
	case 0x0c: /* DW_CFA_def_cfa */
		reg = cursor_uleb(c);
		return set_cfa(p, reg, cursor_uleb(c));
	case 0x0d: /* DW_CFA_def_cfa_register */
		return !p->row.cfa_expr && set_cfa(p, cursor_uleb(c), p->row.cfa.n);
	case 0x0e: /* DW_CFA_def_cfa_offset */
		return !p->row.cfa_expr && set_cfa(p, p->row.cfa_reg, cursor_uleb(c));
	case 0x0f: /* DW_CFA_def_cfa_expression */
		p->row.cfa_expr = true;
		return keep_expr(p, c, &p->row.cfa, CFI_VAL_EXPR);
	case 0x10: /* DW_CFA_expression */
	case 0x16: /* DW_CFA_val_expression */
		reg = cursor_uleb(c);
		return keep_expr(p, c, column(p, reg, &spare),
				 op == 0x10 ? CFI_EXPR : CFI_VAL_EXPR);
	case 0x11: /* DW_CFA_offset_extended_sf */
		reg = cursor_uleb(c);
		set_rule(p, reg, CFI_OFFSET, factored(p, cursor_sleb(c)));
		return true;
	case 0x12: /* DW_CFA_def_cfa_sf */
		reg = cursor_uleb(c);
		return set_cfa(p, reg, factored(p, cursor_sleb(c)));
	case 0x13: /* DW_CFA_def_cfa_offset_sf */
		return !p->row.cfa_expr && set_cfa(p, p->row.cfa_reg, factored(p, cursor_sleb(c)));
	case 0x14: /* DW_CFA_val_offset */
		reg = cursor_uleb(c);
		set_rule(p, reg, CFI_VAL_OFFSET, factored(p, cursor_uleb(c)));
		return true;
	case 0x15: /* DW_CFA_val_offset_sf */
		reg = cursor_uleb(c);
		set_rule(p, reg, CFI_VAL_OFFSET, factored(p, cursor_sleb(c)));
		return true;
	case 0x2d: /* DW_CFA_AARCH64_negate_ra_state: no action, because signatures are removed from
		      all return addresses */
		return p->mode->signs_ra;
	case 0x2e: /* DW_CFA_GNU_args_size */
		cursor_uleb(c);
		return true;
	case 0x2f: /* DW_CFA_GNU_negative_offset_extended */
		reg = cursor_uleb(c);
		set_rule(p, reg, CFI_OFFSET, -factored(p, cursor_uleb(c)));
		return true;
	default:
		return false;
	}
}

/*
 * Executes instructions until the row for p->addr is complete or the instructions end. Returns
 * false if an instruction is invalid or not supported.
 */
static bool run(struct program *p, struct cursor c)
{
	while (c.p < c.end) {
		uint8_t op = cursor_uint(&c, 1), low = op & 0x3f;
		uint64_t advance;

		switch (op & 0xc0) {
		case 0x40:
			advance = low;
			break;
		case 0x80:
			set_rule(p, low, CFI_OFFSET, factored(p, cursor_uleb(&c)));
			if (c.bad)
				return false;
			continue;
		case 0xc0:
			if (!restore(p, low))
				return false;
			continue;
		default:
			if (op >= 0x02 && op <= 0x04) { /* DW_CFA_advance_loc1, DW_CFA_advance_loc2,
							   DW_CFA_advance_loc4 */
				advance = cursor_uint(&c, 1u << (op - 2));
				break;
			}
			if (op == 0x01) { /* DW_CFA_set_loc */
				p->loc = cfi_pointer(&c, p->file, p->fde->pointers);
				if (c.bad)
					return false;
				if (p->has_initial && p->loc > p->addr)
					return true;
				continue;
			}
			if (!step(p, &c, op) || c.bad)
				return false;
			continue;
		}
		if (c.bad)
			return false;
		p->loc += advance * p->fde->code_align;
		if (p->has_initial && p->loc > p->addr)
			return true;
	}
	return true;
}

int cfi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr, struct cfi_row *row)
{
	struct program p;
	struct cfi_fde d;
	int err = cfi_fde_get(f, addr, &d);

	if (err)
		return err;
	/*
	 * Set the members individually. Clearing the whole struct would be slow, because exprs is
	 * large and rarely used.
	 */
	p.mode = mode;
	p.file = f;
	p.fde = &d;
	p.loc = d.lo;
	p.addr = addr;
	memset(&p.row, 0, sizeof(p.row));
	p.row.cfa_reg = 0xff;
	p.has_initial = false;
	p.states = NULL;
	p.nstates = p.nexprs = 0;
	err = -EINVAL;
	if (d.ra != mode->ra || !run(&p, (struct cursor){d.initial, d.initial_end, false}))
		goto out;
	p.initial = p.row;
	p.has_initial = true;
	p.loc = d.lo;
	if (!run(&p, (struct cursor){d.program, d.program_end, false}) ||
	    (!p.row.cfa_expr && p.row.cfa_reg == 0xff))
		goto out;
	*row = p.row;
	row->signal = d.signal;
	row->nbytes = p.nexprs;
	row->bytes = NULL;
	if (p.nexprs) {
		row->bytes = mem_alloc(p.nexprs);
		memcpy(row->bytes, p.exprs, p.nexprs);
	}
	err = 0;
out:
	free(p.states);
	cfi_fde_free(&d);
	return err;
}
