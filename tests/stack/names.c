/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of frames: complete names, aliases and symbols of size zero. A frame must not have the name
 * of a neighbouring symbol.
 */
#include "truth.h"

#if defined(__aarch64__)
#define BODY                                                                                       \
	"	str	x30, [sp, #-16]!\n"                                                                  \
	".cfi_adjust_cfa_offset 16\n"                                                              \
	".cfi_offset x30, -16\n"                                                                   \
	"	blr	x0\n"                                                                                \
	"	ldr	x30, [sp], #16\n"                                                                    \
	".cfi_adjust_cfa_offset -16\n"                                                             \
	".cfi_restore x30\n"                                                                       \
	"	ret\n"
#elif defined __riscv
#define BODY                                                                                       \
	"	addi	sp, sp, -16\n"                                                                      \
	".cfi_adjust_cfa_offset 16\n"                                                              \
	"	sd	ra, 8(sp)\n"                                                                          \
	".cfi_offset ra, -8\n"                                                                     \
	"	jalr	a0\n"                                                                               \
	"	ld	ra, 8(sp)\n"                                                                          \
	".cfi_restore ra\n"                                                                        \
	"	addi	sp, sp, 16\n"                                                                       \
	".cfi_adjust_cfa_offset -16\n"                                                             \
	"	ret\n"
#else
#define BODY                                                                                       \
	"	push	%rbx\n"                                                                             \
	".cfi_adjust_cfa_offset 8\n"                                                               \
	"	call	*%rdi\n"                                                                            \
	"	pop	%rbx\n"                                                                              \
	".cfi_adjust_cfa_offset -8\n"                                                              \
	"	ret\n"
#endif

typedef void callback(void);
extern void neighbour(callback *fn), nobody(callback *fn), sizeless(callback *fn);

__asm__(".text\n"
	".globl neighbour\n.type neighbour, @function\n"
	"neighbour:\n.cfi_startproc\n" BODY ".cfi_endproc\n.size neighbour, .-neighbour\n"
	/* The symbol `nobody` ends before the call, so it must not name the frame. */
	".globl nobody\n.type nobody, @function\n"
	"nobody:\n.cfi_startproc\n.size nobody, 1\n" BODY ".cfi_endproc\n"
	".globl sizeless\n.type sizeless, @function\n"
	"sizeless:\n.cfi_startproc\n" BODY ".cfi_endproc\n");

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static NOINLINE void through(void (*fn)(callback *), const char *name)
{
	TRUTH;
	truth_names[truth_depth++] = name;
	fn(leaf);
	truth_depth--;
}

#define LONG_4	   a_name_of_a_function_that_goes_on_and_on_
#define CAT_(a, b) a##b
#define CAT(a, b)  CAT_(a, b)
#define LONG_8	   CAT(CAT(LONG_4, LONG_4), CAT(LONG_4, LONG_4))
#define LONG_16	   CAT(CAT(LONG_8, LONG_8), CAT(LONG_8, LONG_8))
#define LONG_32	   CAT(CAT(LONG_16, LONG_16), CAT(LONG_16, LONG_16))

static NOINLINE void LONG_32(void)
{
	TRUTH;
	leaf();
	check();
}

int main(void)
{
	TRUTH;
	through(neighbour, "neighbour");
	through(nobody, "");
	through(sizeless, "sizeless");
	LONG_32();
	return 0;
}
