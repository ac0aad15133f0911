/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of programs that find out which descriptors of a call are to be looked at. */
#include <limits.h>

#include "capture/bpf/fd_parts.h"
#include "capture/wants.h"

/* Names and mounts of all descriptors of a call, and bits of the sets that they are taken from. */
#define STEPS (2 * FD_BITS_MAX)

/*
 * Looks at the descriptors that are listed in the scratch. One for which there was too little time
 * or room is left out.
 */
static void run(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned whole = code_label(c);

	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_next), 0);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(dentry), 0);
	code_store(c, SIZE_8, FP, AT_SLOT, R6);
	code_mov_n(c, R1, STEPS);
	code_function(c, R2, m->fd);
	code_mov(c, R3, FP);
	code_alu_n(c, BPF_ADD, R3, AT_SLOT);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_LOOP);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(dentry));
	code_if_n(c, BPF_JEQ, R1, 0, whole);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(fd_chunk));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_place(c, whole);
}

/* How many are listed; none are to be taken from sets. */
static void set_count(struct code *c, enum reg count)
{
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_count), count);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_bit), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_bits), 0);
}

/* to = the argument that is `behind` those behind the one whose number is in `from`. */
static void load_arg(struct code *c, enum reg to, enum reg from, int behind)
{
	code_mov(c, to, from);
	code_alu_n(c, BPF_AND, to, 7);
	code_alu_n(c, BPF_LSH, to, 3);
	code_alu(c, BPF_ADD, to, R6);
	code_load(c, SIZE_8, to, to, IN_SCRATCH(args) + 8 * behind);
}

/* r1 = the place of the list. */
static void list_place(struct code *c)
{
	code_mov(c, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(fds));
}

/* Those arguments whose bits are in r1. */
static void append_args(const struct program_maker *m)
{
	struct code *c = m->c;

	code_mov_n(c, R2, 0);
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		unsigned other = code_label(c);

		code_mov(c, R3, R1);
		code_alu_n(c, BPF_AND, R3, 1 << i);
		code_if_n(c, BPF_JEQ, R3, 0, other);
		code_load(c, SIZE_4, R4, R6, IN_SCRATCH(args) + 8 * i);
		code_mov(c, R3, R2);
		fd_in_list(c, R3);
		code_store(c, SIZE_4, R3, IN_SCRATCH(fds), R4);
		code_alu_n(c, BPF_ADD, R2, 1);
		code_place(c, other);
	}
	set_count(c, R2);
	run(m);
}

/* Those of the array of struct pollfd that argument r1 - 1 points to, or the first of them. */
static void append_pollfds(const struct program_maker *m, unsigned none)
{
	struct code *c = m->c;
	unsigned few = code_label(c);

	code_alu_n(c, BPF_SUB, R1, 1);
	load_arg(c, R3, R1, 0);
	load_arg(c, R2, R1, 1);
	code_mov32(c, R2, R2);
	code_if_n(c, BPF_JLE, R2, FDS_MAX, few);
	code_mov_n(c, R2, FDS_MAX);
	code_place(c, few);
	set_count(c, R2);
	code_alu_n(c, BPF_LSH, R2, 3);
	list_place(c);
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JNE, R0, 0, none);
	run(m);
}

/* Those of three sets, of which each is all zero if it is not there or cannot be read. */
static void append_sets(const struct program_maker *m, unsigned none)
{
	struct code *c = m->c;
	unsigned few = code_label(c);

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(args));
	code_if_n(c, BPF_JGT, R1, INT_MAX, none);
	code_if_n(c, BPF_JLE, R1, FD_BITS_MAX, few);
	code_mov_n(c, R1, FD_BITS_MAX);
	code_place(c, few);
	code_mov_n(c, R2, 0);
	set_count(c, R2);
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_bits), R1);
	for (int i = 0; i < 3; i++) {
		code_mov(c, R1, R6);
		code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(fd_sets[0]) + i * FD_BITS_MAX / 8);
		code_load(c, SIZE_4, R2, R6, IN_SCRATCH(fd_bits));
		code_alu_n(c, BPF_ADD, R2, 7);
		code_alu_n(c, BPF_RSH, R2, 3);
		code_if_n(c, BPF_JGT, R2, FD_BITS_MAX / 8, none);
		code_load(c, SIZE_8, R3, R6, IN_SCRATCH(args) + 8 * (i + 1));
		code_call(c, HELPER_READ_USER);
	}
	run(m);
}

void maker_append_fds(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned none = code_label(c), inside = code_label(c), sets = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_FDS);
	code_alu_n(c, BPF_AND, R1, WANTED_RESULT - 1);
	code_if_n(c, BPF_JEQ, R1, 0, inside);
	append_args(m);
	if (m->config->fds == WANTED_PACKETS) {
		code_place(c, inside);
		return;
	}
	code_jump(c, none);
	/* Those calls have none among their arguments. */
	code_place(c, inside);
	code_load(c, SIZE_8, R1, FP, AT_FDS);
	code_alu_n(c, BPF_AND, R1, WANTED_FD_SETS);
	code_if_n(c, BPF_JNE, R1, 0, sets);
	code_load(c, SIZE_8, R1, FP, AT_FDS);
	code_alu_n(c, BPF_RSH, R1, WANTED_POLLFDS_SHIFT);
	code_alu_n(c, BPF_AND, R1, WANTED_POLLFDS_MASK);
	code_if_n(c, BPF_JEQ, R1, 0, none);
	append_pollfds(m, none);
	code_jump(c, none);
	code_place(c, sets);
	append_sets(m, none);
	code_place(c, none);
}

/* The two descriptors that an argument points to, if the call has made them. */
static void append_pair(const struct program_maker *m, unsigned none)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R7, IN_STATE(fds));
	code_alu_n(c, BPF_RSH, R1, WANTED_PAIR_SHIFT);
	code_alu_n(c, BPF_AND, R1, WANTED_PAIR_MASK);
	code_if_n(c, BPF_JEQ, R1, 0, none);
	code_load(c, SIZE_8, R2, FP, AT_NR);
	code_if_n(c, BPF_JNE, R2, 0, none);
	code_alu_n(c, BPF_SUB, R1, 1);
	load_arg(c, R3, R1, 0);
	list_place(c);
	code_mov_n(c, R2, 2 * sizeof(int32_t));
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JNE, R0, 0, none);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(fds[0].events));
	code_store(c, SIZE_4, R6, IN_SCRATCH(fds[1]), R1);
	code_mov_n(c, R1, 2);
	set_count(c, R1);
	run(m);
}

void maker_append_new_fds(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned pair = code_label(c), none = code_label(c);

	code_load(c, SIZE_4, R1, R7, IN_STATE(fds));
	code_alu_n(c, BPF_AND, R1, WANTED_RESULT);
	code_if_n(c, BPF_JEQ, R1, 0, pair);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_if_n(c, BPF_JSLT, R1, 0, none);
	code_store(c, SIZE_4, R6, IN_SCRATCH(fds), R1);
	code_mov_n(c, R1, 1);
	set_count(c, R1);
	run(m);
	code_jump(c, none);
	code_place(c, pair);
	append_pair(m, none);
	code_place(c, none);
}
