/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of a process that runs Perl. It begins with PL_curinterp, PL_thr_key and PL_version or, if
 * the number of bytes is odd, with PL_curcop, PL_curstackinfo and PL_version.
 *
 * fuzz: -max_len=4096
 */
#include "tests/fuzz/lang.h"

#include "stack/lang/perl.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perl_file file = {.threads = !(size % 2),
				 .current = LANG_BASE,
				 .key = LANG_BASE + 8,
				 .cop = LANG_BASE,
				 .info = LANG_BASE + 8,
				 .version = LANG_BASE + (size % 2 ? 16 : 12),
				 .loops = {LANG_CODE - 16},
				 .ends = {LANG_CODE + 16}};

	fuzz_language(&language_perl, &file, data, size);
	return 0;
}
