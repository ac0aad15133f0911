/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine riscv64, which has only a 64-bit mode. */
#include "linux/arch/arch.h"

#include <elf.h>
#include <linux/audit.h>
#include <string.h>
#if defined(__riscv) && __riscv_xlen == 64
#include <asm/ptrace.h>
#endif

#include "linux/arch/abi.h"
#include "linux/arch/riscv64/code.h"

/* The registers of struct user_regs_struct (asm/ptrace.h), 8 bytes each: the pc, then x1 to x31. */
enum { PC = 0, RA = 1, SP = 2, TP = 4, FP = 8, A0 = 10, A7 = 17, COUNT = 32 };
#define AT(r) (8 * (r))

#if defined(__riscv) && __riscv_xlen == 64
_Static_assert(sizeof(struct user_regs_struct) == AT(COUNT), "layout of struct user_regs_struct");
_Static_assert(offsetof(struct user_regs_struct, sp) == AT(SP),
	       "layout of struct user_regs_struct");
_Static_assert(offsetof(struct user_regs_struct, s0) == AT(FP),
	       "layout of struct user_regs_struct");
_Static_assert(offsetof(struct user_regs_struct, a7) == AT(A7),
	       "layout of struct user_regs_struct");
#endif
_Static_assert(AT(COUNT) <= ARCH_REGS_MAX, "ARCH_REGS_MAX is too small");

/*
 * The registers in the order of their DWARF numbers (RISC-V DWARF Specification, "DWARF Register
 * Numbers"). Column 0 belongs to x0, which is always zero. CFI never restores x0, so column 0 is
 * used for the pc. x1 to x31 and f0 to f31 follow.
 */
#define F0 32
static const uint16_t columns[] = {AT(PC), AT(1),  AT(2),  AT(3),  AT(4),  AT(5),  AT(6),  AT(7),
				   AT(8),  AT(9),  AT(10), AT(11), AT(12), AT(13), AT(14), AT(15),
				   AT(16), AT(17), AT(18), AT(19), AT(20), AT(21), AT(22), AT(23),
				   AT(24), AT(25), AT(26), AT(27), AT(28), AT(29), AT(30), AT(31)};
_Static_assert(ARRAY_SIZE(columns) <= ARCH_COLUMNS_MAX, "ARCH_COLUMNS_MAX is too small");

/* Registers of a syscall; see syscall(2). */
static const struct arch_call calls[] = {
	{.audit = AUDIT_ARCH_RISCV64,
	 .nr = AT(A7),
	 .ret = AT(A0),
	 .args = {AT(A0), AT(A0 + 1), AT(A0 + 2), AT(A0 + 3), AT(A0 + 4), AT(A0 + 5)}}};

/*
 * struct rt_sigframe of arch/riscv/kernel/signal.c: a siginfo and a struct ucontext. The struct
 * sigcontext in the ucontext is aligned to 16 bytes and begins with the registers.
 */
#define SIGFRAME_REGS (128 + 176)
static const uint8_t sigframe_columns[] = {PC, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					   22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static const uint8_t sigreturn_code[] = {0x93, 0x08, 0xb0, 0x08,
					 0x73, 0x00, 0x00, 0x00}; /* li a7, 139; ecall */
static const struct arch_sigframe sigframe = {sigreturn_code, sizeof(sigreturn_code),
					      SIGFRAME_REGS};

static const struct arch_mode modes[] = {{.arch = &arch_riscv64,
					  .elf_machine = EM_RISCV,
					  .regs_size = AT(COUNT),
					  .word = 8,
					  .columns = ARRAY_SIZE(columns),
					  .rules = F0 + 32,
					  .sp = SP,
					  .bp = FP,
					  .ra = RA,
					  .pc = PC,
					  .column_at = columns,
					  .calls = calls,
					  .ncalls = ARRAY_SIZE(calls),
					  .ra_mask = UINT64_MAX,
					  .chain = {.bp = -2, .ra = -1, .sp = 0, .sp_known = true},
					  .sigframes = &sigframe,
					  .nsigframes = 1,
					  .sigframe_nregs = ARRAY_SIZE(sigframe_columns),
					  .sigframe_regs = sigframe_columns,
					  .sigframe_bare = true,
					  .code = &code_riscv64}};

/*
 * The kernel's struct pt_regs (asm/ptrace.h) begins with the pc and x1 to x31. The members status,
 * badaddr, cause and orig_a0 follow.
 */
#define ORIG_A0 (COUNT + 3)

static const struct arch_call kernel_calls[] = {
	{.audit = AUDIT_ARCH_RISCV64,
	 .nr = AT(A7),
	 .ret = AT(A0),
	 .args = {AT(ORIG_A0), AT(A0 + 1), AT(A0 + 2), AT(A0 + 3), AT(A0 + 4), AT(A0 + 5)}}};

static const struct arch_mode *regs_of_kernel(const void *kernel, size_t n, uint8_t *set)
{
	if (n < AT(COUNT))
		return NULL;
	memcpy(set, kernel, AT(COUNT));
	return &modes[0];
}

const struct arch arch_riscv64 = {
	.name = "riscv64",
	.first_arg_by_info = true,
	.abi = ABI_RISCV64,
	.modes = modes,
	.nmodes = ARRAY_SIZE(modes),
	.kernel_calls = kernel_calls,
	.nkernel_calls = ARRAY_SIZE(kernel_calls),
	.thread_area = {ARCH_IN_REGS, AT(TP)},
	.kernel_regs = AT(COUNT),
	.regs_of_kernel = regs_of_kernel,
	.aligned_programs = true,
};
