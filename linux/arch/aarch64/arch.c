/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine aarch64, with its 64-bit mode and its 32-bit mode (AArch32). */
#include "linux/arch/arch.h"

#include <elf.h>
#include <linux/audit.h>
#include <string.h>
#ifdef __aarch64__
#include <asm/ptrace.h>
#endif

#include "linux/arch/aarch64/code.h"
#include "linux/arch/abi.h"
#include "linux/arch/arm/code.h"

/*
 * Indexes of the registers in struct user_pt_regs (asm/ptrace.h), 8 bytes each. x0 to x30 come
 * first.
 */
enum { SP = 31, PC, PSTATE, COUNT };
#define AT(r) (8 * (r))

#ifdef __aarch64__
_Static_assert(sizeof(struct user_pt_regs) == AT(COUNT), "the registers of the kernel");
_Static_assert(offsetof(struct user_pt_regs, sp) == AT(SP), "the same");
_Static_assert(offsetof(struct user_pt_regs, pc) == AT(PC), "the same");
#endif
_Static_assert(AT(COUNT) <= ARCH_REGS_MAX, "the room for them");

/*
 * The registers in the order of their DWARF numbers (DWARF for the Arm 64-bit Architecture, 4.1):
 * x0 to x30, sp and pc. v0 to v31 have higher numbers.
 */
#define V0 64
static const uint16_t columns[] = {
	AT(0),	AT(1),	AT(2),	AT(3),	AT(4),	AT(5),	AT(6),	AT(7),	AT(8),	AT(9),	AT(10),
	AT(11), AT(12), AT(13), AT(14), AT(15), AT(16), AT(17), AT(18), AT(19), AT(20), AT(21),
	AT(22), AT(23), AT(24), AT(25), AT(26), AT(27), AT(28), AT(29), AT(30), AT(SP), AT(PC)};
_Static_assert(ARRAY_SIZE(columns) <= ARCH_COLUMNS_MAX, "the room for them");

/* Registers of a syscall; see syscall(2). */
static const struct arch_call calls[] = {{.audit = AUDIT_ARCH_AARCH64,
					  .nr = AT(8),
					  .ret = AT(0),
					  .args = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5)}}};

/*
 * Offset in bytes of the registers in struct rt_sigframe of arch/arm64/kernel/signal.c. Before the
 * registers are a siginfo, the members of struct ucontext before its struct sigcontext, and the
 * member fault_address of the sigcontext. The sigcontext is aligned to 16 bytes.
 */
#define SIGFRAME_REGS (128 + 176 + 8)
static const uint8_t sigframe_columns[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					   22, 23, 24, 25, 26, 27, 28, 29, 30, SP, PC};
static const uint8_t sigreturn_code[] = {0x68, 0x11, 0x80, 0xd2,
					 0x01, 0x00, 0x00, 0xd4}; /* mov x8, #139; svc #0 */
static const struct arch_sigframe sigframe = {sigreturn_code, sizeof(sigreturn_code),
					      SIGFRAME_REGS};

/* AArch32: the registers of Arm's asm/ptrace.h, 4 bytes each: r0 to r15, cpsr and orig_r0. */
enum { R7 = 7, R_BP = 11, R_SP = 13, R_LR, R_PC, R_CPSR, COUNT_32 = 18 };
#define AT_32(r) (4 * (r))
#define CPSR_T	 0x20 /* PSR_T_BIT: the code at pc is Thumb (T32) code */

/*
 * The registers in the order of their DWARF numbers (DWARF for the Arm Architecture, 4.1): r0 to
 * r15. CFI does not use the cpsr, which follows them.
 */
static const uint16_t columns_32[] = {AT_32(0),	 AT_32(1),     AT_32(2),  AT_32(3),  AT_32(4),
				      AT_32(5),	 AT_32(6),     AT_32(7),  AT_32(8),  AT_32(9),
				      AT_32(10), AT_32(11),    AT_32(12), AT_32(13), AT_32(14),
				      AT_32(15), AT_32(R_CPSR)};

/* Registers of a syscall, see syscall(2): arm/EABI. */
static const struct arch_call calls_32[] = {
	{.audit = AUDIT_ARCH_ARM,
	 .nr = AT_32(R7),
	 .ret = AT_32(0),
	 .args = {AT_32(0), AT_32(1), AT_32(2), AT_32(3), AT_32(4), AT_32(5)}}};

/*
 * struct compat_sigframe and compat_rt_sigframe of arch/arm64/kernel/signal32.c. compat_rt_sigframe
 * begins with a siginfo. Both contain a struct ucontext of Arm's asm/ucontext.h: uc_flags, uc_link,
 * uc_stack, and a struct sigcontext with trap_no, error_code and oldmask before the registers. A
 * handler returns to a trampoline in the C library or the kernel. The trampoline's svc instruction
 * may also encode the syscall number.
 */
#define SIGFRAME_32    (20 + 12)
#define RT_SIGFRAME_32 (128 + SIGFRAME_32)
static const uint8_t sigframe_columns_32[] = {0, 1,  2,	 3,  4,	 5,  6,	 7,	8,
					      9, 10, 11, 12, 13, 14, 15, R_CPSR};
#define ARM_SIGRETURN(nr, svc, at)                                                                 \
	{                                                                                          \
		(const uint8_t[]){nr, 0x70, 0xa0, 0xe3, svc, 0, 0, 0xef}, 8, at                    \
	}
#define THUMB_SIGRETURN(nr, svc, at)                                                               \
	{                                                                                          \
		(const uint8_t[]){nr, 0x27, svc, 0xdf}, 4, at                                      \
	}
#define THUMB2_SIGRETURN(nr, at)                                                                   \
	{                                                                                          \
		(const uint8_t[]){0x4f, 0xf0, nr, 0x07, 0, 0xdf}, 6, at                            \
	}
/* mov r7, #nr; svc #svc */
static const struct arch_sigframe sigframes_32[] = {
	ARM_SIGRETURN(119, 0, SIGFRAME_32),	 ARM_SIGRETURN(119, 119, SIGFRAME_32),
	ARM_SIGRETURN(173, 0, RT_SIGFRAME_32),	 ARM_SIGRETURN(173, 173, RT_SIGFRAME_32),
	THUMB_SIGRETURN(119, 0, SIGFRAME_32),	 THUMB_SIGRETURN(119, 119, SIGFRAME_32),
	THUMB_SIGRETURN(173, 0, RT_SIGFRAME_32), THUMB_SIGRETURN(173, 173, RT_SIGFRAME_32),
	THUMB2_SIGRETURN(119, SIGFRAME_32),	 THUMB2_SIGRETURN(173, RT_SIGFRAME_32)};

static const struct arch_mode modes[] = {
	{.arch = &arch_aarch64,
	 .elf_machine = EM_AARCH64,
	 .regs_size = AT(COUNT),
	 .word = 8,
	 .columns = ARRAY_SIZE(columns),
	 .rules = V0 + 32,
	 .sp = SP,
	 .bp = 29,
	 .ra = 30,
	 .pc = PC,
	 .column_at = columns,
	 .calls = calls,
	 .ncalls = ARRAY_SIZE(calls),
	 /*
	  * Most kernels use 48-bit addresses. Bit 55, which selects the kernel's half of the
	  * address space, is zero in user addresses.
	  */
	 .ra_mask = 0x0000ffffffffffff,
	 .chain = {.bp = 0, .ra = 1, .sp = 2},
	 .signs_ra = true,
	 .sigframes = &sigframe,
	 .nsigframes = 1,
	 .sigframe_nregs = ARRAY_SIZE(sigframe_columns),
	 .sigframe_regs = sigframe_columns,
	 .code = &code_aarch64},
	{.arch = &arch_aarch64,
	 .elf_machine = EM_ARM,
	 .regs_size = AT_32(COUNT_32),
	 .word = 4,
	 .columns = ARRAY_SIZE(columns_32),
	 .rules = R_PC + 1,
	 .sp = R_SP,
	 .bp = R_BP,
	 .ra = R_LR,
	 .pc = R_PC,
	 .column_at = columns_32,
	 .calls = calls_32,
	 .ncalls = ARRAY_SIZE(calls_32),
	 .ra_mask = UINT64_MAX - 1,
	 .set_bit = 1,
	 .set_column = R_CPSR,
	 .set_flag = CPSR_T,
	 .sigframes = sigframes_32,
	 .nsigframes = ARRAY_SIZE(sigframes_32),
	 .sigframe_nregs = ARRAY_SIZE(sigframe_columns_32),
	 .sigframe_regs = sigframe_columns_32,
	 .unwind_table = 0x70000001, /* PT_ARM_EXIDX */
	 .code = &code_arm}};

/*
 * The kernel's struct pt_regs (asm/ptrace.h) begins with a struct user_pt_regs. The members orig_x0
 * and syscallno (4 bytes) follow.
 */
enum { ORIG_X0 = COUNT, SYSCALLNO };
#define KERNEL_REGS AT(ORIG_X0 + 1)

static const struct arch_call kernel_calls[] = {
	{.audit = AUDIT_ARCH_AARCH64,
	 .nr = AT(SYSCALLNO),
	 .ret = AT(0),
	 .args = {AT(ORIG_X0), AT(1), AT(2), AT(3), AT(4), AT(5)}},
	/* r0 to r14 are in the lower halves of x0 to x14; see compat_usr() in asm/ptrace.h. */
	{.audit = AUDIT_ARCH_ARM,
	 .nr = AT(SYSCALLNO),
	 .ret = AT(0),
	 .args = {AT(ORIG_X0), AT(1), AT(2), AT(3), AT(4), AT(5)}}};

/* PSR_MODE32_BIT of asm/ptrace.h: the thread is in 32-bit mode. */
#define MODE_32 0x10

static const struct arch_mode *regs_of_kernel(const void *kernel, size_t n, uint8_t *set)
{
	/* The cpsr of a 32-bit thread has the value of its pstate, apart from a few bits. */
	static const uint8_t behind[] = {PC, PSTATE, ORIG_X0};
	const uint8_t *words = kernel;

	if (n < KERNEL_REGS)
		return NULL;
	if (!(words[AT(PSTATE)] & MODE_32)) {
		memcpy(set, words, AT(COUNT));
		return &modes[0];
	}
	for (unsigned i = 0; i < COUNT_32; i++)
		memcpy(set + AT_32(i), words + AT(i < R_PC ? i : behind[i - R_PC]), 4);
	return &modes[1];
}

const struct arch arch_aarch64 = {
	.name = "aarch64",
	.nr_set = 0x404,	/* NT_ARM_SYSTEM_CALL */
	.signature_set = 0x406, /* NT_ARM_PAC_MASK */
	.abi = ABI_AARCH64,
	.modes = modes,
	.nmodes = ARRAY_SIZE(modes),
	.kernel_calls = kernel_calls,
	.nkernel_calls = ARRAY_SIZE(kernel_calls),
	.nr_is_32bit = true,
	/* A thread makes Arm calls if and only if it is in 32-bit mode. */
	.compat_call = {.member = {ARCH_IN_REGS, AT(PSTATE)}, .bit = MODE_32, .sp = AT(R_SP)},
	/* the thread pointer that the kernel has saved; may be 0 for a process's first thread */
	.thread_area.place = ARCH_IN_TASK,
	.kernel_regs = KERNEL_REGS,
	.regs_of_kernel = regs_of_kernel,
};
