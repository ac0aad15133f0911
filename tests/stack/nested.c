/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 0.7 MB of debugging information with NESTED (40,000) nested blocks. A recursive reader such as
 * libdw overflows its stack. The program makes several syscalls, so that a tracer that crashes at
 * the first stack misses the others.
 */
#include <unistd.h>

#define TEXT_(n) #n
#define TEXT(n)	 TEXT_(n)

__asm__(".section .debug_abbrev,\"\",@progbits\n"
	".uleb128 1, 0x11\n" /* DW_TAG_compile_unit, with children: low_pc, high_pc */
	".byte 1\n"
	".uleb128 0x11, 0x01, 0x12, 0x07, 0, 0\n"
	".uleb128 2, 0x2e\n" /* DW_TAG_subprogram, with children: low_pc, high_pc */
	".byte 1\n"
	".uleb128 0x11, 0x01, 0x12, 0x07, 0, 0\n"
	".uleb128 3, 0x0b\n" /* DW_TAG_lexical_block, with children: low_pc, high_pc */
	".byte 1\n"
	".uleb128 0x11, 0x01, 0x12, 0x07, 0, 0\n"
	".byte 0\n"
	".section .debug_info,\"\",@progbits\n"
	".long 2f - 1f\n"
	"1: .short 4\n"
	".long .debug_abbrev\n"
	".byte 8\n"
	".uleb128 1\n .quad main, 4096\n"
	".uleb128 2\n .quad main, 4096\n"
	".rept " TEXT(NESTED) "\n"
			      ".uleb128 3\n .quad main, 4096\n"
			      ".endr\n"
			      ".zero " TEXT(NESTED) "\n"
						    ".byte 0, 0\n"
						    "2:\n"
						    ".text\n");

int main(void)
{
	for (int i = 0; i < 3; i++)
		getppid();
	return 0;
}
