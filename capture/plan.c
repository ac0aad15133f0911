/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/plan.h"

#include <string.h>

#include "capture/memory.h"
#include "util/byte_order.h"
#include "util/mem.h"

#define PAGE  4096u
#define BATCH 64
/* Maximum size in bytes of a read that is extended to include several strings of a list. */
#define JOINED_MAX 4096u
/* Size in bytes of the first read of a string, and of a list of pointers. */
#define STRING_PIECE 256
#define LIST_PIECE   512

/* The state of one run of a plan by plan_run(). */
struct run {
	const struct plan *plan;
	const struct plan_call *call;
	const struct plan_limits *limits;
	struct arena *arena;
	struct plan_read *reads;
	unsigned n, max;
	/* Op i consists of count[i] reads, starting with reads[first[i]]. */
	unsigned first[PLAN_OPS_MAX], count[PLAN_OPS_MAX];
};

static uint8_t depth_after(const struct plan *p, const struct plan_number *n)
{
	return n->source == PLAN_FIELD && n->op >= 0 ? p->ops[n->op].depth + 1 : 0;
}

int plan_add(struct plan *p, struct plan_op op)
{
	uint8_t depth = op.place == PLAN_ARGUMENT ? 0 : p->ops[op.parent].depth + 1;

	depth = size_max(depth, depth_after(p, &op.count));
	if (op.mask)
		depth = size_max(depth, depth_after(p, &op.condition));
	if (p->n == PLAN_OPS_MAX || depth > PLAN_DEPTH_MAX) {
		p->whole = false;
		return -1;
	}
	op.depth = depth;
	if (!op.bound || op.bound > PLAN_BYTES_MAX)
		op.bound = PLAN_BYTES_MAX;
	p->ops[p->n] = op;
	return p->n++;
}

uint32_t plan_step(const struct plan_op *op)
{
	if (op->kind == PLAN_POINTERS)
		return op->pointer;
	return op->unit > 1 ? op->unit : PLAN_BYTES_MAX;
}

uint32_t plan_stride(const struct plan_op *op)
{
	if (op->kind == PLAN_POINTERS)
		return op->pointer;
	return op->unit ? op->unit : 1;
}

static bool load(const struct run *run, const struct plan_read *r, uint32_t element, uint32_t unit,
		 uint16_t offset, uint8_t width, uint64_t *n)
{
	uint64_t at = (uint64_t)element * unit + offset;

	width = width ? width : 8;
	if (at + width > r->got)
		return false;
	*n = load_uint(r->bytes + at, width, run->call->big_endian);
	return true;
}

/*
 * Sets *out to the value of the number *n, which a read needs, for example as its length. The
 * read's address comes from element `element` of reads[from], or from an argument if `from` is -1.
 * A field is read from that element or from its closest ancestor that belongs to the field's op. If
 * there is no such ancestor, the field is read from the first element of the field's op. Returns
 * false if the number is unknown or invalid.
 */
static bool number(const struct run *r, const struct plan_number *n, int from, uint32_t element,
		   uint64_t *out)
{
	const struct plan_call *call = r->call;
	unsigned width = n->width ? n->width : 8;
	uint64_t mask = width < 8 ? (1ull << 8 * width) - 1 : UINT64_MAX;

	switch ((enum plan_source)n->source) {
	case PLAN_CONSTANT:
		*out = n->n;
		return true;
	case PLAN_ARG:
		*out = call->args[n->n] & mask;
		return true;
	case PLAN_IOC_SIZE:
		*out = call->args[n->n] >> 16 & 0x3fff;
		return true;
	case PLAN_ARG_INT:
		*out = (uint32_t)call->args[n->n];
		return (int32_t)*out >= 0;
	case PLAN_RESULT:
		*out = call->result;
		return call->has_result && call->result >= 0;
	case PLAN_FIELD:
		break;
	}
	while (from >= 0 && r->reads[from].op != n->op) {
		element = r->reads[from].element;
		from = r->reads[from].from;
	}
	if (from < 0) {
		if (!r->count[n->op])
			return false;
		from = r->first[n->op];
		element = 0;
	}
	return load(r, &r->reads[from], element, plan_step(&r->plan->ops[n->op]), n->offset,
		    n->width, out);
}

/* Returns the number of bytes that op reads from one address, or 0 if op must not be read there. */
static uint64_t length(const struct run *r, const struct plan_op *op, int from, uint32_t element)
{
	uint64_t limit = size_min(op->bound, r->limits->bytes[op->limit]), count, n;

	if (op->mask &&
	    (!number(r, &op->condition, from, element, &n) || (n & op->mask) != op->value))
		return 0;
	if (op->kind != PLAN_BYTES)
		return limit;
	if (!number(r, &op->count, from, element, &count))
		return 0;
	if (op->limit == PLAN_ELEMENTS)
		count = size_min(count, r->limits->elements);
	if (__builtin_mul_overflow(count, plan_stride(op), &n))
		n = UINT64_MAX;
	return size_min(n, limit);
}

/*
 * Tries to read a string of n bytes at addr together with the previous string of op i, because the
 * strings of a list are usually adjacent in memory. If the string starts shortly after the previous
 * one, extends the read of the previous string to include both and returns true.
 */
static bool join(struct run *r, unsigned i, uint64_t addr, uint64_t n)
{
	const struct plan_op *op = &r->plan->ops[i];
	struct plan_read *last = &r->reads[r->n - 1];

	if (!r->limits->ahead || op->kind != PLAN_STRING || op->place != PLAN_POINTER ||
	    !r->count[i] || addr < last->addr + last->last || addr - last->addr + n > JOINED_MAX)
		return false;
	last->last = addr - last->addr;
	last->wanted = last->last + n;
	return true;
}

static void add_read(struct run *r, unsigned i, uint64_t addr, int from, uint32_t element)
{
	uint64_t n;

	if (!addr)
		return;
	n = length(r, &r->plan->ops[i], from, element);
	if (n && n - 1 > UINT64_MAX - addr)
		n = UINT64_MAX - addr + 1;
	if (!n || join(r, i, addr, n) || r->n == r->max)
		return;
	r->reads[r->n++] = (struct plan_read){
		.addr = addr, .wanted = n, .op = i, .from = from, .element = element};
	r->count[i]++;
}

/*
 * Adds the reads of op i: one read, or (PLAN_POINTER) one for each pointer in the data of the op's
 * parent, or (PLAN_RELATIVE) one for each read of the parent.
 */
static void add_reads(struct run *r, unsigned i)
{
	const struct plan_op *op = &r->plan->ops[i];

	r->first[i] = r->n;
	r->count[i] = 0;
	if (op->place == PLAN_ARGUMENT) {
		add_read(r, i, r->call->args[op->arg], -1, 0);
		return;
	}
	for (unsigned k = 0; k < r->count[op->parent]; k++) {
		int from = r->first[op->parent] + k;
		uint32_t unit = plan_step(&r->plan->ops[op->parent]);
		uint64_t addr;

		if (op->place == PLAN_RELATIVE) {
			add_read(r, i, r->reads[from].addr + op->offset, from, 0);
			continue;
		}
		for (uint32_t e = 0;
		     load(r, &r->reads[from], e, unit, op->offset, op->pointer, &addr); e++) {
			if (!addr && r->plan->ops[op->parent].kind == PLAN_POINTERS)
				break;
			add_read(r, i, addr, from, e);
		}
	}
}

/*
 * Returns the length in bytes of a string or a list of pointers, including the NUL or the null
 * pointer at its end. Returns 0 if the n bytes do not contain this end.
 */
static size_t ends_at(const struct plan_op *op, const uint8_t *bytes, size_t n)
{
	static const uint8_t null[8];
	const uint8_t *nul;

	if (op->kind == PLAN_STRING) {
		nul = memchr(bytes, 0, n);
		return nul ? nul - bytes + 1 : 0;
	}
	for (size_t i = 0; i + op->pointer <= n; i += op->pointer)
		if (!memcmp(bytes + i, null, op->pointer))
			return i + op->pointer;
	return 0;
}

/*
 * Returns the number of bytes to read next, or 0 if the read is complete. A string or a list of
 * pointers is read in parts: first a short one, then up to the end of each page, so that no page
 * after its end is read. If `ahead` is set in the limits, a list of pointers is read in one piece.
 */
static size_t next_piece(const struct run *r, struct plan_read *read)
{
	const struct plan_op *op = &r->plan->ops[read->op];
	size_t piece = PAGE - (read->addr + read->got) % PAGE, end;

	if (op->kind != PLAN_BYTES && read->got > read->last) {
		end = ends_at(op, read->bytes + read->last, read->got - read->last);
		if (end) {
			read->wanted = read->got = read->last + end;
			read->error = 0;
		}
	}
	if (read->error || read->got >= read->wanted)
		return 0;
	if (op->kind == PLAN_BYTES || (op->kind == PLAN_POINTERS && r->limits->ahead))
		piece = read->wanted;
	else if (!read->got && op->kind == PLAN_POINTERS)
		piece = size_min(piece, LIST_PIECE);
	else if (!read->got)
		piece = read->last +
			size_min(STRING_PIECE, PAGE - (read->addr + read->last) % PAGE);
	return size_min(piece, read->wanted - read->got);
}

/*
 * Stores the result of an attempt to read n more bytes. `got` is the number of bytes read, or
 * -errno.
 */
static void record_result(struct plan_read *read, ssize_t got, size_t n)
{
	if (got < 0)
		read->error = got;
	else if ((read->got += got, (size_t)got < n))
		read->error = -EFAULT;
}

/* Reads that are made in one call. ops[i] reads the next part of the read *reads[i]. */
struct batch {
	unsigned n;
	struct memory_op ops[BATCH];
	struct plan_read *reads[BATCH];
};

static void batch_add(struct run *r, struct batch *b, struct plan_read *read, size_t piece)
{
	uint8_t *bytes = arena_alloc(r->arena, read->got + piece);

	if (read->got)
		memcpy(bytes, read->bytes, read->got);
	read->bytes = bytes;
	b->reads[b->n] = read;
	b->ops[b->n++] = (struct memory_op){
		.addr = read->addr + read->got, .buf = bytes + read->got, .n = piece};
}

static void batch_read(struct run *r, struct batch *b)
{
	memory_read_batch(r->call->memory, b->ops, b->n);
	for (unsigned i = 0; i < b->n; i++)
		record_result(b->reads[i], b->ops[i].got, b->ops[i].n);
	b->n = 0;
}

/*
 * Makes all reads with index `from` and above, in several rounds. Each round reads the next part of
 * every read that is not complete.
 */
static void make_reads(struct run *r, unsigned from)
{
	struct batch b;
	bool more;

	do {
		more = false;
		b.n = 0;
		for (unsigned i = from; i < r->n; i++) {
			size_t piece = next_piece(r, &r->reads[i]);

			if (!piece)
				continue;
			more = true;
			batch_add(r, &b, &r->reads[i], piece);
			if (b.n == BATCH)
				batch_read(r, &b);
		}
		if (b.n)
			batch_read(r, &b);
	} while (more);
}

unsigned plan_run(const struct plan *p, const struct plan_call *call,
		  const struct plan_limits *limits, struct arena *arena, struct plan_read *reads,
		  unsigned max)
{
	struct run r = {.plan = p,
			.call = call,
			.limits = limits,
			.arena = arena,
			.reads = reads,
			.max = max};
	unsigned depth = 0, deepest = 0;

	do {
		unsigned from = r.n;

		for (unsigned i = 0; i < p->n; i++) {
			deepest = size_max(deepest, p->ops[i].depth);
			if (p->ops[i].depth == depth && (!p->ops[i].full || limits->full))
				add_reads(&r, i);
		}
		make_reads(&r, from);
	} while (++depth <= deepest && depth < limits->depth);
	return r.n;
}
