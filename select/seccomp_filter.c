/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "mmap_cache.h"
#include "select/seccomp_filter.h"
#include "util/vec.h"

#define LOAD(field)    LOAD_AT(offsetof(struct seccomp_data, field))
#define LOAD_AT(at)    ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at))
#define ANSWER(action) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action))
/* Offset of the low half of an argument. All bits that are tested are in this half. */
#define ARG_LOW(n)                                                                                 \
	(offsetof(struct seccomp_data, args) + (n) * sizeof(uint64_t) +                            \
	 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

enum verdict { ALLOW, TRACE, IF_EXEC, IF_MMAP, IF_UNTRACED, IF_USERFAULTFD };

/*
 * A range of syscall numbers with the same verdict. It ends before the first number of the next
 * range.
 */
struct run {
	uint32_t first;
	enum verdict verdict;
};

typedef VEC(struct run) runs_t;
typedef VEC(struct sock_filter) code_t;

static enum verdict verdict_of(const struct syscall_set *stop, const struct syscall_set *if_args,
			       const struct abi *abi, uint32_t nr)
{
	int row;

	if (syscall_set_has(stop, abi, nr))
		return TRACE;
	if (!if_args || nr >= SYSCALL_SET_MAX || !syscall_set_has(if_args, abi, nr))
		return ALLOW;
	/* The arguments of this syscall are in memory, which a filter cannot read. */
	if (abi_takes_block(abi, nr))
		return TRACE;
	row = abi_row(abi, nr);
	if (row == ROW_clone)
		return IF_UNTRACED;
	if (row == ROW_ioctl)
		return IF_USERFAULTFD;
	return row == ROW_mmap || row == ROW_mmap2 ? IF_MMAP : IF_EXEC;
}

static void add_runs(runs_t *runs, const struct syscall_set *stop,
		     const struct syscall_set *if_args, const struct abi *abi)
{
	/* SYSCALL_SET_MAX also stands for all larger numbers. */
	for (uint32_t nr = 0; nr <= SYSCALL_SET_MAX; nr++) {
		enum verdict v = verdict_of(stop, if_args, abi, nr);

		if (!runs->n || runs->v[runs->n - 1].verdict != v)
			*vec_push(runs) = (struct run){abi->nr_mask | nr, v};
	}
	for (uint32_t own = 0; abi->own_calls && own <= ABI_OWN_CALLS_END - ABI_OWN_CALLS; own++)
		*vec_push(runs) = (struct run){
			abi->own_calls + own,
			verdict_of(stop, if_args, abi,
				   (uint32_t)abi_set_number(abi, abi->own_calls + own))};
}

static void emit(code_t *code, struct sock_filter insn)
{
	*vec_push(code) = insn;
}

static void emit_verdict(code_t *code, enum verdict v)
{
	switch (v) {
	case ALLOW:
		emit(code, ANSWER(SECCOMP_RET_ALLOW));
		return;
	case TRACE:
		emit(code, ANSWER(SECCOMP_RET_TRACE));
		return;
	case IF_UNTRACED:
		emit(code, LOAD_AT(ARG_LOW(0)));
		emit(code, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_UNTRACED,
							0, 1));
		emit(code, ANSWER(SECCOMP_RET_TRACE));
		emit(code, ANSWER(SECCOMP_RET_ALLOW));
		return;
	case IF_USERFAULTFD:
		emit(code, LOAD_AT(ARG_LOW(1)));
		emit(code, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, USERFAULTFD_NEW,
							0, 1));
		emit(code, ANSWER(SECCOMP_RET_TRACE));
		emit(code, ANSWER(SECCOMP_RET_ALLOW));
		return;
	case IF_MMAP:
		emit(code, LOAD_AT(ARG_LOW(3)));
		emit(code,
		     (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_FIXED, 3, 0));
		emit(code,
		     (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 2));
		/* fall through */
	case IF_EXEC:
		emit(code, LOAD_AT(ARG_LOW(2)));
		emit(code,
		     (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1));
		emit(code, ANSWER(SECCOMP_RET_TRACE));
		emit(code, ANSWER(SECCOMP_RET_ALLOW));
	}
}

/*
 * Emits a binary search for the syscall number. Arguments are compared only after that. The kernel
 * can therefore determine, when the filter is installed, which numbers are always allowed, and it
 * does not run the program for these numbers.
 */
static void emit_search(code_t *code, const struct run *runs, size_t n)
{
	size_t half = n / 2, jump;

	if (n == 1) {
		emit_verdict(code, runs->verdict);
		return;
	}
	/*
	 * A conditional jump can skip at most 255 instructions, so skip the lower half with BPF_JA.
	 */
	emit(code, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, runs[half].first, 0, 1));
	jump = code->n;
	emit(code, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	emit_search(code, runs, half);
	code->v[jump].k = (uint32_t)(code->n - jump - 1);
	emit_search(code, runs + half, n - half);
}

/*
 * Emits the code for calls with this audit value. These calls belong to one ABI, or to several ABIs
 * with different ranges of numbers.
 */
static void emit_audit(code_t *code, uint32_t audit, const struct syscall_set *stop,
		       const struct syscall_set *if_args)
{
	runs_t runs = {0};
	size_t jump;

	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abis[i].audit == audit)
			add_runs(&runs, stop, if_args, &abis[i]);
	emit(code, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, audit, 1, 0));
	jump = code->n;
	emit(code, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	emit(code, LOAD(nr));
	emit_search(code, runs.v, runs.n);
	code->v[jump].k = (uint32_t)(code->n - jump - 1);
	vec_deinit(&runs);
}

/*
 * Returns the set to which a syscall must be added because tracer must stop at it even if the
 * syscall is not shown, or NULL for other syscalls.
 */
static struct syscall_set *set_of(int row, bool stacks, struct syscall_set *stop,
				  struct syscall_set *stop_if_args)
{
	if (syscall_descs[row].flags & SYSCALL_F_EXECVE)
		return stop;
	/* clone3 can set CLONE_UNTRACED. Its flags are in memory, which a filter cannot read. */
	if (row == ROW_clone3)
		return stop;
	if (row == ROW_clone)
		return stop_if_args;
	if (stacks && row == ROW_userfaultfd)
		return stop;
	if (stacks && row == ROW_ioctl)
		return stop_if_args;
	switch (stacks ? syscall_desc_mm(&syscall_descs[row]) : MM_NONE) {
	case MM_NONE:
	case MM_CLONE: /* with -f, the event that reports the new thread is enough */
		return NULL;
	case MM_BRK: /* see find_slow() in mmap_cache.c */
		return NULL;
	case MM_MUNMAP:
	case MM_SHMDT:
		/*
		 * These calls remove mappings. Outdated mappings are harmless until one of the
		 * calls below maps new code in their place.
		 */
		return NULL;
	case MM_MMAP:
	case MM_MPROTECT:
		return stop_if_args;
	default:
		return stop;
	}
}

void seccomp_filter_sets(const struct syscall_set *shown, bool stacks, struct syscall_set *stop,
			 struct syscall_set *stop_if_args)
{
	*stop = *shown;
	syscall_set_fill(stop_if_args, false);
	for (unsigned a = 0; a < ABI_COUNT; a++) {
		for (uint32_t nr = 0; nr < abis[a].nrows && nr < SYSCALL_SET_MAX; nr++) {
			int row = abi_row(&abis[a], nr | abis[a].nr_mask);
			struct syscall_set *set =
				row < 0 ? NULL : set_of(row, stacks, stop, stop_if_args);

			if (set)
				set->bits[a][nr / 64] |= (uint64_t)1 << nr % 64;
		}
	}
	syscall_set_add_outer(stop);
}

bool seccomp_filter_build(const struct syscall_set *stop, const struct syscall_set *stop_if_args,
			  struct sock_fprog *out)
{
	code_t code = {0};

	*out = (struct sock_fprog){0};
	emit(&code, LOAD(arch));
	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abis[i].arch == arch_native && !abis[i].nr_mask)
			emit_audit(&code, abis[i].audit, stop, stop_if_args);
	emit(&code, ANSWER(SECCOMP_RET_TRACE));
	if (code.n > BPF_MAXINSNS) {
		vec_deinit(&code);
		return false;
	}
	out->len = (unsigned short)code.n;
	out->filter = code.v;
	return true;
}

bool seccomp_filter_available(void)
{
	/*
	 * The kernel returns EFAULT for the null pointer only if it supports filters and permits
	 * their use.
	 */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 && errno == EFAULT;
}
