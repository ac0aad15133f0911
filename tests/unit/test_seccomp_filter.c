/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs seccomp filter programs in a small interpreter, for every syscall number and ABI. */
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "linux/syscall_desc.h"
#include "select/seccomp_filter.h"

static uint32_t interpret(const struct sock_fprog *p, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (unsigned pc = 0; pc < p->len; pc++) {
		const struct sock_filter *i = &p->filter[pc];

		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(i->k + 4 <= sizeof(*data) && i->k % 4 == 0);
			memcpy(&a, (const char *)data + i->k, 4);
			break;
		case BPF_JMP | BPF_JA:
			pc += i->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			pc += a == i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			pc += a >= i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			pc += a & i->k ? i->jt : i->jf;
			break;
		case BPF_RET | BPF_K:
			return i->k;
		default:
			fail_msg("instruction %#x", i->code);
		}
	}
	fail_msg("ran off the end");
	return 0;
}

static uint32_t ask_with(const struct sock_fprog *p, unsigned abi, uint32_t nr,
			 struct seccomp_data d)
{
	d.nr = (int)(nr | abis[abi].nr_mask);
	d.arch = abis[abi].audit;
	return interpret(p, &d);
}

static uint32_t ask(const struct sock_fprog *p, unsigned abi, uint32_t nr, uint64_t prot,
		    uint64_t flags)
{
	return ask_with(p, abi, nr, (struct seccomp_data){.args = {1, 4096, prot, flags}});
}

/* Returns the number of a syscall in an ABI, or -1 if the ABI does not have the syscall. */
static int number(unsigned abi, const char *name)
{
	return abi_number(&abis[abi], (unsigned)syscall_desc_find(name));
}

static void check(const struct syscall_set *set)
{
	struct sock_fprog p;

	assert_true(seccomp_filter_build(set, NULL, &p));
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		for (uint32_t nr = 0; nr < SYSCALL_SET_MAX + 100; nr++) {
			/* The filter does not know the syscalls of other machines. */
			bool stop =
				!abi_runs_here(&abis[abi]) || syscall_set_has(set, &abis[abi], nr);

			assert_int_equal(ask(&p, abi, nr, 0, 0),
					 stop ? SECCOMP_RET_TRACE : SECCOMP_RET_ALLOW);
		}
	}
	free(p.filter);
}

static void test_sets(void **state attr_unused)
{
	struct syscall_set set;

	syscall_set_fill(&set, false);
	check(&set);
	syscall_set_fill(&set, true);
	check(&set);
	syscall_set_parse(&set, "chdir");
	check(&set);
	syscall_set_parse(&set, "!chdir,%file");
	check(&set);
	syscall_set_parse(&set, "%network,read@64");
	check(&set);
#ifdef __x86_64__
	syscall_set_parse(&set, "%network,read@32");
	check(&set);
#endif
}

static void test_random(void **state attr_unused)
{
	struct syscall_set set;
	uint64_t x = 88172645463325252u;

	/*
	 * For sets of any density, the filter must not be too long, and must return
	 * SECCOMP_RET_TRACE for exactly the syscalls in the set.
	 */
	for (int dense = 0; dense < 8; dense++) {
		for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
			for (unsigned i = 0; i < SYSCALL_SET_MAX / 64; i++) {
				uint64_t bits = UINT64_MAX;

				for (int k = 0; k < dense; k++) {
					x ^= x << 13, x ^= x >> 7, x ^= x << 17;
					bits &= x;
				}
				set.bits[abi][i] = i < 6 ? bits : 0;
			}
		}
		set.beyond = dense & 1;
		check(&set);
	}
}

static void test_too_long(void **state attr_unused)
{
	struct syscall_set set;
	struct sock_fprog p;

	/* A filter for a single ABI always fits. */
	if (abi_native()->index != ABI_X86_64)
		skip();
	memset(&set, 0x55, sizeof(set));
	set.beyond = false;
	assert_false(seccomp_filter_build(&set, NULL, &p));
	assert_null(p.filter);
}

static void test_exec(void **state attr_unused)
{
	struct syscall_set set, if_args;
	struct sock_fprog p;
	struct seccomp_data alien = {.arch = AUDIT_ARCH_S390X};

	syscall_set_parse(&set, "execve,munmap");
	syscall_set_parse(&if_args, "mmap,?mmap2,mprotect,munmap,ioctl");
	assert_true(seccomp_filter_build(&set, &if_args, &p));
	for (unsigned a = 0; a < ABI_COUNT; a++) {
		const int mmap2 = number(a, "mmap2"), map = mmap2 < 0 ? number(a, "mmap") : mmap2;
		const int protect = number(a, "mprotect");

		if (!abi_runs_here(&abis[a]))
			continue;
		assert_int_equal(ask(&p, a, map, PROT_READ, MAP_ANONYMOUS), SECCOMP_RET_ALLOW);
		assert_int_equal(ask(&p, a, map, PROT_READ, 0), SECCOMP_RET_TRACE);
		assert_int_equal(ask(&p, a, map, PROT_EXEC, MAP_ANONYMOUS), SECCOMP_RET_TRACE);
		assert_int_equal(ask(&p, a, map, PROT_READ, MAP_ANONYMOUS | MAP_FIXED),
				 SECCOMP_RET_TRACE);
		assert_int_equal(ask_with(&p, a, number(a, "ioctl"),
					  (struct seccomp_data){.args = {3, USERFAULTFD_NEW}}),
				 SECCOMP_RET_TRACE);
		assert_int_equal(ask_with(&p, a, number(a, "ioctl"),
					  (struct seccomp_data){.args = {USERFAULTFD_NEW, 1}}),
				 SECCOMP_RET_ALLOW);
		assert_int_equal(ask(&p, a, protect, PROT_READ, MAP_FIXED), SECCOMP_RET_ALLOW);
		assert_int_equal(ask(&p, a, protect, PROT_READ | PROT_EXEC, 0), SECCOMP_RET_TRACE);
		assert_int_equal(ask(&p, a, number(a, "munmap"), 0, 0), SECCOMP_RET_TRACE);
		assert_int_equal(ask(&p, a, number(a, "brk"), PROT_EXEC, 0), SECCOMP_RET_ALLOW);
	}
	assert_int_equal(interpret(&p, &alien), SECCOMP_RET_TRACE);
	free(p.filter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_exec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
