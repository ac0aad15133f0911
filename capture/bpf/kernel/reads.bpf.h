/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the reads of a read plan, a list of memory that decoding needs. bpf_loop() calls
 * read_step() for each read or part of a read. The state of the loop is in struct scratch, so the
 * kernel's verifier needs to check read_step() only once.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_READS_H
#define TRACER_CAPTURE_BPF_KERNEL_READS_H

#include "capture/bpf/kernel/common.bpf.h"
#include "capture/plan.h"

#define STEPS_MAX 2048
/* All data of reads is below this offset in the record. */
#define DATA_MAX (RECORD_FULL + READ_PIECE)

/*
 * What the loop does next: repeat the step for the same op of the plan, continue with the next op,
 * end the loop, read a part of the data, or finish the current read.
 */
enum step { STEP_AGAIN, STEP_NEXT_OP, STEP_END, STEP_READ, STEP_FINISH };

static __always_inline struct read_made *made_at(struct scratch *s, uint64_t i)
{
	return &s->made[masked(i, MADE_MAX)];
}

/* Returns the eight bytes at an offset in the record. The offset need not be aligned. */
static __always_inline uint64_t data_at(struct scratch *s, uint64_t at)
{
	uint64_t word = 0;

	if (!setup.aligned)
		return *(volatile uint64_t *)(s->record + at);
	bpf_probe_read_kernel(&word, sizeof(word), s->record + at);
	return word;
}

/*
 * The source of the current read's address: an element in the data of an earlier read. `from` is
 * the index of the earlier read, and `element` is the index of the element in its data.
 */
struct origin {
	uint64_t from, element;
};

/*
 * Sets *value to the value of a field in the data of an earlier read. Returns false if the data
 * does not contain the field.
 */
static __always_inline bool field_of_read(struct scratch *s, const struct read_number *n,
					  const struct origin *origin, uint64_t *value)
{
	struct read_made *made;
	uint64_t at, element = 0, from;

	if (n->up == READ_ANY) {
		const uint64_t op = masked(n->op, READS_OF_ONE);

		if (!s->counts[op])
			return false;
		from = s->begins[op];
	} else {
		from = origin->from;
		element = origin->element;
#pragma unroll
		for (int up = 0; up < READ_UP_MAX; up++) {
			if (up < n->up) {
				made = made_at(s, from);
				element = made->element;
				from = made->from;
			}
		}
	}
	made = made_at(s, from);
	at = element * n->stride + n->offset;
	if (at + n->n > made->got)
		return false;
	at += made->data;
	if (!bounded(at, DATA_MAX))
		return false;
	*value = data_at(s, at) & n->mask;
	return true;
}

/*
 * Sets *value to the current value of *n, such as an argument or the call's result. Returns false
 * if the value is unknown or negative; then the read is skipped.
 */
static __always_inline bool number(struct scratch *s, const struct read_number *n,
				   const struct origin *origin, uint64_t *value)
{
	uint64_t arg;

	if (n->source == PLAN_CONSTANT) {
		*value = n->n;
		return true;
	}
	if (n->source == PLAN_FIELD)
		return field_of_read(s, n, origin, value);
	if (n->source == PLAN_RESULT) {
		*value = (uint64_t)s->result;
		return s->result >= 0;
	}
	arg = arg_of(s, n->reg);
	if (n->source == PLAN_IOC_SIZE) {
		*value = arg >> 16 & 0x3fff;
		return true;
	}
	*value = arg & n->mask;
	return n->source != PLAN_ARG_INT || *value <= INT32_MAX;
}

static __always_inline void begin_op(struct scratch *s, const struct read_op *op, uint64_t i)
{
	const uint64_t parent = masked(op->parent, READS_OF_ONE);

	i = masked(i, READS_OF_ONE);
	s->begins[i] = s->made_count;
	s->counts[i] = 0;
	s->begun = 1;
	s->element = 0;
	s->from = s->begins[parent];
	s->from_end = s->from + s->counts[parent];
}

/* Continues with the next read of the parent op. */
static __always_inline void next_from(struct scratch *s)
{
	s->from++;
	s->element = 0;
}

/* Sets *addr to the pointer in the next element of the data that the parent op has read. */
static __always_inline enum step pointer_in_read(struct scratch *s, const struct read_op *op,
						 const struct read_made *made,
						 struct origin *origin, uint64_t *addr)
{
	uint64_t at = s->element;

	origin->element = at;
	at = at * op->parent_stride + op->offset;
	if (at + op->pointer > made->got) {
		next_from(s);
		return STEP_AGAIN;
	}
	at += made->data;
	if (!bounded(at, DATA_MAX)) {
		next_from(s);
		return STEP_AGAIN;
	}
	s->element++;
	*addr = data_at(s, at);
	if (op->pointer == 4)
		*addr &= UINT32_MAX;
	/* A null pointer is the end of a list. */
	if (!*addr && op->list)
		next_from(s);
	return *addr ? STEP_READ : STEP_AGAIN;
}

/* Sets *addr to the address of the op's next read. */
static __always_inline enum step find_address(struct scratch *s, const struct read_op *op,
					      struct origin *origin, uint64_t *addr)
{
	const struct read_made *made;

	if (op->place == PLAN_ARGUMENT) {
		if (s->element)
			return STEP_NEXT_OP;
		s->element = 1;
		*addr = arg_of(s, op->reg);
		return *addr ? STEP_READ : STEP_AGAIN;
	}
	origin->from = s->from;
	if (origin->from >= s->from_end)
		return STEP_NEXT_OP;
	made = made_at(s, origin->from);
	if (op->place != PLAN_RELATIVE)
		return pointer_in_read(s, op, made, origin, addr);
	*addr = made->addr + op->offset;
	next_from(s);
	return *addr ? STEP_READ : STEP_AGAIN;
}

/* Returns the number of bytes to read, which may be 0. */
static __always_inline uint64_t find_length(struct scratch *s, const struct read_op *op,
					    const struct origin *origin)
{
	uint64_t n;

	if (op->mask && (!number(s, &op->condition, origin, &n) || (n & op->mask) != op->value))
		return 0;
	if (op->kind != PLAN_BYTES)
		return op->max;
	if (!number(s, &op->count, origin, &n))
		return 0;
	if (n > op->elements)
		n = op->elements;
	/*
	 * Each element has at least one byte. Limit n to op->max first, so that the product cannot
	 * overflow.
	 */
	if (n > op->max)
		n = op->max;
	n *= op->unit;
	return n < op->max ? n : op->max;
}

/* Starts the chunk of a read. Returns false if there is no space for it. */
static __always_inline bool begin_read(struct scratch *s, uint64_t addr, uint64_t length,
				       const struct origin *origin)
{
	struct chunk_head *h = chunk_at(s, s->used, RECORD_FULL);
	struct read_made *made;

	if (s->made_count >= MADE_MAX || !h)
		return false;
	begin_chunk(h, addr, -EFAULT, s->what);
	s->chunk = s->used;
	s->used += sizeof(*h);
	s->addr = addr;
	s->left = length;
	s->pages = 0;
	made = made_at(s, s->made_count);
	made->addr = addr;
	made->data = s->used;
	made->got = 0;
	made->from = origin->from;
	made->element = origin->element;
	return true;
}

static __always_inline enum step begin_next(struct scratch *s, const struct read_op *op, uint64_t i)
{
	struct origin origin = {0};
	uint64_t addr = 0, length;
	enum step found;

	if (!s->begun)
		begin_op(s, op, i);
	found = find_address(s, op, &origin, &addr);
	if (found != STEP_READ)
		return found;
	length = find_length(s, op, &origin);
	if (!length)
		return STEP_AGAIN;
	return begin_read(s, addr, length, &origin) ? STEP_READ : STEP_END;
}

static __always_inline void count_piece(struct scratch *s, uint64_t n)
{
	made_at(s, s->made_count)->got += n;
	s->used += n;
}

/*
 * Handles a failed read. If `again` is set, the read is repeated, but only up to the end of the
 * page, because the failed read may have extended into unmapped memory. Otherwise the read ends.
 */
static __always_inline enum step fail_piece(struct scratch *s, bool again)
{
	if (again) {
		s->pages = 1;
		return STEP_AGAIN;
	}
	s->failed = 1;
	return STEP_FINISH;
}

static __always_inline enum step read_string(struct scratch *s, void *to, uint64_t n)
{
	/*
	 * Read one byte more than needed, because the helper function replaces the last byte of
	 * truncated data with a NUL.
	 */
	int64_t got = bpf_probe_read_user_str(to, n + 1, (const void *)s->addr);

	/*
	 * With CHUNK_AGAIN, this is the second attempt to read the string. The kernel has read the
	 * string in the meantime, so its pages are usually in RAM now. If reading fails again, the
	 * string may end shortly before unmapped memory, so read only up to the end of the page.
	 */
	if (got <= 0)
		return fail_piece(s, s->what == CHUNK_AGAIN);
	count_piece(s, (uint64_t)got < n ? (uint64_t)got : n);
	return STEP_FINISH;
}

static __always_inline enum step read_piece(struct scratch *s, const struct read_op *op)
{
	uint64_t n = s->left, used = s->used;

	if (s->pages) {
		const uint64_t page = PAGE - (s->addr & (PAGE - 1));

		if (n > page)
			n = page;
	}
	if (!bounded(used, RECORD_FULL))
		return STEP_FINISH;
	if (n > READ_PIECE)
		n = READ_PIECE;
	if (!bounded(n, READ_PIECE))
		return STEP_FINISH;
	if (op->kind == PLAN_STRING && !s->pages)
		return read_string(s, s->record + used, n);
	if (bpf_probe_read_user(s->record + used, n, (const void *)s->addr))
		return fail_piece(s, !s->pages);
	count_piece(s, n);
	s->addr += n;
	s->left -= n;
	/*
	 * If a string cannot be read as a whole, only the part up to the end of its first page is
	 * read.
	 */
	return s->left && op->kind != PLAN_STRING ? STEP_AGAIN : STEP_FINISH;
}

/*
 * Completes the chunk of the current read. Sets the chunk's size if at least one byte was read.
 * Otherwise the chunk keeps the error.
 */
static __always_inline enum step finish_read(struct scratch *s, const struct read_op *op)
{
	const uint64_t got = made_at(s, s->made_count)->got;
	const uint64_t i = masked(s->op, READS_OF_ONE);
	struct chunk_head *h = chunk_at(s, s->chunk, RECORD_FULL);

	s->left = 0;
	if (!h)
		return STEP_END;
	if (got)
		h->size = (int32_t)got;
	s->used = (s->used + 7) & ~7u;
	s->made_count++;
	s->counts[i]++;
	/* An op (a step of the read plan) whose address is a syscall argument has only one read. */
	return op->place == PLAN_ARGUMENT ? STEP_NEXT_OP : STEP_AGAIN;
}

static int read_step(uint32_t index attr_unused, struct scratch **ctx)
{
	struct scratch *s = *ctx;
	const struct read_op *op;
	enum step done;
	uint32_t key;
	const uint64_t i = s->op;

	if (i >= s->ops)
		return 1;
	key = s->first + i;
	op = bpf_map_lookup_elem(&ops, &key);
	if (!op)
		return 1;
	done = s->left ? STEP_READ : begin_next(s, op, i);
	if (done == STEP_READ)
		done = read_piece(s, op);
	if (done == STEP_FINISH)
		done = finish_read(s, op);
	if (done == STEP_NEXT_OP) {
		s->op++;
		s->begun = 0;
	}
	return done == STEP_END;
}

/*
 * Makes a group of reads. `reads` is a value made with READS(). The input is in s->args and
 * s->result. Appends the data to the record as chunks of kind `what`.
 */
static __always_inline void make_reads(struct scratch *s, uint32_t reads, uint32_t what)
{
	struct scratch *ctx = s;

	if (!reads)
		return;
	s->first = reads & READS_FIRST_MASK;
	s->ops = reads >> 24;
	s->op = 0;
	s->begun = 0;
	s->made_count = 0;
	s->what = what;
	s->left = 0;
	bpf_loop(STEPS_MAX, read_step, &ctx, 0);
}

#endif
