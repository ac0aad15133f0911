/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/reads.h"

#include "capture/plan.h"

/* Maximum size of a list of pointers in bytes. */
#define LIST_MAX 4096

/*
 * An op is one step of a read plan. The address of its memory is an argument, or comes from the
 * reads of its parent op. Returns the number of levels from the parent of op i up to the ancestor
 * `of`, or READ_ANY if `of` is not an ancestor of op i.
 */
static unsigned levels_up(const struct plan *p, unsigned i, int of)
{
	const struct plan_op *op = &p->ops[i];
	int at = op->place == PLAN_ARGUMENT ? -1 : op->parent;

	for (unsigned up = 0; at >= 0; up++) {
		if (at == of)
			return up;
		op = &p->ops[at];
		at = op->place == PLAN_ARGUMENT ? -1 : op->parent;
	}
	return READ_ANY;
}

static uint64_t width_mask(const struct plan_number *n)
{
	unsigned width = n->width ? n->width : 8;

	return n->source == PLAN_ARG_INT ? UINT32_MAX
	       : width < 8		 ? (1ull << 8 * width) - 1
					 : UINT64_MAX;
}

/*
 * Converts *n, a number of op i, to *out. For each earlier op of the plan, index[] contains the
 * index of the read to which that op was converted, or -1 if that op was skipped. Returns false if
 * the number cannot be converted.
 */
static bool make_number(const struct plan *p, unsigned i, const struct plan_number *n,
			const int *index, struct read_number *out)
{
	unsigned up;

	*out = (struct read_number){
		.source = n->source, .offset = n->offset, .n = n->n, .mask = width_mask(n)};
	if (n->source != PLAN_FIELD) {
		out->reg = n->n & 7;
		return true;
	}
	up = levels_up(p, i, n->op);
	if (n->op < 0 || index[n->op] < 0 || (up != READ_ANY && up > READ_UP_MAX) ||
	    plan_stride(&p->ops[n->op]) > UINT16_MAX)
		return false;
	out->op = index[n->op];
	out->up = up;
	out->stride = plan_stride(&p->ops[n->op]);
	out->n = n->width ? n->width : 8;
	return true;
}

static bool make_op(const struct plan *p, unsigned i, const struct plan_limits *limits,
		    const int *index, struct read_op *out)
{
	const struct plan_op *op = &p->ops[i], *parent = NULL;

	if (op->place != PLAN_ARGUMENT) {
		if (op->parent < 0 || index[op->parent] < 0)
			return false;
		parent = &p->ops[op->parent];
	}
	*out = (struct read_op){.kind = op->kind,
				.place = op->place,
				.reg = op->arg & 7,
				.pointer = op->pointer == 4 ? 4 : 8,
				.parent = parent ? index[op->parent] : 0,
				.list = parent && parent->kind == PLAN_POINTERS,
				.offset = op->offset,
				.parent_stride = parent ? plan_step(parent) : 0,
				.unit = plan_stride(op),
				.max = size_min(op->bound, limits->bytes[op->limit]),
				.elements =
					op->limit == PLAN_ELEMENTS ? limits->elements : UINT32_MAX,
				.mask = op->mask,
				.value = op->value};
	if (op->kind == PLAN_POINTERS)
		out->max = size_min(out->max, LIST_MAX);
	if (op->kind == PLAN_STRING)
		out->max = size_min(out->max, READ_PIECE);
	out->max = size_min(out->max, RECORD_FULL);
	return (op->kind != PLAN_BYTES || make_number(p, i, &op->count, index, &out->count)) &&
	       (!op->mask || make_number(p, i, &op->condition, index, &out->condition));
}

unsigned reads_of_plan(const struct plan *p, const struct plan_limits *limits, struct read_op *ops,
		       bool *whole)
{
	int index[PLAN_OPS_MAX];
	unsigned n = 0;

	*whole = p->whole;
	for (unsigned i = 0; i < p->n; i++) {
		index[i] = -1;
		if (p->ops[i].full && !limits->full)
			continue;
		if (make_op(p, i, limits, index, &ops[n]))
			index[i] = n++;
		else if (p->ops[i].place == PLAN_ARGUMENT || index[p->ops[i].parent] >= 0)
			*whole = false;
	}
	return n;
}
