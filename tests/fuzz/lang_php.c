/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of a process that runs PHP. It begins with the pointer to the innermost frame.
 *
 * fuzz: -max_len=4096
 */
#include "tests/fuzz/lang.h"

#include "stack/lang/php.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct php_file file = {
		.globals = LANG_BASE - 488, .loop = LANG_CODE - 16, .loop_end = LANG_CODE + 16};

	set_version(&file, 8, 2);
	fuzz_language(&language_php, &file, data, size);
	return 0;
}
