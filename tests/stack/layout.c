/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A function at the same address in every build, whose frame size depends on LAYOUT. It is built as
 * libraries that replace each other, and as programs, each of which calls execve() on the program
 * built with the next LAYOUT.
 */
#include "truth.h"

typedef void callback(void);

#if LAYOUT == 1
__asm__(".set LAYOUT_BYTES, 0x1000\n");
#elif LAYOUT == 2
__asm__(".set LAYOUT_BYTES, 0x0200\n");
#else
__asm__(".set LAYOUT_BYTES, 0x4000\n");
#endif

/* Calls its argument from a frame of LAYOUT_BYTES bytes. */
#if defined(__aarch64__)
#define BODY                                                                                       \
	"	sub	sp, sp, #LAYOUT_BYTES\n"                                                             \
	"	.cfi_adjust_cfa_offset LAYOUT_BYTES\n"                                                   \
	"	str	x30, [sp]\n"                                                                         \
	"	.cfi_offset x30, -LAYOUT_BYTES\n"                                                        \
	"	blr	x0\n"                                                                                \
	"	ldr	x30, [sp]\n"                                                                         \
	"	.cfi_restore x30\n"                                                                      \
	"	add	sp, sp, #LAYOUT_BYTES\n"                                                             \
	"	.cfi_adjust_cfa_offset -LAYOUT_BYTES\n"                                                  \
	"	ret\n"
#elif defined __riscv
#define BODY                                                                                       \
	".option push\n"                                                                           \
	".option norvc\n"                                                                          \
	"	li	t0, LAYOUT_BYTES\n"                                                                   \
	"	sub	sp, sp, t0\n"                                                                        \
	"	.cfi_adjust_cfa_offset LAYOUT_BYTES\n"                                                   \
	"	sd	ra, 0(sp)\n"                                                                          \
	"	.cfi_offset ra, -LAYOUT_BYTES\n"                                                         \
	"	jalr	a0\n"                                                                               \
	"	ld	ra, 0(sp)\n"                                                                          \
	"	.cfi_restore ra\n"                                                                       \
	"	li	t0, LAYOUT_BYTES\n"                                                                   \
	"	add	sp, sp, t0\n"                                                                        \
	"	.cfi_adjust_cfa_offset -LAYOUT_BYTES\n"                                                  \
	"	ret\n"                                                                                   \
	".option pop\n"
#else
#define BODY                                                                                       \
	"	sub	$LAYOUT_BYTES + 8, %rsp\n"                                                           \
	"	.cfi_adjust_cfa_offset LAYOUT_BYTES + 8\n"                                               \
	"	call	*%rdi\n"                                                                            \
	"	add	$LAYOUT_BYTES + 8, %rsp\n"                                                           \
	"	.cfi_adjust_cfa_offset -LAYOUT_BYTES - 8\n"                                              \
	"	ret\n"
#endif

__asm__(".pushsection .text\n"
	".balign 4096\n"
	".type frame_of_layout, @function\n"
	".globl frame_of_layout\n"
	"frame_of_layout:\n"
	".cfi_startproc\n" BODY ".cfi_endproc\n"
	".size frame_of_layout, .-frame_of_layout\n"
	".popsection\n");

extern void frame_of_layout(callback *fn);

#ifndef LIBRARY
static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static NOINLINE void middle(void)
{
	TRUTH;
	truth_names[truth_depth++] = "frame_of_layout";
	for (int i = 0; i < 20; i++)
		frame_of_layout(leaf);
	truth_depth--;
}

int main(int argc, char **argv)
{
	TRUTH;
	middle();
	if (argc > 1)
		execv(argv[1], argv + 1);
	check();
	return 0;
}
#endif
