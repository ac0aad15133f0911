/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/cfi.h"
#include "util/cursor.h"

/*
 * Evaluates DWARF expressions (DWARF 5, sections 2.5 and 7.7.1). Supports the operations that
 * compilers use in call frame information: constants, registers, memory reads, arithmetic, stack
 * operations and jumps. All other operations are errors.
 */
#define STACK_MAX 64
#define STEPS_MAX 4096

struct eval {
	const struct cfi_machine *m;
	uint64_t s[STACK_MAX];
	unsigned n;
	int err;
};

static void push(struct eval *e, uint64_t v)
{
	if (e->n == STACK_MAX)
		e->err = -EINVAL;
	else
		e->s[e->n++] = e->m->mode->word == 4 ? (uint32_t)v : v;
}

static uint64_t pop(struct eval *e)
{
	if (!e->n) {
		e->err = -EINVAL;
		return 0;
	}
	return e->s[--e->n];
}

static void push_reg(struct eval *e, uint64_t reg, int64_t off)
{
	if (reg >= e->m->mode->columns || !(e->m->valid & 1ull << reg))
		e->err = -EINVAL;
	else
		push(e, e->m->reg[reg] + off);
}

static void deref(struct eval *e, uint64_t size)
{
	uint64_t addr = pop(e), v = 0;

	if (!size || size > e->m->mode->word)
		e->err = -EINVAL;
	if (e->err)
		return;
	if (!e->m->read(e->m->ctx, addr, &v, size))
		e->err = -EFAULT;
	else
		push(e, v);
}

static int64_t as_signed(const struct eval *e, uint64_t v)
{
	return e->m->mode->word == 4 ? (int32_t)v : (int64_t)v;
}

static void pick(struct eval *e, uint64_t i)
{
	if (i >= e->n)
		e->err = -EINVAL;
	else
		push(e, e->s[e->n - 1 - i]);
}

static void binary(struct eval *e, uint8_t op)
{
	uint64_t b = pop(e), a = pop(e);
	int64_t sa = as_signed(e, a), sb = as_signed(e, b);
	unsigned bits = e->m->mode->word * 8;

	switch (op) {
	case 0x1a:
		push(e, a & b);
		break;
	case 0x1b:
		if (!sb || (sb == -1 && sa == INT64_MIN))
			e->err = -EINVAL;
		else
			push(e, sa / sb);
		break;
	case 0x1c:
		push(e, a - b);
		break;
	case 0x1d:
		if (!b)
			e->err = -EINVAL;
		else
			push(e, a % b);
		break;
	case 0x1e:
		push(e, a * b);
		break;
	case 0x21:
		push(e, a | b);
		break;
	case 0x22:
		push(e, a + b);
		break;
	case 0x24:
		push(e, b < bits ? a << b : 0);
		break;
	case 0x25:
		push(e, b < bits ? a >> b : 0);
		break;
	case 0x26:
		push(e, b < bits ? sa >> b : sa < 0 ? -1 : 0);
		break;
	case 0x27:
		push(e, a ^ b);
		break;
	case 0x29:
		push(e, sa == sb);
		break;
	case 0x2a:
		push(e, sa >= sb);
		break;
	case 0x2b:
		push(e, sa > sb);
		break;
	case 0x2c:
		push(e, sa <= sb);
		break;
	case 0x2d:
		push(e, sa < sb);
		break;
	case 0x2e:
		push(e, sa != sb);
		break;
	default:
		e->err = -EINVAL;
	}
}

static void branch(struct eval *e, struct cursor *c, const uint8_t *start, bool taken)
{
	int64_t by = cursor_int(c, 2);

	if (c->bad || by < start - c->p || by > c->end - c->p)
		e->err = -EINVAL;
	else if (taken)
		c->p += by;
}

static void stack_op(struct eval *e, struct cursor *c, uint8_t op)
{
	uint64_t a, b, d;

	switch (op) {
	case 0x12: /* DW_OP_dup */
		pick(e, 0);
		break;
	case 0x13: /* DW_OP_drop */
		pop(e);
		break;
	case 0x14: /* DW_OP_over */
		pick(e, 1);
		break;
	case 0x15: /* DW_OP_pick */
		pick(e, cursor_uint(c, 1));
		break;
	case 0x16: /* DW_OP_swap */
		a = pop(e);
		b = pop(e);
		push(e, a);
		push(e, b);
		break;
	case 0x17: /* DW_OP_rot */
		a = pop(e);
		b = pop(e);
		d = pop(e);
		push(e, a);
		push(e, d);
		push(e, b);
		break;
	default:
		e->err = -EINVAL;
	}
}

static void constant(struct eval *e, struct cursor *c, uint8_t op)
{
	static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8};

	if (op == 0x10)
		push(e, cursor_uleb(c));
	else if (op == 0x11)
		push(e, cursor_sleb(c));
	else if (op & 1)
		push(e, cursor_int(c, sizes[op - 0x08]));
	else
		push(e, cursor_uint(c, sizes[op - 0x08]));
}

static void operation(struct eval *e, struct cursor *c, const uint8_t *start, uint8_t op)
{
	uint64_t reg;
	int64_t v;

	if (op >= 0x30 && op <= 0x4f) { /* DW_OP_lit0 to DW_OP_lit31 */
		push(e, op - 0x30);
	} else if (op >= 0x70 && op <= 0x8f) { /* DW_OP_breg0 to DW_OP_breg31 */
		push_reg(e, op - 0x70, cursor_sleb(c));
	} else if (op >= 0x08 && op <= 0x11) {
		constant(e, c, op);
	} else if (op >= 0x12 && op <= 0x17) {
		stack_op(e, c, op);
	} else {
		switch (op) {
		/* DW_OP_addr would need the load bias, and compilers do not emit it in CFI. */
		case 0x03:
			e->err = -EINVAL;
			break;
		case 0x06: /* DW_OP_deref */
			deref(e, e->m->mode->word);
			break;
		case 0x94: /* DW_OP_deref_size */
			deref(e, cursor_uint(c, 1));
			break;
		case 0x19: /* DW_OP_abs */
			v = as_signed(e, pop(e));
			push(e, v < 0 ? -(uint64_t)v : (uint64_t)v);
			break;
		case 0x1f: /* DW_OP_neg */
			push(e, -pop(e));
			break;
		case 0x20: /* DW_OP_not */
			push(e, ~pop(e));
			break;
		case 0x23: /* DW_OP_plus_uconst */
			reg = cursor_uleb(c);
			push(e, pop(e) + reg);
			break;
		case 0x28: /* DW_OP_bra */
			branch(e, c, start, pop(e));
			break;
		case 0x2f: /* DW_OP_skip */
			branch(e, c, start, true);
			break;
		case 0x92: /* DW_OP_bregx */
			reg = cursor_uleb(c);
			push_reg(e, reg, cursor_sleb(c));
			break;
		case 0x96: /* DW_OP_nop */
			break;
		default:
			binary(e, op);
		}
	}
}

int cfi_expr(const struct cfi_machine *m, const uint8_t *expr, size_t len, bool has_cfa,
	     uint64_t cfa, uint64_t *result)
{
	struct cursor c = {expr, expr + len, false};
	struct eval e = {.m = m};
	unsigned steps = 0;

	if (has_cfa)
		push(&e, cfa);
	while (c.p < c.end) {
		if (++steps > STEPS_MAX)
			return -EINVAL; /* the expression probably loops forever */
		operation(&e, &c, expr, cursor_uint(&c, 1));
		if (e.err)
			return e.err;
		if (c.bad)
			return -EINVAL;
	}
	if (!e.n)
		return -EINVAL;
	*result = e.s[e.n - 1];
	return 0;
}
