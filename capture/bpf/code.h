/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An assembler of BPF programs, Documentation/bpf/standardization/instruction-set.rst of Linux.
 * Each function appends an instruction. Registers are numbers: r0 is what helpers return, r1 to r5
 * are their arguments and are lost by a call, r6 to r9 are kept, r10 is the frame pointer. Where a
 * jump goes is a label, which is put in its place before or after the jumps to it.
 */
#ifndef TRACER_CAPTURE_BPF_CODE_H
#define TRACER_CAPTURE_BPF_CODE_H

#include <linux/bpf.h>

#include "util/vec.h"

enum reg { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

/* Sizes of loads and stores. */
enum { SIZE_1 = BPF_B, SIZE_2 = BPF_H, SIZE_4 = BPF_W, SIZE_8 = BPF_DW };

/* The helpers that are used, by the numbers of enum bpf_func_id, which older headers end before. */
enum helper {
	HELPER_MAP_LOOKUP = 1,
	HELPER_MAP_UPDATE = 2,
	HELPER_MAP_DELETE = 3,
	HELPER_KTIME_NS = 5,
	HELPER_CPU = 8,
	HELPER_COMM = 16,
	HELPER_UNDER_CGROUP = 37,
	HELPER_READ_USER = 112,
	HELPER_READ_KERNEL = 113,
	HELPER_READ_USER_STRING = 114,
	HELPER_READ_KERNEL_STRING = 115,
	HELPER_RINGBUF_OUTPUT = 130,
	HELPER_TASK_STORAGE_GET = 156,
	HELPER_TASK_STORAGE_DELETE = 157,
	HELPER_CURRENT_TASK = 158,
	HELPER_TASK_REGS = 175,
	HELPER_LOOP = 181 /* Linux 5.17 */
};

struct code_jump {
	unsigned insn, label;
};

/* {0} is empty. */
struct code {
	VEC(struct bpf_insn) insns;
	VEC(int) labels;	     /* of each label, the index of its instruction, -1: not yet */
	VEC(struct code_jump) jumps; /* whose distances code_link() fills in */
	bool aligned;		     /* see aligned_programs of struct arch */
};

void code_deinit(struct code *c);
/*
 * Fills in the distances of all jumps. Returns 0, -ENOENT if a label has no place, -E2BIG if a jump
 * is too far. To be called once, at the end.
 */
int code_link(struct code *c);

/* A new label, and its place: in front of the next instruction. */
unsigned code_label(struct code *c);
void code_place(struct code *c, unsigned label);
/* A label whose place is here. */
unsigned code_here(struct code *c);

/* dst = src, dst = n (extended with its sign), dst = n of 64 bits. */
void code_mov(struct code *c, enum reg dst, enum reg src);
void code_mov_n(struct code *c, enum reg dst, int32_t n);
void code_mov_wide(struct code *c, enum reg dst, uint64_t n);
/* dst = the lower half of src; the upper half is 0. */
void code_mov32(struct code *c, enum reg dst, enum reg src);
/* dst = dst op src, or op n, of 64 bits: op is BPF_ADD, BPF_AND, BPF_LSH, … */
void code_alu(struct code *c, int op, enum reg dst, enum reg src);
void code_alu_n(struct code *c, int op, enum reg dst, int32_t n);

/*
 * Tells the kernel, if it wants to know, that what is in a register is a multiple of 8, as it is.
 */
void code_multiple(struct code *c, enum reg reg);

/* dst = *(size *)(src + offset), extended with zeroes. */
void code_load(struct code *c, int size, enum reg dst, enum reg src, int16_t offset);
/* *(size *)(dst + offset) = src, or = n. */
void code_store(struct code *c, int size, enum reg dst, int16_t offset, enum reg src);
void code_store_n(struct code *c, int size, enum reg dst, int16_t offset, int32_t n);
/* *(uint64_t *)(dst + offset) += src, atomically. */
void code_add_atomic(struct code *c, enum reg dst, int16_t offset, enum reg src);

/* dst = the map that fd is; dst = offset bytes into the value of the one-element array fd. */
void code_map(struct code *c, enum reg dst, int fd);
void code_map_value(struct code *c, enum reg dst, int fd, int32_t offset);
/* dst = the function at a label, for helpers that call back. */
void code_function(struct code *c, enum reg dst, unsigned label);

void code_jump(struct code *c, unsigned label);
/* Jumps if dst op src, or op n, of 64 bits: op is BPF_JEQ, BPF_JGT (unsigned), BPF_JSGT, … */
void code_if(struct code *c, int op, enum reg dst, enum reg src, unsigned label);
void code_if_n(struct code *c, int op, enum reg dst, int32_t n, unsigned label);

/* r0 = helper(r1, …) */
void code_call(struct code *c, enum helper helper);
/* The same of the kernel's own function whose type has that id in its BTF: a kfunc. */
void code_call_kernel(struct code *c, int id);
/* r0 = the function at a label, of r1. What is on the caller's stack, it cannot see. */
void code_call_function(struct code *c, unsigned label);
/* Returns r0. */
void code_exit(struct code *c);
/* Returns n. */
void code_return(struct code *c, int32_t n);

#endif
