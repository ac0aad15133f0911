/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/fd_parts.h"

void fd_read_word(struct code *c, int16_t at, enum reg from, int offset)
{
	code_mov(c, R3, from);
	code_alu_n(c, BPF_ADD, R3, offset);
	code_mov(c, R1, FP);
	code_alu_n(c, BPF_ADD, R1, at);
	code_mov_n(c, R2, 8);
	code_call(c, HELPER_READ_KERNEL);
}

void fd_copy(struct code *c, int16_t to, int from, int32_t n)
{
	code_mov(c, R1, R8);
	code_alu_n(c, BPF_ADD, R1, to);
	code_mov_n(c, R2, n);
	code_mov(c, R3, R9);
	code_alu_n(c, BPF_ADD, R3, from);
	code_call(c, HELPER_READ_KERNEL);
}

_Static_assert(sizeof(((struct scratch *)NULL)->fds[0]) == 8, "a shift by 3");

void fd_in_list(struct code *c, enum reg at)
{
	code_alu_n(c, BPF_AND, at, FDS_MAX - 1);
	code_alu_n(c, BPF_LSH, at, 3);
	code_alu(c, BPF_ADD, at, R6);
}

/* r4 = the byte of all sets that has bit r1. */
static void load_byte(struct code *c)
{
	code_mov(c, R3, R1);
	code_alu_n(c, BPF_RSH, R3, 3);
	code_alu_n(c, BPF_AND, R3, FD_BITS_MAX / 8 - 1);
	code_alu(c, BPF_ADD, R3, R6);
	code_load(c, SIZE_1, R4, R3, IN_SCRATCH(fd_sets[0]));
	for (int i = 1; i < 3; i++) {
		code_load(c, SIZE_1, R5, R3, IN_SCRATCH(fd_sets[0]) + i * FD_BITS_MAX / 8);
		code_alu(c, BPF_OR, R4, R5);
	}
}

void fd_take_of_sets(struct code *c, unsigned next)
{
	unsigned none = code_label(c), byte = code_label(c), full = code_label(c);

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(fd_bit));
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(fd_bits));
	code_if(c, BPF_JGE, R1, R2, none);
	load_byte(c);
	code_mov(c, R5, R1);
	code_if_n(c, BPF_JNE, R4, 0, byte);
	code_alu_n(c, BPF_OR, R5, 7);
	code_place(c, byte);
	code_alu_n(c, BPF_ADD, R5, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_bit), R5);
	code_mov(c, R5, R1);
	code_alu_n(c, BPF_AND, R5, 7);
	code_alu(c, BPF_RSH, R4, R5);
	code_alu_n(c, BPF_AND, R4, 1);
	code_if_n(c, BPF_JEQ, R4, 0, next);
	code_load(c, SIZE_4, R3, R6, IN_SCRATCH(fd_count));
	code_if_n(c, BPF_JGE, R3, FDS_MAX, full);
	code_mov(c, R4, R3);
	code_alu_n(c, BPF_ADD, R4, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_count), R4);
	fd_in_list(c, R3);
	code_store(c, SIZE_4, R3, IN_SCRATCH(fds), R1);
	code_jump(c, next);
	code_place(c, full);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_bits), 0);
	code_jump(c, next);
	code_place(c, none);
}
