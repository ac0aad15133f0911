/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/abi.h"

#include <linux/audit.h>
#include <stdlib.h>

#include "linux/syscall_desc.h"

/* One more than the row, so that what is not listed is a gap. */
#define NR(number, n) [number] = ROW_##n + 1,
static const int16_t rows_x86_64[] = {
#include "linux/arch/x86_64/numbers.h"
};
static const int16_t rows_i386[] = {
#include "linux/arch/i386/numbers.h"
#include "linux/arch/i386/subcalls.h"
};
/* A number of x86_64 that takes x32's bit, though x32 has one of its own: a negative row. */
#define NR64(number, n) [number] = -(ROW_##n + 1),
static const int16_t rows_x32[] = {
#include "linux/arch/x32/numbers.h"
};
#undef NR
#undef NR64

#define X32_BIT 0x40000000 /* __X32_SYSCALL_BIT, asm/unistd.h */

const struct abi abis[ABI_COUNT] = {
	[ABI_X86_64] = {.name = "x86_64",
			.personality = "64 bit",
			.index = ABI_X86_64,
			.bits = 64,
			.long_size = 8,
			.align64 = 8,
			.rows = rows_x86_64,
			.nrows = ARRAY_SIZE(rows_x86_64)},
	[ABI_I386] = {.name = "i386",
		      .personality = "32 bit",
		      .index = ABI_I386,
		      .bits = 32,
		      .long_size = 4,
		      .align64 = 4,
		      .splits64 = true,
		      .rows = rows_i386,
		      .nrows = ARRAY_SIZE(rows_i386)},
	[ABI_X32] = {.name = "x32",
		     .personality = "x32",
		     .index = ABI_X32,
		     .long_size = 4,
		     .align64 = 8,
		     .rows = rows_x32,
		     .nrows = ARRAY_SIZE(rows_x32),
		     .nr_mask = X32_BIT},
};

const struct abi *abi_find(uint32_t audit_arch, uint64_t nr)
{
	if (audit_arch == AUDIT_ARCH_I386)
		return &abis[ABI_I386];
	if (audit_arch == AUDIT_ARCH_X86_64)
		return &abis[nr & X32_BIT && (int64_t)nr > 0 && nr >> 31 == 0 ? ABI_X32
									      : ABI_X86_64];
	return NULL;
}

int abi_row(const struct abi *abi, uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows ? abs(abi->rows[nr]) - 1 : -1;
}

bool abi_is_foreign(const struct abi *abi, uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows && abi->rows[nr] < 0;
}

int abi_number(const struct abi *abi, unsigned row)
{
	for (unsigned i = 0; i < abi->nrows && i < ABI_NUMBERS_END; i++)
		if (abi->rows[i] == (int)row + 1)
			return i;
	return -1;
}
