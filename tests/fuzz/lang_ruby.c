/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of a process that runs Ruby. It begins with the pointer to the virtual machine. The memory
 * is read twice: with the layout of Ruby 3.1 and symbols, and with the layout of Ruby 3.4 and no
 * symbols.
 *
 * fuzz: -max_len=4096
 */
#include "tests/fuzz/lang.h"

#include "stack/lang/ruby.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct ruby_layout old = {3, 1, 64, 40, 48, 0, 80, 120, 12, false, false},
					new = {3, 4, 56, 48, 48, 40, 16, 112, 12, true, true};
	struct ruby_file file = {.layout = &old,
				 .loop = LANG_CODE - 16,
				 .loop_end = LANG_CODE + 16,
				 .vm = LANG_BASE,
				 .symbols = LANG_BASE + 32,
				 .threads = -0x108};

	fuzz_pointer = 0x1234;
	fuzz_language(&language_ruby, &file, data, size);
	file = (struct ruby_file){.layout = &new,
				  .loop = LANG_CODE - 16,
				  .loop_end = LANG_CODE + 16,
				  .data = LANG_BASE,
				  .ndata = 512,
				  .zeroed = LANG_BASE,
				  .nzeroed = 2048};
	fuzz_language(&language_ruby, &file, data, size);
	return 0;
}
