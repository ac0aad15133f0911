/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ABIs of tracees: which numbers their syscalls have, and how C types are
 * laid out in their memory.
 */
#ifndef TRACER_LINUX_ABI_H
#define TRACER_LINUX_ABI_H

#include "defs.h"

struct abi {
	const char *name;	 /* "x86_64", "i386", "x32": as JSON names it */
	const char *personality; /* "64 bit", "32 bit", "x32": as the text output names it */
	unsigned index;		 /* 0 … ABI_COUNT−1 */
	unsigned bits;		 /* of a filter's @64, @32; x32 is 0 */
	uint8_t long_size;	 /* bytes of long, and of a pointer */
	uint8_t align64;	 /* alignment of a 64-bit integer inside a struct */
	bool splits64;		 /* 64-bit arguments take two registers */
	bool no_old_mmap;
	const int16_t *rows; /* by number: 1 + index into syscall_descs, 0 for a gap */
	unsigned nrows;
	uint32_t nr_mask; /* taken off a number before it is looked up (x32's bit) */
};

enum { ABI_X86_64, ABI_I386, ABI_X32, ABI_COUNT };

/*
 * Numbers that are none of the kernel's: the calls of i386's socketcall(2) and
 * ipc(2), by which sets of syscalls tell them apart (linux/arch/i386/subcalls.h).
 */
enum {
	ABI_NUMBERS_END = 900,
	ABI_SOCKETCALLS = 900, /* + SYS_SOCKET … */
	ABI_IPC_CALLS = 930,   /* + SEMOP … */
	ABI_SUBCALLS_END = 960
};

extern const struct abi abis[ABI_COUNT];

/* The ABI of a syscall stop, from AUDIT_ARCH_* and the number; NULL: not one of ours. */
const struct abi *abi_find(uint32_t audit_arch, uint64_t nr);
/* The row for a number, or -1. */
int abi_row(const struct abi *abi, uint64_t nr);
/* Whether the number is another ABI's, of a call that has its own in this one: NAME#64 of x32. */
bool abi_is_foreign(const struct abi *abi, uint64_t nr);
/* The number of the kernel's that a row has in this ABI, or -1. */
int abi_number(const struct abi *abi, unsigned row);

#endif
