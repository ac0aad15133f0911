/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of a process that runs HotSpot. It is read with three variants of known VM tables, and
 * then with VM tables at the beginning of the memory.
 *
 * fuzz: -max_len=16384
 */
#include "tests/fuzz/lang.h"

#include "stack/lang/hotspot.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Places the frames in a blob of the code cache. The beginning of the memory also contains the
 * pointer to the cache's only heap.
 */
static void take_code(struct vm_file *f)
{
	static const uint16_t at[VM_FIELDS] = {
		[VM_HEAP_MEMORY] = 64,	    [VM_HEAP_SEGMENTS] = 80,
		[VM_HEAP_SEGMENT_LOG] = 96, [VM_SPACE_LOW] = 0,
		[VM_SPACE_HIGH] = 8,	    [VM_BLOCK_USED] = 8,
		[VM_BLOB_NAME] = 8,	    [VM_BLOB_SIZE] = 16,
		[VM_BLOB_FRAME_SIZE] = 20,  [VM_BLOB_CODE] = 24,
		[VM_BLOB_DATA] = 32,	    [VM_BLOB_MUTABLE] = 40,
		[VM_BLOB_RELOCATION] = 48,  [VM_NMETHOD_METHOD] = 56,
		[VM_NMETHOD_ID] = 64,	    [VM_NMETHOD_PCS] = 68,
		[VM_NMETHOD_PCS_END] = 72,  [VM_NMETHOD_SCOPES] = 76,
		[VM_COMPILED_SCOPES] = 80,  [VM_NMETHOD_IMMUTABLE] = 88,
		[VM_NMETHOD_METADATA] = 96, [VM_NMETHOD_ORIGINAL_PC] = 100,
		[VM_NMETHOD_DEOPT] = 104};

	for (int i = VM_HEAP_MEMORY; i < VM_INTERPRETER; i++) {
		f->at[i] = at[i];
		f->has[i] = at[i];
	}
	f->has[VM_SPACE_LOW] = true;
	f->has[VM_NMETHOD_IMMUTABLE] = f->has[VM_BLOB_MUTABLE] = false;
	f->at[VM_ONE_HEAP] = LANG_BASE + 8;
	f->has[VM_ONE_HEAP] = true;
	f->block_size = 16;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/*
	 * All frames are frames of the interpreter. HotSpot's StubQueue, which contains the address
	 * range of the interpreter's code, is at the start of the memory.
	 */
	static struct elf_file elf; /* a file without segments */
	struct vm_file file = {.elf = &elf, .read = true, .const_size = 56, .pool_size = 72};
	struct vm_file empty = {.elf = &elf, .structs = LANG_BASE, .types = LANG_BASE + 8};
	static const uint64_t at[VM_FIELDS] = {
		[VM_METHOD_CONST] = 8,	   [VM_CONST_POOL] = 8,	  [VM_CONST_NAME] = 40,
		[VM_CONST_CODE_SIZE] = 34, [VM_CONST_FLAGS] = 32, [VM_POOL_HOLDER] = 24,
		[VM_POOL_SOURCE] = 60,	   [VM_CLASS_NAME] = 24,  [VM_SYMBOL_BODY] = 6,
		[VM_QUEUE_BUFFER] = 8,	   [VM_QUEUE_LIMIT] = 16, [VM_INTERPRETER] = LANG_BASE};
	struct vm_file compiled;

	for (int i = 0; i < VM_FIELDS; i++) {
		file.at[i] = at[i];
		file.has[i] = at[i] || i == VM_SYMBOL_LENGTH_REF;
	}
	compiled = file;
	take_code(&compiled);
	for (size_t i = 0; i < ARRAY_SIZE(empty.numbers); i++)
		empty.numbers[i] = LANG_BASE + 16 + 8 * i;
	fuzz_language(&language_java, &file, data, size);
	fuzz_language(&language_java, &compiled, data, size);
	compiled.has[VM_NMETHOD_IMMUTABLE] = compiled.has[VM_BLOB_MUTABLE] = true;
	compiled.has[VM_COMPILED_SCOPES] = false;
	fuzz_language(&language_java, &compiled, data, size);
	fuzz_language(&language_java, &empty, data, size);
	return 0;
}
