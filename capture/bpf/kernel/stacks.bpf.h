/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records registers and stacks. */
#ifndef TRACER_CAPTURE_BPF_KERNEL_STACKS_H
#define TRACER_CAPTURE_BPF_KERNEL_STACKS_H

#include "capture/bpf/kernel/common.bpf.h"

/* What may be in use below the stack pointer, or was until a moment ago, in bytes. */
#define RED_ZONE 128
/* What of the first stack's start is kept, since its first function may look at it. */
#define BEHIND_START 64
/* No part of a stack begins behind this place of a record. */
#define PARTS_END (RECORD_ROOM + STACK_ROOM - 2 * STACK_PIECE)
/* Words of a block. */
#define WORDS (STACK_BLOCK / 8)

static __always_inline void append_regs(struct scratch *s, const void *regs)
{
	const uint64_t size = setup.regs_size;
	struct chunk_head *h = chunk_at(s, s->used, RECORD_ROOM);

	if (!h)
		return;
	s->used += sizeof(*h) + ((size + 7) & ~7ull);
	begin_chunk(h, 0, (int32_t)size, CHUNK_REGS);
	bpf_probe_read_kernel(h + 1, size, regs);
}

/* What is kept with the buffer of the record, or NULL. */
static __always_inline struct stack_kept *find_kept(const struct scratch *s)
{
	uint32_t key = buffer_of(s);

	return bpf_map_lookup_elem(&kept, &key);
}

/* After a lost record, the blocks that the reader has are unknown. */
static __always_inline void forget_stacks(const struct scratch *s)
{
	struct stack_kept *k = setup.stack_size ? find_kept(s) : NULL;

	if (k)
		k->number++;
}

static __always_inline bool block_differs(const uint64_t *block, const uint64_t *known)
{
	uint64_t differ = 0;

#pragma unroll
	for (int i = 0; i < WORDS; i++)
		differ |= block[i] ^ known[i];
	return differ;
}

/* Appends a block, which is known from now on. Returns false if there is no room. */
static __always_inline bool append_block(struct scratch *s, const uint64_t *block, uint64_t *known)
{
	uint64_t at = s->used & ~7ull;
	uint64_t *to;

	if (!bounded(at, PARTS_END + STACK_PIECE))
		return false;
	s->used = at + STACK_BLOCK;
	to = (uint64_t *)(s->record + at);
#pragma unroll
	for (int i = 0; i < WORDS; i++) {
		known[i] = block[i];
		to[i] = block[i];
	}
	return true;
}

/* Appends the changed blocks of the n bytes of a stack at an address, which are in k->piece. */
static __always_inline bool append_blocks(struct scratch *s, struct stack_kept *k,
					  struct stack_part *part, uint64_t addr, uint64_t n)
{
	/* Blocks of the two kinds are kept apart. */
	const uint64_t area = (uint64_t)(s->what & CHUNK_LEFT_BIT) * STACK_KEPT;

#pragma clang loop unroll(disable)
	for (uint64_t at = 0; at < STACK_PIECE; at += STACK_BLOCK) {
		uint64_t place = ((addr + at) & (STACK_KEPT - STACK_BLOCK)) + area;
		const uint64_t *block = (const uint64_t *)(k->piece + at);
		uint64_t *known;
		uint32_t *number;

		if (at >= n)
			break;
		if (!bounded(place, sizeof(k->blocks) - STACK_BLOCK))
			return false;
		place &= -STACK_BLOCK;
		known = (uint64_t *)(k->blocks + place);
		/* Each is a register from here on. */
		asm volatile("" : "+r"(block), "+r"(known));
		number =
			(uint32_t *)((uint8_t *)k->numbers + place / STACK_BLOCK * sizeof(*number));
		if (*number == k->number && !block_differs(block, known))
			continue;
		*number = k->number;
		if (!append_block(s, block, known))
			return false;
		part->changed |= 1u << at / STACK_BLOCK;
	}
	return true;
}

/*
 * For bpf_loop(): appends the stack at s->addr, s->limit bytes of it, a piece at a time, each as a
 * chunk of the kind s->what.
 */
static int stack_step(uint32_t index attr_unused, struct scratch **ctx)
{
	struct scratch *s = *ctx;
	struct stack_kept *k = find_kept(s);
	struct chunk_head *h = chunk_at(s, s->used, PARTS_END);
	const uint64_t addr = s->addr, begin = s->used;
	uint64_t n = STACK_PIECE - (addr & (STACK_PIECE - 1));
	struct stack_part *part;

	if (n > s->limit)
		n = s->limit;
	if (!n || !bounded(n, STACK_PIECE) || !k || !h)
		return 1;
	s->limit -= n;
	s->addr += n;
	part = (struct stack_part *)(h + 1);
	s->used = begin + sizeof(*h) + sizeof(*part);
	begin_chunk(h, addr, sizeof(*part), s->what);
	part->changed = 0;
	/* A page that was never written to is no reason to stop: frames may lie behind it. */
	part->size = 0;
	if (bpf_probe_read_user(k->piece, n, (const void *)addr))
		return 0;
	part->size = n;
	if (!append_blocks(s, k, part, addr, n))
		return 1;
	h->size = s->used - begin - sizeof(*h);
	return 0;
}

/*
 * For bpf_loop(): appends the stack at s->addr, s->limit bytes of it, a page at a time, each as a
 * chunk of its own.
 */
static int page_step(uint32_t index attr_unused, struct scratch **ctx)
{
	struct scratch *s = *ctx;
	const uint64_t addr = s->addr;
	uint64_t n = PAGE - (addr & (PAGE - 1));
	struct chunk_head *h = chunk_at(s, s->used, RECORD_ROOM + STACK_ROOM - 2 * PAGE);

	if (n > s->limit)
		n = s->limit;
	if (!n || !bounded(n, PAGE) || !h)
		return 1;
	s->limit -= n;
	s->addr += n;
	s->used += sizeof(*h);
	begin_chunk(h, addr, -EFAULT, CHUNK_STACK);
	if (bpf_probe_read_user(h + 1, n, (const void *)addr))
		return 0;
	h->size = (int32_t)n;
	s->used += (n + 7) & ~7ull;
	return 0;
}

/* How stacks are written. */
enum stack_form {
	STACK_PARTS, /* of calls: what the reader does not know */
	STACK_PAGES  /* at other events, which are written to other rings or seldom: all of it */
};

/* Appends what of a stack lies from an address on, at most n bytes of it, in blocks. */
static __always_inline void append_stack_from(struct scratch *s, uint64_t addr, uint64_t n,
					      enum stack_form form, uint32_t part)
{
	const uint64_t within = addr & (STACK_BLOCK - 1);
	struct scratch *ctx = s;

	s->what = part;
	s->addr = addr - within;
	s->limit = (n + within + STACK_BLOCK - 1) & -(uint64_t)STACK_BLOCK;
	if (form == STACK_PARTS)
		bpf_loop(STACK_ROOM / STACK_PIECE, stack_step, &ctx, 0);
	else
		bpf_loop(STACK_ROOM / STACK_PIECE, page_step, &ctx, 0);
}

/* Appends the stack whose stack pointer that is, and what lies below it, at most n bytes. */
static __always_inline void append_stack_of(struct scratch *s, uint64_t sp, uint64_t n,
					    enum stack_form form, uint32_t part)
{
	append_stack_from(s, sp - RED_ZONE, n + RED_ZONE, form, part);
}

/* Appends the stack that the last signal has left for an alternate one, if there was one. */
static __always_inline void append_stack_left(struct scratch *s, const struct thread_state *state,
					      enum stack_form form)
{
	if (state->signal_sp)
		append_stack_of(s, state->signal_sp, setup.stack_size, form, CHUNK_LEFT_PART);
}

static __always_inline bool is_alternate(const struct task_struct *task, uint64_t sp)
{
	return sp - task->sas_ss_sp < task->sas_ss_size;
}

/* What thread_area of struct arch says; 0: there is none. */
static __always_inline uint64_t thread_area(const void *regs, struct task_struct *task)
{
	if (setup.area.place == WORD_IN_REGS)
		return reg_at(regs, setup.area.at);
	if (bpf_core_field_exists(task->thread.fsbase))
		return task->thread.fsbase;
	return task->thread.uw.tp_value;
}

/* The smaller one of n and the distance from an address to a limit above it. */
static __always_inline uint64_t end_at(uint64_t n, uint64_t from, uint64_t end)
{
	return end - from < n ? end - from : n;
}

/*
 * Appends the stack, from the stack pointer of the registers on, and if that is an alternate one
 * the one that a signal has left for it. Frames end where the first stack began, which has
 * arguments and the environment behind it, and at what libraries put behind the stack of a thread.
 */
static __always_inline void append_stack(struct scratch *s, const void *regs,
					 struct task_struct *task, const struct thread_state *state,
					 enum stack_form form)
{
	const uint64_t sp = sp_of(regs, task);
	uint64_t n = setup.stack_size;

	n = end_at(n, sp, BPF_CORE_READ(task, mm, start_stack) + BEHIND_START);
	if (setup.area.place != WORD_NOWHERE)
		n = end_at(n, sp, thread_area(regs, task));
	append_stack_of(s, sp, n, form, CHUNK_STACK_PART);
	if (is_alternate(task, sp))
		append_stack_left(s, state, form);
}

/* The same where a signal is delivered. */
static __always_inline void append_signal_stack(struct scratch *s, const void *regs,
						struct task_struct *task,
						struct thread_state *state)
{
	const uint64_t sp = sp_of(regs, task);

	if (is_alternate(task, sp))
		append_stack_left(s, state, STACK_PAGES);
	else
		state->signal_sp = sp;
	append_stack_of(s, sp, setup.stack_size, STACK_PAGES, CHUNK_STACK_PART);
}

#endif
