/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/code.h"

#include <string.h>

/* Of newer headers. */
#define PSEUDO_FUNC  4
#define PSEUDO_KFUNC 2

static struct bpf_insn *add(struct code *c, int op, int dst, int src, int16_t offset, int32_t n)
{
	struct bpf_insn *insn = vec_push(&c->insns);

	*insn = (struct bpf_insn){
		.code = op, .dst_reg = dst, .src_reg = src, .off = offset, .imm = n};
	return insn;
}

void code_deinit(struct code *c)
{
	vec_deinit(&c->insns);
	vec_deinit(&c->labels);
	vec_deinit(&c->jumps);
}

int code_link(struct code *c)
{
	vec_for_each (&c->jumps, j) {
		struct bpf_insn *insn = &c->insns.v[j->insn];
		int distance = c->labels.v[j->label] - (int)j->insn - 1;

		if (c->labels.v[j->label] < 0)
			return -ENOENT;
		if (insn->code == (BPF_LD | BPF_IMM | BPF_DW) || insn->code == (BPF_JMP | BPF_CALL))
			insn->imm = distance;
		else if (distance != (int16_t)distance)
			return -E2BIG;
		else
			insn->off = distance;
	}
	return 0;
}

unsigned code_label(struct code *c)
{
	*vec_push(&c->labels) = -1;
	return c->labels.n - 1;
}

void code_place(struct code *c, unsigned label)
{
	c->labels.v[label] = c->insns.n;
}

unsigned code_here(struct code *c)
{
	unsigned label = code_label(c);

	code_place(c, label);
	return label;
}

void code_mov(struct code *c, enum reg dst, enum reg src)
{
	add(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void code_mov_n(struct code *c, enum reg dst, int32_t n)
{
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, n);
}

void code_mov32(struct code *c, enum reg dst, enum reg src)
{
	add(c, BPF_ALU | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void code_alu(struct code *c, int op, enum reg dst, enum reg src)
{
	add(c, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void code_alu_n(struct code *c, int op, enum reg dst, int32_t n)
{
	add(c, BPF_ALU64 | op | BPF_K, dst, 0, 0, n);
}

void code_multiple(struct code *c, enum reg reg)
{
	if (c->aligned)
		code_alu_n(c, BPF_AND, reg, -8);
}

void code_load(struct code *c, int size, enum reg dst, enum reg src, int16_t offset)
{
	add(c, BPF_LDX | BPF_MEM | size, dst, src, offset, 0);
}

void code_store(struct code *c, int size, enum reg dst, int16_t offset, enum reg src)
{
	add(c, BPF_STX | BPF_MEM | size, dst, src, offset, 0);
}

void code_store_n(struct code *c, int size, enum reg dst, int16_t offset, int32_t n)
{
	add(c, BPF_ST | BPF_MEM | size, dst, 0, offset, n);
}

void code_add_atomic(struct code *c, enum reg dst, int16_t offset, enum reg src)
{
	add(c, BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, offset, BPF_ADD);
}

/* A constant of 64 bits takes two instructions. */
static void load_wide(struct code *c, enum reg dst, int src, int32_t n, int32_t high)
{
	add(c, BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, n);
	add(c, 0, 0, 0, 0, high);
}

void code_mov_wide(struct code *c, enum reg dst, uint64_t n)
{
	load_wide(c, dst, 0, (int32_t)(uint32_t)n, (int32_t)(n >> 32));
}

void code_map(struct code *c, enum reg dst, int fd)
{
	load_wide(c, dst, BPF_PSEUDO_MAP_FD, fd, 0);
}

void code_map_value(struct code *c, enum reg dst, int fd, int32_t offset)
{
	load_wide(c, dst, BPF_PSEUDO_MAP_VALUE, fd, offset);
}

static void jump_at(struct code *c, unsigned insn, unsigned label)
{
	*vec_push(&c->jumps) = (struct code_jump){insn, label};
}

void code_function(struct code *c, enum reg dst, unsigned label)
{
	jump_at(c, c->insns.n, label);
	load_wide(c, dst, PSEUDO_FUNC, 0, 0);
}

void code_jump(struct code *c, unsigned label)
{
	jump_at(c, c->insns.n, label);
	add(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void code_if(struct code *c, int op, enum reg dst, enum reg src, unsigned label)
{
	jump_at(c, c->insns.n, label);
	add(c, BPF_JMP | op | BPF_X, dst, src, 0, 0);
}

void code_if_n(struct code *c, int op, enum reg dst, int32_t n, unsigned label)
{
	jump_at(c, c->insns.n, label);
	add(c, BPF_JMP | op | BPF_K, dst, 0, 0, n);
}

void code_call(struct code *c, enum helper helper)
{
	add(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void code_call_kernel(struct code *c, int id)
{
	add(c, BPF_JMP | BPF_CALL, 0, PSEUDO_KFUNC, 0, id);
}

void code_call_function(struct code *c, unsigned label)
{
	jump_at(c, c->insns.n, label);
	add(c, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

void code_exit(struct code *c)
{
	add(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

void code_return(struct code *c, int32_t n)
{
	code_mov_n(c, R0, n);
	code_exit(c);
}
