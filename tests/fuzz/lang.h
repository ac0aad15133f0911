/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Common code of the fuzz targets for the stack readers in stack/lang. The input is the contents of
 * the process's memory, starting at LANG_BASE. The rest of the LANG_SIZE bytes is zero. All other
 * memory is unreadable. The stack has a few native frames in the interpreter's evaluation loop.
 */
#ifndef TRACER_TESTS_FUZZ_LANG_H
#define TRACER_TESTS_FUZZ_LANG_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/memory.h"
#include "stack/lang/reader.h"

#define LANG_BASE   0x10000u
#define LANG_SIZE   0x10000u
#define LANG_CODE   0x8000000u
#define LANG_NATIVE 12u

struct fuzz_memory {
	struct memory memory;
	uint8_t bytes[LANG_SIZE];
};

static ssize_t fuzz_read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	const struct fuzz_memory *f = container_of(m, struct fuzz_memory, memory);
	const uint64_t at = addr - LANG_BASE;

	if (at >= LANG_SIZE)
		return -EFAULT;
	n = size_min(n, LANG_SIZE - at);
	memcpy(buf, f->bytes + at, n);
	return (ssize_t)n;
}

static uint64_t fuzz_pointer;	       /* the thread pointer */
static uint64_t fuzz_code = LANG_CODE; /* pc of all native frames */
static struct elf_file *fuzz_file;     /* file of all native frames, or NULL */

static uint64_t fuzz_thread_pointer(void *ctx)
{
	(void)ctx;
	return fuzz_pointer;
}

/*
 * Reads the stack several times: first with an empty cache, then with the data that the first read
 * has cached.
 */
static void fuzz_language(const struct language *language, void *file, const uint8_t *data,
			  size_t size)
{
	static const struct memory_ops ops = {.read_some = fuzz_read_some};
	static struct fuzz_memory memory = {.memory = {&ops}};
	struct lang_native native[LANG_NATIVE];
	struct lang_hint hint = {0};
	struct lang_memory m = {0};
	struct lang_names names = {0};
	uint64_t kept[2] = {0};

	memset(memory.bytes, 0, sizeof(memory.bytes));
	memcpy(memory.bytes, data, size_min(size, sizeof(memory.bytes)));
	for (int i = 0; i < 3; i++) {
		struct lang_run r = {.native = native,
				     .n = LANG_NATIVE,
				     .mem = &m,
				     .names = &names,
				     .file = file,
				     .tid = 1,
				     .tgid = 1,
				     .kept = kept,
				     .stack = (uint64_t)i + 1,
				     .thread_pointer = fuzz_thread_pointer,
				     .room = 64};

		/* Change the memory, so that cached data no longer matches. */
		if (i == 2)
			for (size_t k = 0; k < size; k += 64)
				memory.bytes[k % LANG_SIZE] ^= 1;
		for (unsigned k = 0; k < LANG_NATIVE; k++)
			native[k] = (struct lang_native){.pc = fuzz_code,
							 .sp = LANG_BASE + k * 64,
							 .fp = LANG_BASE + k * 64 + 32,
							 .file = fuzz_file,
							 .own = k % 3 != 1,
							 .unnamed = k % 3 == 1};
		lang_memory_begin(&m, &memory.memory, &hint);
		language->frames(&r);
		lang_memory_end(&m, &hint);
		for (size_t k = 0; k < r.puts.n; k++)
			if (!r.puts.v[k].frame || r.puts.v[k].native >= LANG_NATIVE ||
			    (k && r.puts.v[k].native < r.puts.v[k - 1].native))
				abort();
		if (r.puts.n > 64)
			abort();
		vec_deinit(&r.puts);
	}
	lang_names_clear(&names);
	lang_hint_deinit(&hint);
	lang_memory_deinit(&m);
}

#endif
