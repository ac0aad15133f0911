/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that the machine and ABI tables in linux/arch are consistent and agree with the kernel. */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/audit.h>

#include "range.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "linux/arch/code.h"

static void test_abis(void **state attr_unused)
{
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		const struct abi *abi = &abis[i];

		assert_int_equal(abi->index, i);
		assert_non_null(abi->arch);
		assert_ptr_equal(abi_find(abi->audit, abi->nr_mask | 0), abi);
		assert_int_equal(abi->compat, abi->klong_size == 4);
		/*
		 * The seccomp filter requires ABIs with the same audit value to be sorted by mask.
		 */
		for (unsigned j = 0; j < i; j++)
			if (abis[j].audit == abi->audit)
				assert_true(abis[j].nr_mask < abi->nr_mask);
	}
	assert_null(abi_find(0, 0));
	assert_ptr_equal(abi_native()->arch, arch_native);
}

static void test_numbers(void **state attr_unused)
{
	const struct abi *i386 = &abis[ABI_I386], *native = abi_native();

	assert_true(abi_ends_thread(native, SYS_exit));
	assert_true(abi_ends_thread(native, SYS_exit_group));
	assert_false(abi_ends_thread(native, SYS_getpid));
	assert_true(abi_ends_thread(i386, 1));
	assert_true(abi_ends_thread(i386, 252));
	/*
	 * On i386, the old syscalls mmap and select pass their arguments in a block of memory.
	 * mmap2 and _newselect do not.
	 */
	assert_true(abi_takes_block(i386, 90));
	assert_true(abi_takes_block(i386, 82));
	assert_false(abi_takes_block(i386, 192));
	assert_false(abi_takes_block(i386, 142));
	assert_false(abi_takes_block(native, SYS_mmap));
	/* x32 syscall numbers have the x32 bit set and fit in an int. */
	assert_ptr_equal(abi_find(AUDIT_ARCH_X86_64, 0x40000001), &abis[ABI_X32]);
	assert_ptr_equal(abi_find(AUDIT_ARCH_X86_64, 0xc0000001), &abis[ABI_X86_64]);
	assert_ptr_equal(abi_find(AUDIT_ARCH_X86_64, UINT64_MAX), &abis[ABI_X86_64]);
}

static void test_modes(void **state attr_unused)
{
	for (unsigned i = 0; i < arch_native->nmodes; i++) {
		const struct arch_mode *m = &arch_native->modes[i];
		uint64_t seen = 0;

		assert_ptr_equal(m->arch, arch_native);
		assert_ptr_equal(arch_mode_of_regs(arch_native, m->regs_size), m);
		assert_ptr_equal(arch_mode_of_elf(m->elf_machine), m);
		assert_true(m->columns <= ARCH_COLUMNS_MAX && m->regs_size <= ARCH_REGS_MAX);
		assert_true(m->sp < m->columns && m->bp < m->columns && m->ra < m->columns &&
			    m->pc < m->columns);
		for (unsigned c = 0; c < m->columns; c++) {
			assert_true(m->column_at[c] + m->word <= m->regs_size);
			for (unsigned d = 0; d < c; d++)
				assert_int_not_equal(m->column_at[c], m->column_at[d]);
		}
		for (unsigned k = 0; k < m->nsigframes; k++)
			assert_true(m->sigframes[k].code_len <= ARCH_SIGRETURN_MAX);
		for (unsigned k = 0; k < m->sigframe_nregs; k++)
			seen |= 1ull << m->sigframe_regs[k];
		if (m->nsigframes)
			assert_int_equal(seen, UINT64_MAX >> (64 - m->columns));
	}
	assert_null(arch_mode_of_regs(arch_native, 1));
	assert_null(arch_mode_of_elf(EM_NONE));
	assert_ptr_equal(arch_mode_of_call(AUDIT_ARCH_X86_64), arch_mode_of_elf(EM_X86_64));
	/*
	 * Both 32-bit and 64-bit code can make syscalls with int $0x80, so this does not determine
	 * the mode.
	 */
	assert_null(arch_mode_of_call(AUDIT_ARCH_I386));
	assert_null(arch_mode_of_call(0));
}

/* A child stops in a syscall with known arguments, which must be found in the child's registers. */
static void test_registers(void **state attr_unused)
{
	const uint64_t args[] = {0x1111222233334444, 2, 3, 4, 5, 0x6666777788889999};
	const struct arch_call *call;
	struct arch_regs regs;
	struct iovec v = {regs.bytes, sizeof(regs.bytes)};
	uint64_t columns[ARCH_COLUMNS_MAX];
	/* With AddressSanitizer, variables may be outside of the stack. */
	const uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
	pid_t pid = fork();
	int status;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0L, 0L, 0L);
		raise(SIGSTOP);
		syscall(SYS_getpid, args[0], args[1], args[2], args[3], args[4], args[5]);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	do {
		assert_int_equal(ptrace(PTRACE_SYSCALL, pid, 0L, 0L), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSTOPPED(status));
		v.iov_len = sizeof(regs.bytes);
		assert_int_equal(ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &v), 0);
		regs.mode = arch_mode_of_regs(arch_native, v.iov_len);
		assert_non_null(regs.mode);
		assert_int_equal(arch_in_call(&regs), regs.mode->shows_calls);
		call = arch_call_find(regs.mode, abi_native()->audit);
		assert_non_null(call);
	} while (arch_word(&regs, call->nr) != SYS_getpid);
	/*
	 * If the first argument and the result share a register, the kernel has already stored
	 * -ENOSYS in it.
	 */
	if (arch_native->first_arg_by_info)
		assert_int_equal(arch_word(&regs, call->args[0]), -ENOSYS);
	else
		assert_int_equal(arch_word(&regs, call->args[0]), args[0]);
	for (unsigned i = 1; i < ARRAY_SIZE(args); i++)
		assert_int_equal(arch_word(&regs, call->args[i]), args[i]);
	arch_columns(&regs, columns);
	/* The child still runs on the stack that it inherited from this process. */
	assert_uint_in_range(columns[regs.mode->sp], stack - 65536, stack + 65536);
	assert_int_equal(ptrace(PTRACE_SYSCALL, pid, 0L, 0L), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &v), 0);
	assert_int_equal(arch_word(&regs, call->ret), pid);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

/* Code in fake memory that starts at address 0. */
struct bytes {
	const uint8_t *p;
	size_t n;
};

static bool read_bytes(void *ctx, uint64_t addr, void *buf, size_t n)
{
	const struct bytes *b = ctx;

	if (addr > b->n || n > b->n - addr)
		return false;
	memcpy(buf, b->p + addr, n);
	return true;
}

static bool find_exit_aarch64(const uint32_t *insns, size_t n, struct code_exit *x)
{
	struct bytes b = {(const uint8_t *)insns, n};

	return arch_aarch64.modes[0].code->find_exit(&(struct code_source){read_bytes, &b}, 0, x);
}

#define EXIT_AARCH64(x, ...)                                                                       \
	find_exit_aarch64((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}), x)

static void test_code_aarch64(void **state)
{
	struct code_exit x;

	(void)state;
	assert_true(EXIT_AARCH64(&x, 0xd65f03c0)); /* ret */
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	/* ldp x19, x20, [sp, #16]; ldp x29, x30, [sp], #48; autiasp; ret */
	assert_true(EXIT_AARCH64(&x, 0xa94153f3, 0xa8c37bfd, 0xd50323bf, 0xd65f03c0));
	assert_false(x.ra_kept);
	assert_int_equal(x.base, 31);
	assert_int_equal(x.sp, 48);
	assert_int_equal(x.ra, 8);
	assert_int_equal(x.saved, 1 << 19 | 1 << 20 | 1 << 29);
	assert_int_equal(x.at[20], 24);
	assert_int_equal(x.at[29], 0);
	/* paciasp; stp x29, x30, [sp, #-16]!; mov x29, sp; bl; ldp x29, x30, [sp], #16; retaa */
	assert_true(EXIT_AARCH64(&x, 0xd503233f, 0xa9bf7bfd, 0x910003fd, 0x94000010, 0xa8c17bfd,
				 0xd65f0bff));
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	assert_int_equal(x.saved, 0);
	/* sub sp, x29, #16; ldr x19, [sp], #16; ldp x29, x30, [sp], #32; ret */
	assert_true(EXIT_AARCH64(&x, 0xd10043bf, 0xf84107f3, 0xa8c27bfd, 0xd65f03c0));
	assert_int_equal(x.base, 29);
	assert_int_equal(x.sp, 32);
	assert_int_equal(x.ra, 8);
	assert_int_equal(x.at[19], -16);
	/* ldr x30, [sp, #8]; add sp, sp, #1, lsl #12; ret */
	assert_true(EXIT_AARCH64(&x, 0xf94007fe, 0x914007ff, 0xd65f03c0));
	assert_int_equal(x.ra, 8);
	assert_int_equal(x.sp, 4096);
	/* cbz x0, to the ret; brk; ret */
	assert_true(EXIT_AARCH64(&x, 0xb4000040, 0xd4200000, 0xd65f03c0));
	assert_false(EXIT_AARCH64(&x, 0x94000010, 0xd65f03c0)); /* bl; ret */
	assert_false(EXIT_AARCH64(&x, 0x14000000));		/* a loop */
	assert_false(EXIT_AARCH64(&x, 0xd61f0000));		/* br x0 */
	/* adrp x16; ldr x17, [x16, #8]; add x16, x16, #8; br x17, as in a procedure linkage table
	 */
	assert_true(EXIT_AARCH64(&x, 0x90000110, 0xf9400611, 0x91002210, 0xd61f0220));
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	assert_int_equal(x.saved, 0);
	/* ldp x29, x30, [sp], #32; br x16. Then a br x16 while the frame still exists. */
	assert_true(EXIT_AARCH64(&x, 0xa8c27bfd, 0xd61f0200));
	assert_int_equal(x.sp, 32);
	assert_int_equal(x.ra, 8);
	assert_false(EXIT_AARCH64(&x, 0x94000010, 0xd61f0200)); /* bl; br x16 */
	assert_false(EXIT_AARCH64(&x, 0xd10043ff, 0xd61f0200)); /* sub sp, sp, #16; br x16 */
	assert_false(EXIT_AARCH64(&x, 0x927cec1f, 0xd65f03c0)); /* and sp, x0, #-16; ret */
	assert_false(EXIT_AARCH64(&x, 0x8b2063ff, 0xd65f03c0)); /* add sp, sp, x0; ret */
	assert_false(EXIT_AARCH64(&x, 0xd503201f));		/* a nop at the end of the code */
	srand(1);
	for (int round = 0; round < 10000; round++) {
		uint32_t any[64];

		for (size_t i = 0; i < ARRAY_SIZE(any); i++)
			any[i] = (uint32_t)rand() << 16 ^ (uint32_t)rand();
		find_exit_aarch64(any, sizeof(any), &x);
	}
}

/*
 * regs_of_kernel() converts the kernel's struct pt_regs to a register set in which each register
 * keeps its position. On aarch64, it also recognizes a thread that runs 32-bit code.
 */
static void test_kernel_regs(void **state attr_unused)
{
	struct arch_regs regs;
	uint64_t kernel[36];

	for (unsigned i = 0; i < ARRAY_SIZE(kernel); i++)
		kernel[i] = 0x5a5a5a5a00000000 | (i + 1) << 8;
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		const struct arch *arch = abis[i].arch;
		const struct arch_mode *wide = arch->modes;
		bool found = false;

		for (unsigned k = 0; k < arch->nkernel_calls; k++)
			found = found || arch->kernel_calls[k].audit == abis[i].audit;
		assert_true(found);
		assert_null(arch->regs_of_kernel(kernel, 8, regs.bytes));
		regs.mode = arch->regs_of_kernel(kernel, sizeof(kernel), regs.bytes);
		assert_ptr_equal(regs.mode, wide);
		for (unsigned c = 0; c < wide->columns; c++)
			assert_int_equal(arch_word(&regs, wide->column_at[c]),
					 kernel[wide->column_at[c] / 8]);
	}
	/* Set the bit for 32-bit code: bit 4 of pstate, which follows x0 to x30, sp and pc. */
	kernel[33] |= 0x10;
	regs.mode = arch_aarch64.regs_of_kernel(kernel, sizeof(kernel), regs.bytes);
	assert_ptr_equal(regs.mode, arch_mode_of_elf(EM_ARM));
	for (unsigned c = 0; c < 15; c++)
		assert_int_equal(arch_word(&regs, regs.mode->column_at[c]), (c + 1) << 8);
	assert_int_equal(arch_word(&regs, regs.mode->column_at[regs.mode->pc]), 33 << 8);
}

/* Takes the code as 2-byte units. A 4-byte instruction is two units, the lower half first. */
static bool find_exit_riscv64(const uint16_t *halves, size_t n, struct code_exit *x)
{
	struct bytes b = {(const uint8_t *)halves, n};

	return arch_riscv64.modes[0].code->find_exit(&(struct code_source){read_bytes, &b}, 0, x);
}

#define EXIT_RISCV64(x, ...)                                                                       \
	find_exit_riscv64((const uint16_t[]){__VA_ARGS__}, sizeof((uint16_t[]){__VA_ARGS__}), x)

static void test_code_riscv64(void **state)
{
	struct code_exit x;

	(void)state;
	assert_true(EXIT_RISCV64(&x, 0x8082)); /* ret */
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	/* ld s0, 16(sp); ld ra, 24(sp); ld s2, 8(sp); addi sp, sp, 32; ret */
	assert_true(EXIT_RISCV64(&x, 0x6442, 0x60e2, 0x6922, 0x6105, 0x8082));
	assert_false(x.ra_kept);
	assert_int_equal(x.sp, 32);
	assert_int_equal(x.ra, 24);
	assert_int_equal(x.saved, 1 << 8 | 1 << 18);
	assert_int_equal(x.at[18], 8);
	/*
	 * addi sp, sp, -16; sd ra, 8(sp); sd s0, 0(sp); addi s0, sp, 16; jal ra; ld ra, 8(sp);
	 * ld s0, 0(sp); addi sp, sp, 16; ret
	 */
	assert_true(EXIT_RISCV64(&x, 0x1141, 0xe406, 0xe022, 0x0800, 0x00ef, 0x0400, 0x60a2, 0x6402,
				 0x0141, 0x8082));
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	assert_int_equal(x.saved, 0);
	/* addi sp, s0, -32; ld s1, 8(sp); ld ra, 24(sp); ld s0, 16(sp); addi sp, sp, 32; ret */
	assert_true(EXIT_RISCV64(&x, 0x0113, 0xfe04, 0x64a2, 0x60e2, 0x6442, 0x6105, 0x8082));
	assert_int_equal(x.base, 8);
	assert_int_equal(x.sp, 0);
	assert_int_equal(x.ra, -8);
	assert_int_equal(x.at[9], -24);
	/* The same with uncompressed instructions: ld ra, 1000(sp); addi sp, sp, 1024; ret */
	assert_true(EXIT_RISCV64(&x, 0x3083, 0x3e81, 0x0113, 0x4001, 0x8067, 0x0000));
	assert_int_equal(x.sp, 1024);
	assert_int_equal(x.ra, 1000);
	/*
	 * addi sp, sp, -800; sd s11, 792(sp); sd ra, 784(sp); jalr a5; ld s11, 792(sp);
	 * ld ra, 784(sp); addi sp, sp, 800; ret
	 */
	assert_true(EXIT_RISCV64(&x, 0x0113, 0xce01, 0x3c23, 0x31b1, 0x3823, 0x3011, 0x80e7, 0x0007,
				 0x3d83, 0x3181, 0x3083, 0x3101, 0x0113, 0x3201, 0x8067, 0x0000));
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	/* addi sp, sp, 496; ld ra, -8(sp); ret */
	assert_true(EXIT_RISCV64(&x, 0x617d, 0x3083, 0xff81, 0x8082));
	assert_int_equal(x.sp, 496);
	assert_int_equal(x.ra, 488);
	/* mv s0, sp; mv sp, s0; ret */
	assert_true(EXIT_RISCV64(&x, 0x840a, 0x8122, 0x8082));
	assert_int_equal(x.base, 2);
	/* beqz a0, to the ret; ebreak; ret */
	assert_true(EXIT_RISCV64(&x, 0xc111, 0x9002, 0x8082));
	/* bne a1, a0, to the ebreak; j, to the ret; ebreak; ret */
	assert_true(EXIT_RISCV64(&x, 0x9363, 0x00a5, 0xa011, 0x9002, 0x8082));
	/* auipc t3; ld t3, 100(t3); jalr t1, t3, as in a procedure linkage table */
	assert_true(EXIT_RISCV64(&x, 0x2e17, 0x0000, 0x3e03, 0x064e, 0x0367, 0x000e));
	assert_true(x.ra_kept);
	assert_int_equal(x.sp, 0);
	/* ld ra, 72(sp); fld fa0, 80(sp); addi sp, sp, 144; jr t1 */
	assert_true(EXIT_RISCV64(&x, 0x60a6, 0x2546, 0x6149, 0x8302));
	assert_int_equal(x.sp, 144);
	assert_int_equal(x.ra, 72);
	assert_false(EXIT_RISCV64(&x, 0x8782));			/* jr a5 */
	assert_false(EXIT_RISCV64(&x, 0x1141, 0x8302));		/* addi sp, sp, -16; jr t1 */
	assert_false(EXIT_RISCV64(&x, 0x9782, 0x8082));		/* jalr a5; ret */
	assert_false(EXIT_RISCV64(&x, 0xa001));			/* a loop */
	assert_false(EXIT_RISCV64(&x, 0x7113, 0xff01, 0x8082)); /* andi sp, sp, -16; ret */
	assert_false(EXIT_RISCV64(&x, 0x0133, 0x4051, 0x8082)); /* sub sp, sp, t0; ret */
	assert_false(EXIT_RISCV64(&x, 0x02ef, 0x0400, 0x8082)); /* jal t0; ret */
	assert_false(EXIT_RISCV64(&x, 0x8116, 0x8082));		/* mv sp, t0; ret */
	assert_false(EXIT_RISCV64(&x, 0x0001));			/* a nop at the end of the code */
	assert_false(EXIT_RISCV64(&x, 0x0000, 0x8082));		/* an invalid instruction */
	srand(1);
	for (int round = 0; round < 10000; round++) {
		uint16_t any[128];

		for (size_t i = 0; i < ARRAY_SIZE(any); i++)
			any[i] = (uint16_t)rand();
		find_exit_riscv64(any, sizeof(any), &x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_abis),	     cmocka_unit_test(test_code_aarch64),
		cmocka_unit_test(test_kernel_regs),  cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_modes),	     cmocka_unit_test(test_registers),
		cmocka_unit_test(test_code_riscv64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
