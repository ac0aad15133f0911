/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information that tracer's own reader rejects and libunwind supports. Compilers do not
 * generate such information, but assembly code may contain it. The environment variable REFUSED
 * contains the error with which these stacks must end if libunwind is not used.
 */
#include "truth.h"

/*
 * ld's option --section-start places this variable at the address that the CFI of fixed_place()
 * contains.
 */
unsigned long saved_sp __attribute__((section(".fixed_place"), used)) = 1;

#define CALL                                                                                       \
	"	neg	%rdi\n"                                                                              \
	"	movslq	%edi, %rdi\n"                                                                     \
	"	mov	$81, %eax\n"                                                                         \
	"	syscall\n"

/* The CFA is read from a fixed address: DW_OP_addr, DW_OP_deref. */
extern void fixed_place(int n);
__asm__(".text\n"
	".type fixed_place, @function\n"
	"fixed_place:\n"
	".cfi_startproc\n"
	".cfi_escape 0x0f, 10, 0x03, 0, 0, 0, 0x10, 0, 0, 0, 0, 0x06\n"
	"	lea	8(%rsp), %rax\n"
	"	mov	%rax, saved_sp\n" CALL "	ret\n"
	".cfi_endproc\n"
	".size fixed_place, .-fixed_place\n");

#define IN_RBX                                                                                     \
	".cfi_def_cfa %rsp, 0\n"                                                                   \
	"	mov	%rbx, %rdx\n"                                                                        \
	"	pop	%rbx\n" CALL "	push	%rbx\n"                                                \
	"	mov	%rdx, %rbx\n"                                                                        \
	"	ret\n"                                                                                   \
	".cfi_endproc\n"

/* The return address is popped into rbx, which the CFI expresses as DW_OP_reg3. */
extern void by_name(int n);
__asm__(".text\n"
	".type by_name, @function\n"
	"by_name:\n"
	".cfi_startproc\n"
	".cfi_escape 0x10, 16, 1, 0x53\n" IN_RBX ".size by_name, .-by_name\n");

/* The return address is popped into rbx, which the CIE declares as the return address column. */
extern void in_register(int n);
__asm__(".text\n"
	".type in_register, @function\n"
	"in_register:\n"
	".cfi_startproc\n"
	".cfi_return_column 3\n"
	".cfi_same_value 3\n" IN_RBX ".size in_register, .-in_register\n");

static NOINLINE void known(void (*fn)(int), const char *name)
{
	const char *reason = getenv("REFUSED");
	int n;

	truth_depth = 0;
	if (!reason) {
		truth_names[truth_depth++] = "main";
		truth_names[truth_depth++] = __func__;
	}
	truth_names[truth_depth++] = name;
	n = truth_note(reason ? reason : "*");
	fn(n);
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	known(fixed_place, "fixed_place");
	known(by_name, "by_name");
	known(in_register, "in_register");
	return 0;
}
