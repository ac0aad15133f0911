/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of a process that runs Python. The input is a byte that selects the version, followed by
 * the memory contents, which begin with the runtime structure.
 *
 * fuzz: -max_len=16384
 */
#include "tests/fuzz/lang.h"

#include "stack/files/elf_file.h"
#include "stack/lang/python.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned versions[] = {0x308, 0x309, 0x30a, 0x30b, 0x30c, 0x30d, 0x30e, 0};
	static struct python_asyncio tasks = {.task_size = 168,
					      .name = 136,
					      .awaited_by = 96,
					      .is_task = 108,
					      .awaited_by_is_set = 109,
					      .coro = 128,
					      .running_task = 200};
	static struct elf_file asyncio = {.parts[ELF_ASYNCIO] = {.data = &tasks}};
	struct python_file file = {.runtime = LANG_BASE,
				   .eval = LANG_CODE - 16,
				   .eval_end = LANG_CODE + 16,
				   .types = {LANG_BASE + 0x2000, LANG_BASE + 0x2100,
					     LANG_BASE + 0x2200, LANG_BASE + 0x2300}};
	uint64_t offsets[PYTHON_OFFSETS] = {0};

	if (!size)
		return 0;
	fuzz_file = &asyncio;
	file.version = versions[data[0] % ARRAY_SIZE(versions)];
	if (python_layout_of(file.version)) {
		file.layout = *python_layout_of(file.version);
	} else {
		memcpy(offsets, data + 1, size_min(size - 1, sizeof(offsets)));
		file.why = python_layout_read(offsets, &file.layout);
	}
	fuzz_language(&language_python, &file, data + 1, size - 1);
	python_line(file.version, data, size, 1, data[0]);
	return 0;
}
