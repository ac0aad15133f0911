/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of programs that write down registers and stacks. */
#include "capture/bpf/maker.h"

/* What may be in use below the stack pointer, or was until a moment ago, in bytes. */
#define RED_ZONE 128
/* What of the first stack's start is kept, since its first function may look at it. */
#define BEHIND_START 64

void maker_append_regs(const struct program_maker *m)
{
	struct code *c = m->c;
	const int size = m->config->kernel->regs_size;
	unsigned none = code_label(c);
	const int16_t head = IN_SCRATCH(record);

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_multiple(c, R1);
	code_if_n(c, BPF_JGT, R1, RECORD_ROOM, none);
	code_mov(c, R2, R1);
	code_alu_n(c, BPF_ADD, R2, sizeof(struct chunk_head) + align_up(size, 8));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R2);
	code_alu(c, BPF_ADD, R1, R6);
	code_store_n(c, SIZE_8, R1, head, 0);
	code_store_n(c, SIZE_4, R1, head + offsetof(struct chunk_head, size), size);
	code_store_n(c, SIZE_4, R1, head + offsetof(struct chunk_head, what), CHUNK_REGS);
	code_alu_n(c, BPF_ADD, R1, head + sizeof(struct chunk_head));
	code_mov_n(c, R2, size);
	code_mov(c, R3, R8);
	code_call(c, HELPER_READ_KERNEL);
	code_place(c, none);
}

/* Appends what of a stack lies from the address in r2 on, at most r3 bytes of it, in blocks. */
static void append_stack_from(const struct program_maker *m)
{
	struct code *c = m->c;

	code_mov(c, R1, R2);
	code_alu_n(c, BPF_AND, R1, STACK_BLOCK - 1);
	code_alu(c, BPF_SUB, R2, R1);
	code_alu(c, BPF_ADD, R3, R1);
	code_alu_n(c, BPF_ADD, R3, STACK_BLOCK - 1);
	code_alu_n(c, BPF_AND, R3, -STACK_BLOCK);
	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R2);
	code_store(c, SIZE_8, R6, IN_SCRATCH(limit), R3);
	code_store(c, SIZE_8, FP, AT_SLOT, R6);
	code_mov_n(c, R1, STACK_ROOM / STACK_PIECE);
	code_function(c, R2, m->stack);
	code_mov(c, R3, FP);
	code_alu_n(c, BPF_ADD, R3, AT_SLOT);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_LOOP);
}

/* r3 = the smaller one of r3 and the distance from r2 to the address in r4. */
static void end_at(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned beyond = code_label(c);

	code_alu(c, BPF_SUB, R4, R2);
	code_if(c, BPF_JGE, R4, R3, beyond);
	code_mov(c, R3, R4);
	code_place(c, beyond);
}

/* Appends the stack whose sp is in r2, and what lies below it, at most r3 bytes. */
static void append_stack_of(const struct program_maker *m)
{
	code_alu_n(m->c, BPF_SUB, R2, RED_ZONE);
	code_alu_n(m->c, BPF_ADD, R3, RED_ZONE);
	append_stack_from(m);
}

/* Appends the stack that the last signal has left for an alternate one, if there was one. */
static void append_stack_left(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned none = code_label(c);

	code_load(c, SIZE_8, R2, R7, IN_STATE(signal_sp));
	code_if_n(c, BPF_JEQ, R2, 0, none);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(what), CHUNK_LEFT_PART);
	code_mov_n(c, R3, m->config->stack_size);
	append_stack_of(m);
	code_place(c, none);
}

/* With the task in r9, goes on at `no` unless the sp in r2 is within its alternate stack. */
static void if_alternate(const struct program_maker *m, unsigned no)
{
	struct code *c = m->c;

	code_load(c, SIZE_8, R3, R9, m->config->kernel->alt_stack);
	code_load(c, SIZE_8, R4, R9, m->config->kernel->alt_stack_size);
	code_mov(c, R5, R2);
	code_alu(c, BPF_SUB, R5, R3);
	code_if(c, BPF_JGE, R5, R4, no);
}

void maker_append_stack(const struct program_maker *m)
{
	const struct kernel_offsets *k = m->config->kernel;
	struct code *c = m->c;
	unsigned none = code_label(c);

	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(what), CHUNK_STACK_PART);
	maker_load_sp(m, R2);
	code_mov_n(c, R3, m->config->stack_size);
	code_load(c, SIZE_8, R4, R9, k->mm);
	code_load(c, SIZE_8, R4, R4, k->start_stack);
	code_alu_n(c, BPF_ADD, R4, BEHIND_START);
	end_at(m);
	if (k->thread_area >= 0) {
		maker_load_thread_area(m, R4);
		end_at(m);
	}
	append_stack_of(m);
	maker_load_sp(m, R2);
	if_alternate(m, none);
	append_stack_left(m);
	code_place(c, none);
}

void maker_append_signal_stack(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned keep = code_label(c), read = code_label(c);

	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	maker_load_sp(m, R2);
	if_alternate(m, keep);
	append_stack_left(m);
	maker_load_sp(m, R2);
	code_jump(c, read);
	code_place(c, keep);
	code_store(c, SIZE_8, R7, IN_STATE(signal_sp), R2);
	code_place(c, read);
	code_mov_n(c, R3, m->config->stack_size);
	append_stack_of(m);
}

/* -- parts of a stack that the reader does not know --------------------------- */

#define IN_KEPT(f)  ((int)offsetof(struct stack_kept, f))
#define IN_CHUNK(f) ((int16_t)(IN_SCRATCH(record) + offsetof(struct chunk_head, f)))
#define IN_PART(f)                                                                                 \
	((int16_t)(IN_SCRATCH(record) + sizeof(struct chunk_head) + offsetof(struct stack_part, f)))
#define PART_HEAD  ((int32_t)(sizeof(struct chunk_head) + sizeof(struct stack_part)))
#define RECORD_END (RECORD_ROOM + STACK_ROOM - 2 * STACK_PIECE)

/* The function's own stack. */
enum { AT_NUMBER = -8, AT_KEPT = -16, AT_BEGIN = -24, AT_AREA = -32 };

/*
 * r0 = what is kept with the buffer of the record; `key` is where there is room for a key. Goes on
 * at `none` if there is nothing.
 */
static void find_kept(const struct program_maker *m, int16_t key, unsigned none)
{
	struct code *c = m->c;

	code_call(c, HELPER_CPU);
	maker_number_buffer(m);
	code_store(c, SIZE_8, FP, key, R0);
	code_map(c, R1, m->config->maps->kept);
	code_mov(c, R2, FP);
	code_alu_n(c, BPF_ADD, R2, key);
	code_call(c, HELPER_MAP_LOOKUP);
	code_if_n(c, BPF_JEQ, R0, 0, none);
}

/*
 * r7 = how many bytes of the piece of the address in r9 are wanted, which are no more than limit
 * bytes; these are taken off. Goes on at `end` if there are none. It is put into memory on the way,
 * so that the verifier does not follow both ways.
 */
static void take_piece(struct code *c, unsigned end)
{
	unsigned small = code_label(c);

	code_mov(c, R1, R9);
	code_alu_n(c, BPF_AND, R1, STACK_PIECE - 1);
	code_mov_n(c, R2, STACK_PIECE);
	code_alu(c, BPF_SUB, R2, R1);
	code_store(c, SIZE_8, R6, IN_SCRATCH(left), R2);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(limit));
	code_if(c, BPF_JLE, R2, R1, small);
	code_store(c, SIZE_8, R6, IN_SCRATCH(left), R1);
	code_place(c, small);
	code_load(c, SIZE_8, R7, R6, IN_SCRATCH(left));
	code_if_n(c, BPF_JEQ, R7, 0, end);
	code_if_n(c, BPF_JGT, R7, STACK_PIECE, end);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(limit));
	code_alu(c, BPF_SUB, R1, R7);
	code_store(c, SIZE_8, R6, IN_SCRATCH(limit), R1);
}

/*
 * At AT_AREA is where blocks of this kind are kept. r1 = what is kept, r2 = the block of the
 * piece at offset r5, less IN_KEPT(piece), r3 = where it is kept, r4 = where its number is.
 */
static void find_block(struct code *c)
{
	code_load(c, SIZE_8, R1, FP, AT_KEPT);
	code_mov(c, R2, R1);
	code_alu(c, BPF_ADD, R2, R5);
	code_mov(c, R3, R9);
	code_alu_n(c, BPF_AND, R3, STACK_KEPT - STACK_BLOCK);
	code_load(c, SIZE_8, R4, FP, AT_AREA);
	code_alu(c, BPF_ADD, R3, R4);
	code_mov(c, R4, R3);
	code_alu_n(c, BPF_RSH, R4, 5); /* a number has 4 bytes, a block 128 */
	code_alu_n(c, BPF_ADD, R3, IN_KEPT(blocks));
	code_alu(c, BPF_ADD, R3, R1);
	code_alu_n(c, BPF_ADD, R4, IN_KEPT(numbers));
	code_alu(c, BPF_ADD, R4, R1);
}
_Static_assert(STACK_BLOCK == 4 << 5 && STACK_KEPT == CHUNK_LEFT_BIT << 17, "as is counted here");

/* The block in r2 is not what is kept in r3: it is from now on, and is appended. */
static void append_block(struct code *c, unsigned end)
{
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_multiple(c, R1);
	code_if_n(c, BPF_JGT, R1, RECORD_END + PART_HEAD + STACK_PIECE, end);
	code_mov(c, R4, R1);
	code_alu_n(c, BPF_ADD, R4, STACK_BLOCK);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R4);
	code_alu(c, BPF_ADD, R1, R6);
	for (int16_t at = 0; at < STACK_BLOCK; at += 8) {
		code_load(c, SIZE_8, R4, R2, IN_KEPT(piece) + at);
		code_store(c, SIZE_8, R3, at, R4);
		code_store(c, SIZE_8, R1, IN_SCRATCH(record) + at, R4);
	}
	code_mov(c, R1, R5);
	code_alu_n(c, BPF_RSH, R1, 7);
	code_mov_n(c, R2, 1);
	code_alu(c, BPF_LSH, R2, R1);
	code_load(c, SIZE_4, R1, R8, IN_PART(changed));
	code_alu(c, BPF_OR, R1, R2);
	code_store(c, SIZE_4, R8, IN_PART(changed), R1);
}
_Static_assert(STACK_BLOCK == 1 << 7, "as append_block() counts");

/* Appends what is not known of the r7 bytes at the address in r9, which are at kept.piece. */
static void append_blocks(struct code *c, unsigned end)
{
	unsigned next = code_label(c), changed = code_label(c), block;

	code_mov_n(c, R5, 0);
	block = code_here(c);
	find_block(c);
	/* The number of the block against that of now. */
	code_load(c, SIZE_4, R0, R1, IN_KEPT(number));
	code_load(c, SIZE_4, R1, R4, 0);
	code_store(c, SIZE_4, R4, 0, R0);
	code_if(c, BPF_JNE, R0, R1, changed);
	code_mov_n(c, R0, 0);
	for (int16_t at = 0; at < STACK_BLOCK; at += 8) {
		code_load(c, SIZE_8, R1, R2, IN_KEPT(piece) + at);
		code_load(c, SIZE_8, R4, R3, at);
		code_alu(c, BPF_XOR, R1, R4);
		code_alu(c, BPF_OR, R0, R1);
	}
	code_if_n(c, BPF_JEQ, R0, 0, next);
	code_place(c, changed);
	append_block(c, end);
	code_place(c, next);
	code_alu_n(c, BPF_ADD, R9, STACK_BLOCK);
	code_alu_n(c, BPF_ADD, R5, STACK_BLOCK);
	code_if(c, BPF_JLT, R5, R7, block);
}

void maker_stack_function(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned end = code_label(c), missing = code_label(c);

	code_load(c, SIZE_8, R6, R2, 0);
	code_load(c, SIZE_8, R9, R6, IN_SCRATCH(addr));
	take_piece(c, end);
	find_kept(m, AT_NUMBER, end);
	code_store(c, SIZE_8, FP, AT_KEPT, R0);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_multiple(c, R1);
	code_if_n(c, BPF_JGT, R1, RECORD_END, end);
	code_store(c, SIZE_8, FP, AT_BEGIN, R1);
	code_mov(c, R8, R1);
	code_alu(c, BPF_ADD, R8, R6);
	code_alu_n(c, BPF_ADD, R1, PART_HEAD);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_store(c, SIZE_8, R8, IN_CHUNK(addr), R9);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(what));
	code_store(c, SIZE_4, R8, IN_CHUNK(what), R1);
	code_alu_n(c, BPF_AND, R1, CHUNK_LEFT_BIT);
	code_alu_n(c, BPF_LSH, R1, 17);
	code_store(c, SIZE_8, FP, AT_AREA, R1);
	code_store(c, SIZE_4, R8, IN_PART(size), R7);
	code_store_n(c, SIZE_4, R8, IN_PART(changed), 0);
	code_load(c, SIZE_8, R1, FP, AT_KEPT);
	code_alu_n(c, BPF_ADD, R1, IN_KEPT(piece));
	code_mov(c, R2, R7);
	code_mov(c, R3, R9);
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JNE, R0, 0, missing);
	append_blocks(c, end);
	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R9);
	/* Its size is known by now. */
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_load(c, SIZE_8, R2, FP, AT_BEGIN);
	code_alu(c, BPF_SUB, R1, R2);
	code_alu_n(c, BPF_SUB, R1, sizeof(struct chunk_head));
	code_store(c, SIZE_4, R8, IN_CHUNK(size), R1);
	code_return(c, 0);
	/* A page that was never written to is no reason to stop: frames may lie behind it. */
	code_place(c, missing);
	code_store_n(c, SIZE_4, R8, IN_PART(size), 0);
	code_store_n(c, SIZE_4, R8, IN_CHUNK(size), sizeof(struct stack_part));
	code_alu(c, BPF_ADD, R9, R7);
	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R9);
	code_return(c, 0);
	code_place(c, end);
	code_return(c, 1);
}

void maker_forget_stacks(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned none = code_label(c);

	if (!m->config->stack_size)
		return;
	find_kept(m, AT_VARIANT, none);
	code_load(c, SIZE_4, R1, R0, IN_KEPT(number));
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R0, IN_KEPT(number), R1);
	code_place(c, none);
}
