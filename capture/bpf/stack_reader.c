/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of programs that write down registers and stacks. */
#include "capture/bpf/maker.h"
#include "linux/arch/arch.h"

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

/* Appends what of a stack lies from the address in r2 on, at most r3 bytes of it. */
static void append_stack_from(const struct program_maker *m)
{
	struct code *c = m->c;

	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R2);
	code_store(c, SIZE_8, R6, IN_SCRATCH(limit), R3);
	code_store(c, SIZE_8, FP, AT_SLOT, R6);
	code_mov_n(c, R1, STACK_ROOM / 4096);
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

/* r2 = the sp of the registers in r8. */
static void load_sp(const struct program_maker *m)
{
	const struct arch_mode *mode = &arch_native->modes[0];

	code_load(m->c, SIZE_8, R2, R8, mode->column_at[mode->sp]);
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
	load_sp(m);
	code_mov_n(c, R3, m->config->stack_size);
	code_load(c, SIZE_8, R4, R9, k->mm);
	code_load(c, SIZE_8, R4, R4, k->start_stack);
	code_alu_n(c, BPF_ADD, R4, BEHIND_START);
	end_at(m);
	if (k->thread_area >= 0) {
		code_load(c, SIZE_8, R4, R9, k->thread_area);
		end_at(m);
	}
	append_stack_of(m);
	load_sp(m);
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
	load_sp(m);
	if_alternate(m, keep);
	append_stack_left(m);
	load_sp(m);
	code_jump(c, read);
	code_place(c, keep);
	code_store(c, SIZE_8, R7, IN_STATE(signal_sp), R2);
	code_place(c, read);
	code_mov_n(c, R3, m->config->stack_size);
	append_stack_of(m);
}
