/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information from a hostile file. The input is an 8-byte address followed by an ELF
 * file. Everything that a stack walk can need is looked up at and near that address: unwind rules
 * and rows, records for libunwind, expressions, code and symbols.
 *
 * fuzz: -max_len=8192
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linux/arch/arch.h"
#include "stack/files/elf_file.h"
#include "stack/namer/demangle.h"
#include "stack/names/symbols.h"
#include "stack/walk/cfi.h"
#include "stack/walk/cfi_record.h"
#include "stack/walk/rules.h"
#include "util/strbuf.h"

#define ADDRESSES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Reads memory in which each word contains its own address, so that the walk can follow any
 * address. Addresses that are multiples of 64 are unreadable.
 */
static bool read_word(void *ctx attr_unused, uint64_t addr, void *buf, size_t n)
{
	memcpy(buf, &addr, n);
	return addr % 64;
}

static void evaluate(const struct arch_mode *mode, const struct row *row)
{
	struct cfi_machine m = {.mode = mode, .read = read_word};
	uint64_t result;

	m.valid = UINT64_MAX >> (64 - mode->columns);
	for (unsigned i = 0; i < mode->columns; i++)
		m.reg[i] = 0x7ffd0000 + 64 * i;
	if (row->cfa_expr)
		cfi_expr(&m, row->bytes + row->cfa_n, row->cfa_len, false, 0, &result);
	for (unsigned i = 0; i < row->nregs; i++)
		if (row->regs[i].where == CFI_EXPR || row->regs[i].where == CFI_VAL_EXPR)
			cfi_expr(&m, row->bytes + row->regs[i].n, row->regs[i].len, true, m.reg[0],
				 &result);
}

static void ask(struct elf_file *f, const struct arch_mode *mode, uint64_t addr)
{
	struct cfi_record record = {0};
	struct strbuf name = {0};
	const struct row *row;
	uint64_t start;

	rule_get(f, mode, addr);
	row = row_get(f, mode, addr);
	if (!row->err)
		evaluate(mode, row);
	if (mode->code) {
		for (enum code_analysis analysis = 0; analysis < CODE_ANALYSES; analysis++) {
			code_row_get(f, mode, addr, analysis);
			code_row_get(f, mode, addr | mode->set_bit, analysis);
		}
	}
	cfi_record_make(&record, f, mode, addr, 0);
	strbuf_deinit(&record.bytes);
	if (!symbols_find(f, addr, &name, &start))
		free(symbol_demangle(strbuf_str(&name)));
	strbuf_deinit(&name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct arch_mode *mode;
	struct elf_file *f;
	uint8_t *image;
	uint64_t addr;

	if (size <= sizeof(addr))
		return 0;
	memcpy(&addr, data, sizeof(addr));
	size -= sizeof(addr);
	/*
	 * Use a copy of exactly the size of the input, so that the sanitizer detects reads beyond
	 * its end.
	 */
	image = malloc(size);
	memcpy(image, data + sizeof(addr), size);
	f = elf_file_from_image(image, size);
	if (!f)
		return 0;
	mode = arch_mode_of_elf(f->machine);
	if (mode) {
		for (unsigned i = 0; i < ADDRESSES; i++)
			ask(f, mode, addr + i * 5);
		elf_file_build_id(f);
	}
	elf_file_close(f);
	return 0;
}
