/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/abi.h"

#include <linux/audit.h>
#include <stdlib.h>

#include "linux/arch/arch.h"
#include "linux/syscall_rows.h"
#include "linux/xlat.h"

/*
 * The table is indexed by syscall number. A value is 1 + the index of a row. 0 marks an unused
 * number.
 */
#define NR(number, n) [number] = ROW_##n + 1,
/*
 * For calls that have a different number in this ABI: `number` is the call's number in another ABI.
 * The table contains -(1 + row) for such a number.
 */
#define NR64(number, n) [number] = -(ROW_##n + 1),

#define ABI_NUMBERS(n) static const int16_t rows_##n[] = {
#define ABI(n, ...)                                                                                \
	}                                                                                          \
	;
#include "linux/arch/abi_all.h"
#undef ABI_NUMBERS
#undef ABI
#undef NR
#undef NR64

#define NR(number, n)
#define NR64(number, n)
#define ABI_NUMBERS(n)
#define ABI(n, i, ...)                                                                             \
	[i] = {.name = #n,                                                                         \
	       .index = (i),                                                                       \
	       .rows = rows_##n,                                                                   \
	       .nrows = ARRAY_SIZE(rows_##n),                                                      \
	       __VA_ARGS__},
const struct abi abis[ABI_COUNT] = {
#include "linux/arch/abi_all.h"
};

bool abi_runs_here(const struct abi *abi)
{
	return abi->arch == arch_native;
}

const struct abi *abi_native(void)
{
	return &abis[arch_native->abi];
}

const struct abi *abi_find(uint32_t audit, uint64_t nr)
{
	const struct abi *found = NULL;

	for (const struct abi *abi = abis; abi < abis + ABI_COUNT; abi++) {
		if (abi->audit != audit)
			continue;
		/*
		 * A number below nrows does not have an nr_mask bit, so it cannot belong to a later
		 * ABI.
		 */
		if (likely(!abi->nr_mask && nr < abi->nrows))
			return abi;
		/*
		 * The ABI without an nr_mask comes first and accepts every number. If the nr_mask
		 * of a later ABI matches the number, that ABI is used instead.
		 */
		if (!abi->nr_mask || (nr & abi->nr_mask && nr <= INT32_MAX))
			found = abi;
	}
	return found;
}

uint32_t abi_guess_audit(uint64_t nr, uint64_t sp)
{
	const struct abi *native = abi_native();

	if (sp >> 32 || abi_find(native->audit, nr) != native)
		return native->audit;
	for (size_t i = 0; i < ABI_COUNT; i++)
		if (abis[i].arch == arch_native && abis[i].audit != native->audit)
			return abis[i].audit;
	return native->audit;
}

int abi_number(const struct abi *abi, unsigned row)
{
	for (unsigned i = 0; i < abi->nrows && i < ABI_NUMBERS_END; i++)
		if (abi->rows[i] == (int)row + 1)
			return i;
	for (unsigned i = ABI_OWN_CALLS; i < abi->nrows && abi->own_calls; i++)
		if (abi->rows[i] == (int)row + 1)
			return (int)(abi->own_calls + i - ABI_OWN_CALLS);
	return -1;
}

uint64_t abi_kernel_number(const struct abi *abi, uint64_t set_nr)
{
	if (abi->own_calls && set_nr >= ABI_OWN_CALLS && set_nr < ABI_OWN_CALLS_END)
		return abi->own_calls + set_nr - ABI_OWN_CALLS;
	if (set_nr >= ABI_SOCKETCALLS && set_nr < ABI_SUBCALLS_END && abi_row(abi, set_nr) >= 0)
		return abi_number(abi, set_nr < ABI_IPC_CALLS ? ROW_socketcall : ROW_ipc);
	return abi->nr_mask | set_nr;
}

bool abi_is_block_call(const struct abi *abi, uint64_t nr)
{
	int row = abi_row(abi, nr);

	return row == ROW_mmap || row == ROW_select;
}

uint64_t abi_open_flags(const struct abi *abi, uint64_t flags)
{
	const uint64_t low = 0xc000, high = 0x30000; /* asm/fcntl.h of arm and arm64 */

	if (!abi->directory_first)
		return flags;
	return (flags & ~(low | high)) | (flags & low) << 2 | (flags & high) >> 2;
}

bool abi_ends_thread(const struct abi *abi, uint64_t nr)
{
	int row = abi_row(abi, nr);

	return row == ROW_exit || row == ROW_exit_group;
}

enum abi_memory_call abi_memory_call(const struct abi *abi, uint64_t nr)
{
	switch (abi_row(abi, nr)) {
	case ROW_mmap:
	case ROW_mmap2:
		return MEMORY_MAPPED;
	case ROW_userfaultfd:
		return MEMORY_FAULTS;
	case ROW_ioctl:
		return MEMORY_CONTROL;
	case ROW_clone:
		return MEMORY_CLONED;
	case ROW_clone3:
	case ROW_vfork:
		return MEMORY_SHARED;
	default:
		return MEMORY_NONE;
	}
}
