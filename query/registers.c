/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/registers.h"

#include <string.h>

#include "decode/core/decode.h"
#include "linux/syscall_desc.h"
#include "query/eval.h"
#include "query/types.h"

/* The values that a register can have in calls that the query matches. */
struct range {
	bool limited;
	unsigned width; /* in bytes; the register is truncated to this width */
	value_number min, max;
	uint64_t bits; /* bits that are set in all of the values */
};

/* The values that each register can have in calls that the query matches. */
struct ranges {
	bool never; /* true if the query cannot match */
	struct range of[SYSCALL_ARGS_MAX];
};

/* A syscall or a variant of one, with its arguments in the order of their registers. */
struct form {
	const struct query_subject *subject;
	const struct eval_row *row;
	const struct abi *abi;
	const struct arg_desc *args[2 * SYSCALL_ARGS_MAX];
	unsigned regs[2 * SYSCALL_ARGS_MAX];
	size_t n;
	/* true if the registers of the following arguments are not known */
	bool ended;
};

/* ---- the arguments of a form ---- */

static void add_args(struct form *f, const struct arg_desc *args, size_t n, unsigned *reg)
{
	for (size_t i = 0; i < n && !f->ended; i++) {
		const struct arg_desc *a = &args[i];

		if (a->phase >= PHASE_HOOK_ENTER)
			continue;
		/*
		 * An argument with one of these flags may occupy two registers. The registers of
		 * the following arguments are then not known.
		 */
		f->ended = f->n == ARRAY_SIZE(f->args) || a->type.flags & TYPE_F_HALVES ||
			   (a->type.flags & TYPE_F_SPLIT && (f->abi->splits64 || f->abi->pairs64));
		if (f->ended)
			return;
		if (a->reg)
			*reg = a->reg - 1u;
		f->args[f->n] = a;
		f->regs[f->n++] = (*reg)++;
	}
}

/*
 * Returns true if the argument always exists, and its value is the number in its register,
 * truncated to the width of the type.
 */
static bool is_register(const struct form *f, size_t i)
{
	const struct arg_desc *a = f->args[i];
	const struct type *t = &a->type;
	const uint32_t harmless = TYPE_F_AT | TYPE_F_SPLIT | TYPE_F_ZERO | TYPE_F_DECIMAL;

	return a->phase == PHASE_IN && !a->when && !a->cond && f->regs[i] < SYSCALL_ARGS_MAX &&
	       !(t->flags & ~harmless) && decode_width(f->abi, t->width) <= f->abi->long_size &&
	       (t->ops == &type_int || t->ops == &type_uint || t->ops == &type_hex ||
		t->ops == &type_fd || t->ops == &type_umode || t->ops == &type_flags ||
		(t->ops == &type_enum && !t->is_signed));
}

/*
 * Finds the argument of a field. Sets *i to its index, or to f->n if the register is not known.
 * Returns false if the form does not have the field.
 */
static bool find(const struct form *f, const struct field_ref *field, size_t *i)
{
	size_t found = 0;

	*i = f->n;
	for (size_t k = 0; k < f->n; k++) {
		const struct arg_desc *a = f->args[k];
		const bool is_fd = a->type.ops == &type_fd;

		/*
		 * A function may decode the argument as a descriptor, and AT_FDCWD is not a
		 * descriptor, so the register alone does not determine the field in these cases.
		 */
		if (field->kind == FIELD_FD && (!is_register(f, k) || a->type.flags & TYPE_F_AT))
			return true;
		if (field->kind == FIELD_FD ? !is_fd : strcmp(a->name, field->argument) != 0)
			continue;
		if (!found++)
			*i = k;
		if (field->kind == FIELD_FD)
			break;
	}
	if (found > 1 || (found && !is_register(f, *i)))
		*i = f->n;
	return found || f->ended;
}

/* ---- comparisons ---- */

/* Returns the number of a literal for arguments of type `t`. */
static value_number number_of(const struct literal *l, const struct type *t, unsigned width)
{
	uint64_t bits = 0;

	if (!l->constants)
		return l->number;
	for (size_t i = 0; i < l->nnames; i++) {
		const struct constant *c = &l->constants[i];
		uint64_t num = c->num;

		for (size_t k = 0; k < c->n && c->n >= 2; k++)
			if (t->xlat && c->values[k].table == t->xlat)
				num = c->values[k].num;
		bits |= num;
	}
	if (!t->is_signed)
		return bits;
	return width == sizeof(uint64_t) ? (value_number)(int64_t)bits
					 : (value_number)(int32_t)bits;
}

/* Returns the flags that a value must have for a comparison with `has`. */
static uint64_t flags_of(const struct literal *l, const struct type *t)
{
	uint64_t bits = 0;

	if (!l->constants)
		return (uint64_t)l->number;
	for (size_t i = 0; i < l->nnames; i++) {
		const struct constant *c = &l->constants[i];

		for (size_t k = 0; k < c->n; k++)
			if (c->values[k].table == t->xlat)
				bits |= c->values[k].num;
	}
	return bits;
}

static struct range range_of(const struct node *n, const struct type *t, unsigned width)
{
	const value_number values = (value_number)1 << 8 * width;
	struct range all = {.limited = true, .width = width, .max = values - 1}, r;

	if (t->is_signed) {
		all.min = -(values / 2);
		all.max = values / 2 - 1;
	}
	if (n->kind == NODE_HAS && t->ops == &type_flags) {
		all.bits = flags_of(n->literals, t);
		return all;
	}
	r = all;
	r.min = all.max;
	r.max = all.min;
	for (size_t i = 0; i < n->nliterals; i++) {
		value_number number = number_of(&n->literals[i], t, width);

		if (n->literals[i].kind == LITERAL_STRING ||
		    (n->literals[i].kind == LITERAL_NAMES && !n->literals[i].constants))
			return (struct range){0};
		if (!t->is_signed && number < 0)
			number &= all.max;
		r.min = value_number_min(r.min, number);
		r.max = value_number_max(r.max, number);
	}
	switch (n->kind) {
	case NODE_EQUAL:
		break;
	case NODE_LESS:
	case NODE_AT_MOST:
		r.min = all.min;
		r.max -= n->kind == NODE_LESS;
		break;
	case NODE_MORE:
	case NODE_AT_LEAST:
		r.min += n->kind == NODE_MORE;
		r.max = all.max;
		break;
	case NODE_IS:
		r = all;
		r.min = t->is_signed ? all.min : 1;
		break;
	default:
		return (struct range){0};
	}
	r.min = value_number_max(r.min, all.min);
	r.max = value_number_min(r.max, all.max);
	return r;
}

static bool is_argument(const struct field_ref *field)
{
	return field->kind == FIELD_FD || (field->kind == FIELD_ARGUMENT && !field->nsteps);
}

static struct ranges of_comparison(const struct form *f, const struct node *n)
{
	struct ranges r = {0};
	const struct type *t;
	size_t i;

	if (!is_argument(&n->field))
		return r;
	r.never = !find(f, &n->field, &i);
	if (r.never || i == f->n)
		return r;
	t = &f->args[i]->type;
	r.of[f->regs[i]] = range_of(n, t, decode_width(f->abi, t->width));
	r.never = r.of[f->regs[i]].limited && r.of[f->regs[i]].min > r.of[f->regs[i]].max;
	return r;
}

/* ---- trees ---- */

static struct ranges both(const struct ranges *a, const struct ranges *b)
{
	struct ranges r = *a;

	r.never |= b->never;
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		struct range *x = &r.of[i];
		const struct range *y = &b->of[i];

		if (!x->limited) {
			*x = *y;
		} else if (y->limited && x->width == y->width) {
			x->min = value_number_max(x->min, y->min);
			x->max = value_number_min(x->max, y->max);
			x->bits |= y->bits;
			r.never |= x->min > x->max;
		}
	}
	return r;
}

static struct ranges either(const struct ranges *a, const struct ranges *b)
{
	struct ranges r = *a;

	if (a->never || b->never)
		return a->never ? *b : *a;
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		struct range *x = &r.of[i];
		const struct range *y = &b->of[i];

		x->limited &= y->limited && x->width == y->width;
		x->min = value_number_min(x->min, y->min);
		x->max = value_number_max(x->max, y->max);
		x->bits &= y->bits;
	}
	return r;
}

static struct ranges of(const struct form *f, const struct node *n)
{
	struct ranges a = {0}, b;

	if (eval_node(n, f->subject, f->row) == TRUTH_NO)
		return (struct ranges){.never = true};
	switch (n->kind) {
	case NODE_AND:
	case NODE_OR:
		a = of(f, n->a);
		b = of(f, n->b);
		return n->kind == NODE_AND ? both(&a, &b) : either(&a, &b);
	case NODE_NOT:
		return a;
	default:
		return of_comparison(f, n);
	}
}

static void store(const struct ranges *r, struct query_registers *registers)
{
	registers->n = 0;
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX && !r->never; i++) {
		const struct range *x = &r->of[i];
		const uint64_t mask = UINT64_MAX >> (64 - 8 * (x->limited ? x->width : 8));
		const struct query_register q = {.reg = i,
						 .mask = mask,
						 .min = (uint64_t)x->min & mask,
						 .span = (uint64_t)(x->max - x->min) & mask,
						 .bits = x->bits & mask};

		if (x->limited && (q.span != mask || q.bits))
			registers->of[registers->n++] = q;
	}
}

void query_registers(const struct query *q, const struct abi *abi, uint64_t nr,
		     struct query_registers *registers)
{
	const int row = abi_row(abi, nr);
	const struct syscall_desc *desc = &syscall_descs[row];
	const struct variants *v = desc->variants;
	const struct eval_row facts = {.classes = syscall_desc_classes(desc),
				       .forms = types_of_row(desc)};
	struct syscall_event e = {
		.abi = abi, .row = row, .base = {.nr = nr, .abi = abi->index, .name = desc->name}};
	const struct query_subject s = {.base = &e.base, .call = &e};
	struct ranges all = {.never = true}, r;

	for (unsigned i = 0; i <= (v ? v->n : 0); i++) {
		struct form f = {.subject = &s, .row = &facts, .abi = abi};
		const struct syscall_desc *d = i ? &v->rows[i - 1].desc : desc;
		unsigned reg = 0;

		if (i && !v->rows[i - 1].whole)
			add_args(&f, v->key->prefix, v->key->nprefix, &reg);
		add_args(&f, d->args, d->nargs, &reg);
		r = of(&f, q->root);
		all = either(&all, &r);
	}
	store(&all, registers);
}
