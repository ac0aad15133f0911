/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records registers and stacks. */
#ifndef TRACER_CAPTURE_BPF_KERNEL_STACKS_H
#define TRACER_CAPTURE_BPF_KERNEL_STACKS_H

#include "capture/bpf/kernel/common.bpf.h"

/*
 * Number of bytes below the stack pointer that may be in use, or may have been in use a moment ago.
 */
#define RED_ZONE 128
/*
 * Number of bytes to record above the start of the main thread's stack. The first function of the
 * program may read these bytes.
 */
#define ABOVE_START 64
/* Every part of a stack starts below this offset in a record. */
#define PARTS_END (RECORD_ROOM + STACK_ROOM - 2 * STACK_PIECE)
/* Number of 8-byte words in a block. */
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

/* Returns the kept blocks for the record's buffer, or NULL. */
static __always_inline struct stack_kept *find_kept(const struct scratch *s)
{
	uint32_t key = buffer_of(s);

	return bpf_map_lookup_elem(&kept, &key);
}

/*
 * Must be called after a record was lost. All kept blocks become invalid, because the reader has
 * not received the blocks in that record.
 */
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

/*
 * Appends a block to the record and keeps a copy in *known. Returns false if the record has no
 * space.
 */
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

/*
 * Appends the changed blocks among the n stack bytes at addr. k->piece contains these bytes.
 * Returns false if the record has no space.
 */
static __always_inline bool append_blocks(struct scratch *s, struct stack_kept *k,
					  struct stack_part *part, uint64_t addr, uint64_t n)
{
	/* The blocks of CHUNK_STACK_PART and of CHUNK_LEFT_PART are kept separately. */
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
		/* Makes the compiler keep both pointers in registers from here on. */
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
 * Callback of bpf_loop(): appends up to s->limit bytes of the stack at s->addr as chunks of kind
 * s->what, one part per iteration.
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
	/*
	 * Continue after an unreadable page. The page may be one that was never written to, and
	 * frames may follow it.
	 */
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
 * Callback of bpf_loop(): appends up to s->limit bytes of the stack at s->addr, one page per
 * iteration. Each page is a separate chunk.
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

/* The form in which a stack is recorded. */
enum stack_form {
	STACK_PARTS, /* for calls: only the blocks that the reader does not have yet */
	STACK_PAGES  /* for rare events and for events in other rings: the whole stack */
};

/*
 * Appends the blocks that contain the n bytes of the stack at addr. `part` is the kind of the
 * chunks if `form` is STACK_PARTS.
 */
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

/*
 * Appends the n bytes of the stack that start at the stack pointer sp, and the red zone below sp.
 */
static __always_inline void append_stack_at_sp(struct scratch *s, uint64_t sp, uint64_t n,
					       enum stack_form form, uint32_t part)
{
	append_stack_from(s, sp - RED_ZONE, n + RED_ZONE, form, part);
}

/*
 * Appends the ordinary stack, which a signal has interrupted. Used if a signal handler runs on an
 * alternate stack (sigaltstack(2)). Does nothing if the stack pointer of the ordinary stack is
 * unknown.
 */
static __always_inline void
append_interrupted_stack(struct scratch *s, const struct thread_state *state, enum stack_form form)
{
	if (state->signal_sp)
		append_stack_at_sp(s, state->signal_sp, setup.stack_size, form, CHUNK_LEFT_PART);
}

static __always_inline bool is_alternate(const struct task_struct *task, uint64_t sp)
{
	return sp - task->sas_ss_sp < task->sas_ss_size;
}

/*
 * Returns the address of the thread-local variables (see thread_area in struct arch), or 0 if there
 * are none.
 */
static __always_inline uint64_t thread_area(const void *regs, struct task_struct *task)
{
	if (setup.area.place == WORD_IN_REGS)
		return reg_at(regs, setup.area.at);
	if (bpf_core_field_exists(task->thread.fsbase))
		return task->thread.fsbase;
	return task->thread.uw.tp_value;
}

/*
 * Returns the number of bytes, at most n, between the addresses `from` and `end`. Returns n if
 * `end` is below `from`.
 */
static __always_inline uint64_t end_at(uint64_t n, uint64_t from, uint64_t end)
{
	return end - from < n ? end - from : n;
}

/*
 * Appends the stack at the stack pointer. If this is an alternate stack, also appends the stack
 * that the signal interrupted. Does not append the memory above the stack. In the main thread, this
 * memory contains the program's arguments and environment. In other threads, it contains the
 * thread-local variables.
 */
static __always_inline void append_stack(struct scratch *s, const void *regs,
					 struct task_struct *task, const struct thread_state *state,
					 enum stack_form form)
{
	const uint64_t sp = sp_of(regs, task);
	uint64_t n = setup.stack_size;

	n = end_at(n, sp, BPF_CORE_READ(task, mm, start_stack) + ABOVE_START);
	if (setup.area.place != WORD_NOWHERE)
		n = end_at(n, sp, thread_area(regs, task));
	append_stack_at_sp(s, sp, n, form, CHUNK_STACK_PART);
	if (is_alternate(task, sp))
		append_interrupted_stack(s, state, form);
}

/*
 * Appends the stack when a signal is delivered. If this is an alternate stack, also appends the
 * stack that an earlier signal interrupted. Otherwise stores the stack pointer at which the signal
 * handler will interrupt the thread. Unlike append_stack(), may also append memory above the stack.
 */
static __always_inline void append_signal_stack(struct scratch *s, const void *regs,
						struct task_struct *task,
						struct thread_state *state)
{
	const uint64_t sp = sp_of(regs, task);

	if (is_alternate(task, sp))
		append_interrupted_stack(s, state, STACK_PAGES);
	else
		state->signal_sp = sp;
	append_stack_at_sp(s, sp, setup.stack_size, STACK_PAGES, CHUNK_STACK_PART);
}

#endif
