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
