/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/cfi_record.h"

#include <elf.h>

#include "stack/files/elf_file.h"
#include "stack/walk/cfi.h"
#include "util/cursor.h"

#define STATES_MAX 1024
#define JUMPS_MAX  16
#define VALUES_MAX 64 /* size of libunwind's evaluation stack, in values */

struct check {
	struct cursor c;
	const struct arch_mode *mode;
	bool fixed; /* true if the file is mapped at its own addresses, with a load bias of 0 */
	/*
	 * True while the instructions of the CIE are being checked. Then there is no initial state
	 * to restore yet.
	 */
	bool initial;
	unsigned states;
};

/*
 * Reads the number of a register whose value a rule uses. Returns false if the number is invalid.
 */
static bool check_column(struct check *k)
{
	return cursor_uleb(&k->c) < k->mode->columns && !k->c.bad;
}

/* Reads the number of a register that a rule restores. Returns false if the number is invalid. */
static bool check_ruled(struct check *k)
{
	return cursor_uleb(&k->c) < k->mode->rules && !k->c.bad;
}

/*
 * The state of check_expression(). Because only forward jumps are allowed, one pass over the
 * expression is enough. This pass also detects an underflow of the evaluation stack, which
 * libunwind does not check.
 */
struct expression {
	struct cursor c;
	unsigned depth; /* number of values on the evaluation stack at this point */
	bool dead;	/* true if only a jump can reach this point */
	struct {
		const uint8_t *to;
		unsigned depth;
	} jumps[JUMPS_MAX];
	unsigned njumps;
};

/*
 * Tracks the stack depth of an operation that pops `takes` values and then pushes `gives` values.
 * Returns false if the evaluation stack underflows or overflows.
 */
static bool stack_effect(struct expression *e, unsigned takes, unsigned gives)
{
	if (e->depth < takes)
		return false;
	e->depth += gives - takes;
	return e->depth <= VALUES_MAX;
}

/*
 * Checks the operand of DW_OP_bra or DW_OP_skip. `always` must be true for DW_OP_skip, which jumps
 * unconditionally. Returns false if the jump is refused.
 */
static bool check_jump(struct expression *e, bool always)
{
	int64_t by = cursor_int(&e->c, 2);

	if (by < 0 || by > e->c.end - e->c.p || e->njumps == JUMPS_MAX ||
	    (!always && !stack_effect(e, 1, 0)))
		return false;
	e->jumps[e->njumps].to = e->c.p + by;
	e->jumps[e->njumps++].depth = e->depth;
	e->dead = always;
	return true;
}

/*
 * Returns true if all jumps to the current operation arrive with the same depth of the evaluation
 * stack.
 */
static bool check_meeting(struct expression *e)
{
	for (unsigned i = 0; i < e->njumps; i++) {
		if (e->jumps[i].to != e->c.p)
			continue;
		if (e->dead)
			e->depth = e->jumps[i].depth;
		else if (e->depth != e->jumps[i].depth)
			return false;
		e->dead = false;
	}
	return true;
}

/* Checks one operation (DWARF 5, 7.7.1). Returns false if it must not be passed to libunwind. */
static bool check_operation(const struct check *k, struct expression *e, uint8_t op)
{
	static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8};
	struct cursor *c = &e->c;

	if (op >= 0x30 && op <= 0x4f) /* DW_OP_lit0 to DW_OP_lit31 */
		return stack_effect(e, 0, 1);
	if (op >= 0x70 && op <= 0x8f) { /* DW_OP_breg0 to DW_OP_breg31 */
		cursor_sleb(c);
		return op - 0x70u < k->mode->columns && stack_effect(e, 0, 1);
	}
	if (op >= 0x08 && op <= 0x0f) { /* DW_OP_const1u to DW_OP_const8s */
		cursor_skip(c, sizes[op - 0x08]);
		return stack_effect(e, 0, 1);
	}
	switch (op) {
	case 0x03: /* DW_OP_addr: libunwind does not add the load bias to the operand */
		cursor_skip(c, k->mode->word);
		return k->fixed && stack_effect(e, 0, 1);
	case 0x10: /* DW_OP_constu */
		cursor_uleb(c);
		return stack_effect(e, 0, 1);
	case 0x11: /* DW_OP_consts */
		cursor_sleb(c);
		return stack_effect(e, 0, 1);
	case 0x92: /* DW_OP_bregx */
		if (cursor_uleb(c) >= k->mode->columns)
			return false;
		cursor_sleb(c);
		return stack_effect(e, 0, 1);
	case 0x12: /* DW_OP_dup */
		return stack_effect(e, 1, 2);
	case 0x13: /* DW_OP_drop */
		return stack_effect(e, 1, 0);
	case 0x14: /* DW_OP_over */
		return stack_effect(e, 2, 3);
	case 0x15: /* DW_OP_pick */
		return cursor_uint(c, 1) < e->depth && stack_effect(e, 0, 1);
	case 0x16: /* DW_OP_swap */
		return stack_effect(e, 2, 2);
	case 0x17: /* DW_OP_rot */
		return stack_effect(e, 3, 3);
	case 0x94: /* DW_OP_deref_size */
		cursor_skip(c, 1);
		return stack_effect(e, 1, 1);
	case 0x23: /* DW_OP_plus_uconst */
		cursor_uleb(c);
		return stack_effect(e, 1, 1);
	case 0x06: /* DW_OP_deref, DW_OP_abs, DW_OP_neg, DW_OP_not */
	case 0x19:
	case 0x1f:
	case 0x20:
		return stack_effect(e, 1, 1);
	case 0x28: /* DW_OP_bra */
		return check_jump(e, false);
	case 0x2f: /* DW_OP_skip */
		return check_jump(e, true);
	case 0x96: /* DW_OP_nop */
		return true;
	case 0x18: /* DW_OP_xderef */
	case 0x1b: /* DW_OP_div: INT64_MIN / -1 raises SIGFPE in an unwinder that does not check the
		      operands */
		return false;
	/* the remaining operations from DW_OP_and to DW_OP_ne pop two values and push one */
	default:
		return op >= 0x1a && op <= 0x2e && stack_effect(e, 2, 1);
	}
}

/*
 * Checks an expression. `given` is the number of values on the evaluation stack at the start. If
 * `location` is set, the result of the expression is the place where a value is stored, which may
 * be a register. Returns false if the expression is refused.
 */
static bool check_expression(struct check *k, unsigned given, bool location)
{
	uint64_t len = cursor_uleb(&k->c);
	const uint8_t *p = cursor_skip(&k->c, len);
	struct expression e = {.c = {p, p + len, false}, .depth = given};

	if (k->c.bad || !len)
		return false;
	if (location && len == 1 && p[0] >= 0x50 && p[0] <= 0x6f) /* DW_OP_reg0 to DW_OP_reg31 */
		return p[0] - 0x50u < k->mode->columns;
	while (e.c.p < e.c.end) {
		if (!check_meeting(&e) || !check_operation(k, &e, cursor_uint(&e.c, 1)) || e.c.bad)
			return false;
	}
	return check_meeting(&e) && !e.dead && e.depth;
}

/*
 * Checks the operands of a CFI instruction whose two high bits are zero (DWARF 5, 7.24). Returns
 * false if the instruction is refused.
 */
static bool check_instruction(struct check *k, uint8_t op)
{
	struct cursor *c = &k->c;

	switch (op) {
	case 0x00: /* DW_CFA_nop */
		return true;
	case 0x02: /* DW_CFA_advance_loc1, DW_CFA_advance_loc2, DW_CFA_advance_loc4 */
	case 0x03:
	case 0x04:
		cursor_skip(c, 1u << (op - 2));
		return true;
	case 0x06: /* DW_CFA_restore_extended */
		return !k->initial && check_ruled(k);
	case 0x07: /* DW_CFA_undefined, DW_CFA_same_value */
	case 0x08:
		return check_ruled(k);
	case 0x0d: /* DW_CFA_def_cfa_register */
		return check_column(k);
	case 0x05: /* DW_CFA_offset_extended, DW_CFA_val_offset,
		      DW_CFA_GNU_negative_offset_extended; DW_CFA_def_cfa */
	case 0x14:
	case 0x2f:
	case 0x0c:
		if (!(op == 0x0c ? check_column(k) : check_ruled(k)))
			return false;
		cursor_uleb(c);
		return true;
	case 0x09: /* DW_CFA_register */
		return check_ruled(k) && check_column(k);
	case 0x11: /* DW_CFA_offset_extended_sf, DW_CFA_val_offset_sf; DW_CFA_def_cfa_sf */
	case 0x15:
	case 0x12:
		if (!(op == 0x12 ? check_column(k) : check_ruled(k)))
			return false;
		cursor_sleb(c);
		return true;
	case 0x0a: /* DW_CFA_remember_state */
		return ++k->states <= STATES_MAX;
	case 0x0b: /* DW_CFA_restore_state */
		return k->states-- > 0;
	case 0x2d: /* DW_CFA_AARCH64_negate_ra_state: unwind_space.c handles signed addresses */
		return k->mode->signs_ra;
	case 0x0e: /* DW_CFA_def_cfa_offset, DW_CFA_GNU_args_size */
	case 0x2e:
		cursor_uleb(c);
		return true;
	case 0x13: /* DW_CFA_def_cfa_offset_sf */
		cursor_sleb(c);
		return true;
	case 0x0f: /* DW_CFA_def_cfa_expression */
		return check_expression(k, 0, false);
	case 0x10: /* DW_CFA_expression */
		return check_ruled(k) && check_expression(k, 1, true);
	case 0x16: /* DW_CFA_val_expression */
		return check_ruled(k) && check_expression(k, 1, false);
	default: /* DW_CFA_set_loc is refused too. Its operand has the pointer encoding of the old
		    CIE, which the new CIE does not use. */
		return false;
	}
}

static bool check_program(const struct arch_mode *mode, bool fixed, bool initial, const uint8_t *p,
			  const uint8_t *end)
{
	struct check k = {{p, end, false}, mode, fixed, initial, 0};

	while (k.c.p < k.c.end) {
		uint8_t op = cursor_uint(&k.c, 1), low = op & 0x3f;

		switch (op & 0xc0) {
		case 0x40: /* DW_CFA_advance_loc */
			break;
		case 0x80: /* DW_CFA_offset */
			cursor_uleb(&k.c);
			if (low >= mode->rules)
				return false;
			break;
		case 0xc0: /* DW_CFA_restore */
			if (initial || low >= mode->rules)
				return false;
			break;
		default:
			if (!check_instruction(&k, low))
				return false;
		}
		if (k.c.bad)
			return false;
	}
	return true;
}

/* Writing the new records */

/* Ends the record that starts at `start`: pads it with nops and stores its length. */
static void end_record(struct strbuf *b, size_t start)
{
	uint32_t len;

	while (b->len % 8)
		strbuf_putc(b, 0);
	len = b->len - start - sizeof(len);
	memcpy(b->data + start, &len, sizeof(len));
}

static void write_records(struct cfi_record *r, const struct cfi_fde *d, uint64_t bias)
{
	struct strbuf *b = &r->bytes;

	b->len = 0;
	put_uint(b, 0, 4); /* placeholder for the length, which end_record() stores */
	put_uint(b, 0, 4); /* CIE id */
	put_uint(b, 1, 1); /* version */
	strbuf_add(b, d->signal ? "zRS" : "zR", d->signal ? 4 : 3);
	put_uleb(b, d->code_align);
	put_sleb(b, d->data_align);
	put_uint(b, d->ra, 1);
	put_uleb(b, 1);
	put_uint(b, 0, 1); /* DW_EH_PE_absptr */
	strbuf_add(b, (const char *)d->initial, d->initial_end - d->initial);
	end_record(b, 0);
	r->fde = b->len;
	put_uint(b, 0, 4);
	put_uint(b, b->len, 4); /* CIE pointer: the distance from this field back to the CIE */
	put_uint(b, d->lo + bias, 8);
	put_uint(b, d->hi - d->lo, 8);
	put_uleb(b, 0);
	strbuf_add(b, (const char *)d->program, d->program_end - d->program);
	end_record(b, r->fde);
}

int cfi_record_make(struct cfi_record *r, struct elf_file *f, const struct arch_mode *mode,
		    uint64_t addr, uint64_t bias)
{
	bool fixed = f->type == ET_EXEC && !bias;
	struct cfi_fde d;
	int err = cfi_fde_get(f, addr, &d);

	if (err)
		return err;
	if (mode->word != 8 || d.ra >= mode->columns || !d.code_align ||
	    !check_program(mode, fixed, true, d.initial, d.initial_end) ||
	    !check_program(mode, fixed, false, d.program, d.program_end)) {
		err = -EINVAL;
	} else {
		r->lo = d.lo + bias;
		r->hi = d.hi + bias;
		r->signal = d.signal;
		write_records(r, &d, bias);
	}
	cfi_fde_free(&d);
	return err;
}
