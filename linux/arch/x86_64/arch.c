/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * x86_64: the 64-bit mode runs programs of the x86_64 and x32 ABIs, and the 32-bit mode runs i386
 * programs. Code in 64-bit mode can also make i386 calls with int $0x80.
 */
#include "linux/arch/arch.h"

#include <elf.h>
#include <linux/audit.h>
#include <string.h>
#ifdef __x86_64__
#include <sys/user.h>
#endif

#include "linux/arch/abi.h"
#include "linux/arch/x86_64/code.h"

/* clang-format off */
/* The members of struct user_regs_struct (asm/user_64.h), 8 bytes each. */
enum {
	R15, R14, R13, R12, RBP, RBX, R11, R10, R9, R8, RAX, RCX, RDX, RSI, RDI, ORIG_RAX, RIP, CS,
	EFLAGS, RSP, SS, FS_BASE, GS_BASE, DS, ES, FS, GS, COUNT_64
};
/* The members of struct user_regs_struct (asm/user_32.h), 4 bytes each. */
enum {
	EBX, ECX, EDX, ESI, EDI, EBP, EAX, XDS, XES, XFS, XGS, ORIG_EAX, EIP, XCS, XFLAGS, ESP, XSS,
	COUNT_32
};
/* clang-format on */
#define AT_64(r) (8 * (r))
#define AT_32(r) (4 * (r))

#if defined(__x86_64__) && defined(__LP64__)
_Static_assert(sizeof(struct user_regs_struct) == AT_64(COUNT_64), "the registers of the kernel");
_Static_assert(offsetof(struct user_regs_struct, orig_rax) == AT_64(ORIG_RAX), "the same");
_Static_assert(offsetof(struct user_regs_struct, rsp) == AT_64(RSP), "the same");
_Static_assert(sizeof(struct user_regs_struct) <= ARCH_REGS_MAX, "the room for them");
#endif

/*
 * The registers in the order of their DWARF numbers: System V ABI, AMD64 supplement, figure 3.36;
 * Intel386 supplement, table 2.14.
 */
static const uint16_t columns_64[] = {AT_64(RAX), AT_64(RDX), AT_64(RCX), AT_64(RBX), AT_64(RSI),
				      AT_64(RDI), AT_64(RBP), AT_64(RSP), AT_64(R8),  AT_64(R9),
				      AT_64(R10), AT_64(R11), AT_64(R12), AT_64(R13), AT_64(R14),
				      AT_64(R15), AT_64(RIP)};
static const uint16_t columns_32[] = {AT_32(EAX), AT_32(ECX), AT_32(EDX), AT_32(EBX), AT_32(ESP),
				      AT_32(EBP), AT_32(ESI), AT_32(EDI), AT_32(EIP)};
_Static_assert(ARRAY_SIZE(columns_64) <= ARCH_COLUMNS_MAX, "the room for them");

/* Registers of a syscall; see syscall(2). */
static const struct arch_call calls_64[] = {
	{.audit = AUDIT_ARCH_X86_64,
	 .nr = AT_64(ORIG_RAX),
	 .ret = AT_64(RAX),
	 .args = {AT_64(RDI), AT_64(RSI), AT_64(RDX), AT_64(R10), AT_64(R8), AT_64(R9)}},
	{.audit = AUDIT_ARCH_I386,
	 .nr = AT_64(ORIG_RAX),
	 .ret = AT_64(RAX),
	 .args = {AT_64(RBX), AT_64(RCX), AT_64(RDX), AT_64(RSI), AT_64(RDI), AT_64(RBP)}}};
static const struct arch_call calls_32[] = {
	{.audit = AUDIT_ARCH_I386,
	 .nr = AT_32(ORIG_EAX),
	 .ret = AT_32(EAX),
	 .args = {AT_32(EBX), AT_32(ECX), AT_32(EDX), AT_32(ESI), AT_32(EDI), AT_32(EBP)}}};

/*
 * The columns of the registers in struct rt_sigframe (asm/sigframe.h), in the order of gregs in
 * <sys/ucontext.h>. sp points to the ucontext, because the handler's ret has removed the return
 * address from the frame.
 */
static const uint8_t sigframe_columns[] = {8, 9, 10, 11, 12, 13, 14, 15, 5,
					   4, 6, 3,  1,	 0,  2,	 7,  16};
static const uint8_t sigreturn_code[] = {0x48, 0xc7, 0xc0, 0x0f, 0,
					 0,    0,    0x0f, 0x05}; /* mov $15, %rax; syscall */
static const struct arch_sigframe sigframe = {sigreturn_code, sizeof(sigreturn_code), 40};

/*
 * Recognizes __x86.get_pc_thunk.*, functions of the form "mov (%esp), reg; ret", and a single ret.
 * crt1.o contains such functions without CFI.
 */
static bool is_pc_thunk(const uint8_t *code)
{
	return code[0] == 0xc3 || (code[0] == 0x8b && code[2] == 0x24 && code[3] == 0xc3);
}

static const struct arch_mode modes[] = {{.arch = &arch_x86_64,
					  .elf_machine = EM_X86_64,
					  .regs_size = AT_64(COUNT_64),
					  .word = 8,
					  .columns = ARRAY_SIZE(columns_64),
					  .rules = ARRAY_SIZE(columns_64),
					  .sp = 7,
					  .bp = 6,
					  .ra = 16,
					  .pc = 16,
					  .shows_calls = true,
					  .ra_mask = UINT64_MAX,
					  .column_at = columns_64,
					  .calls = calls_64,
					  .ncalls = ARRAY_SIZE(calls_64),
					  .chain = {.bp = 0, .ra = 1, .sp = 2, .sp_known = true},
					  .thread_pointer_at = AT_64(FS_BASE),
					  .sigframes = &sigframe,
					  .nsigframes = 1,
					  .sigframe_nregs = ARRAY_SIZE(sigframe_columns),
					  .sigframe_regs = sigframe_columns,
					  .code = &code_x86_64},
					 {.arch = &arch_x86_64,
					  .elf_machine = EM_386,
					  .regs_size = AT_32(COUNT_32),
					  .word = 4,
					  .columns = ARRAY_SIZE(columns_32),
					  .rules = ARRAY_SIZE(columns_32),
					  .sp = 4,
					  .bp = 5,
					  .ra = 8,
					  .pc = 8,
					  .shows_calls = true,
					  .ra_mask = UINT64_MAX,
					  .column_at = columns_32,
					  .calls = calls_32,
					  .ncalls = ARRAY_SIZE(calls_32),
					  .chain = {.bp = 0, .ra = 1, .sp = 2, .sp_known = true},
					  .is_thunk = is_pc_thunk}};

/* The segment of 32-bit code, __USER32_CS of asm/segment.h. */
#define CODE_32 0x23
/*
 * Size of the kernel's struct pt_regs (asm/ptrace.h), which has the members of struct
 * user_regs_struct up to ss.
 */
#define KERNEL_REGS AT_64(SS + 1)

static const struct arch_mode *regs_of_kernel(const void *kernel, size_t n, uint8_t *set)
{
	/* clang-format off */
	static const uint8_t order[COUNT_32] = {
		[EBX] = RBX, [ECX] = RCX, [EDX] = RDX, [ESI] = RSI, [EDI] = RDI, [EBP] = RBP,
		[EAX] = RAX, [ORIG_EAX] = ORIG_RAX, [EIP] = RIP, [XCS] = CS, [XFLAGS] = EFLAGS,
		[ESP] = RSP, [XSS] = SS};
	/* clang-format on */
	const uint8_t *words = kernel;

	if (n < KERNEL_REGS)
		return NULL;
	if (words[AT_64(CS)] != CODE_32) {
		memcpy(set, words, KERNEL_REGS);
		return &modes[0];
	}
	for (unsigned i = 0; i < COUNT_32; i++)
		if (order[i])
			memcpy(set + AT_32(i), words + AT_64(order[i]), 4);
	return &modes[1];
}

/* Recognizes "mov $NR, %eax; syscall". */
static bool find_call_number(const uint8_t *code, uint64_t *nr)
{
	*nr = code[1] | code[2] << 8 | code[3] << 16 | (uint32_t)code[4] << 24;
	return code[0] == 0xb8 && code[5] == 0x0f && code[6] == 0x05;
}

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.pokes_registers = true,
	.abi = ABI_X86_64,
	.modes = modes,
	.nmodes = ARRAY_SIZE(modes),
	/* the range ARCH_MAP_VDSO_X32 to ARCH_MAP_VDSO_64 (asm/prctl.h) */
	.map_vdso = {0x2001, 0x2003},
	.kernel_calls = calls_64,
	.nkernel_calls = ARRAY_SIZE(calls_64),
	/* TS_COMPAT of asm/thread_info.h */
	.compat_call = {.member.place = ARCH_IN_TASK, .bit = 2},
	.thread_area.place = ARCH_IN_TASK,
	.kernel_regs = KERNEL_REGS,
	.regs_of_kernel = regs_of_kernel,
	.find_call_number = find_call_number,
};
