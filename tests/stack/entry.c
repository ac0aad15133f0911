/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program whose entry function has neither call frame information nor a usable frame pointer. The
 * stack must still end normally in this function.
 */
#include "truth.h"

#if defined __aarch64__
#define START "adr x29, _start; bl run; brk #0"
#elif defined __arm__
#define START "adr r11, _start; bl run; udf #0"
#elif defined __riscv
#define START "lla s0, _start; call run; ebreak"
#else
#define START "lea _start(%rip), %rbp; call run; hlt"
#endif
__asm__(".globl _start; .type _start, %function; _start: " START "; .size _start, . - _start");

void run(void)
{
	TRUTH;
	check();
	exit(0);
}
