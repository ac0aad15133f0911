/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a process that runs HotSpot, once with tables that were read before, and once with
 * the tables as its beginning.
 *
 * fuzz: -max_len=16384
 */
#include "tests/fuzz/lang.h"

#include "stack/lang/hotspot.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The interpreter's code is where the frames are: the queue is at the beginning. */
	struct vm_file file = {.read = true, .const_size = 56, .pool_size = 72};
	struct vm_file empty = {.structs = LANG_BASE, .types = LANG_BASE + 8};
	static const uint64_t at[VM_FIELDS] = {
		[VM_METHOD_CONST] = 8,	   [VM_CONST_POOL] = 8,	  [VM_CONST_NAME] = 40,
		[VM_CONST_CODE_SIZE] = 34, [VM_CONST_FLAGS] = 32, [VM_POOL_HOLDER] = 24,
		[VM_POOL_SOURCE] = 60,	   [VM_CLASS_NAME] = 24,  [VM_SYMBOL_BODY] = 6,
		[VM_QUEUE_BUFFER] = 8,	   [VM_QUEUE_LIMIT] = 16, [VM_INTERPRETER] = LANG_BASE};

	for (int i = 0; i < VM_FIELDS; i++) {
		file.at[i] = at[i];
		file.has[i] = at[i] || i == VM_SYMBOL_LENGTH_REF;
	}
	for (size_t i = 0; i < ARRAY_SIZE(empty.numbers); i++)
		empty.numbers[i] = LANG_BASE + 16 + 8 * i;
	fuzz_language(&language_java, &file, data, size);
	fuzz_language(&language_java, &empty, data, size);
	return 0;
}
