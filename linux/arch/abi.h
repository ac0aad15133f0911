/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ABIs by which programs call the kernel: which numbers their calls have, how arguments are
 * passed, and how C types are laid out in their memory. A machine has one or more of them
 * (linux/arch/arch.h); all that tracer knows are compiled in, whatever machine it runs on.
 *
 * What differs between ABIs is a property here, named by what it means, so that the decoders ask
 * for the property and never for the ABI.
 *
 * A new ABI is a folder, linux/arch/NAME, with abi.def, which has a line in abi_all.h; and a name
 * in the enumeration below. linux/update-numbers makes the numbers that abi.def includes.
 */
#ifndef TRACER_LINUX_ARCH_ABI_H
#define TRACER_LINUX_ARCH_ABI_H

#include <stdlib.h>

#include "defs.h"

struct arch;
struct xlat;

struct abi {
	const char *name;	 /* "x86_64", "i386", "x32": as JSON names it */
	const char *personality; /* "64 bit", "32 bit", "x32": as the text output names it */
	const char *designator;	 /* after the @ of a filter's NAME@64, NAME@32, NAME@x32 */
	const struct arch *arch; /* the machine that it belongs to */
	uint32_t audit;		 /* AUDIT_ARCH_*, <linux/audit.h>: what the kernel calls it */
	unsigned index;		 /* its place in abis[]: 0 … ABI_COUNT − 1 */

	uint8_t long_size;  /* bytes of long, and of a pointer */
	uint8_t klong_size; /* bytes of __kernel_long_t, <asm/posix_types.h>: 8 for x32 */
	uint8_t align64;    /* alignment of a 64-bit integer inside a struct */
	bool splits64;	    /* 64-bit arguments take two registers */
	bool pairs64;	    /* of which the first has an even number: one may be left out */
	/*
	 * The kernel answers it by its compat functions: structures have the forms of a 32-bit
	 * kernel, and ioctl requests the numbers that follow from the sizes of those.
	 */
	bool compat;
	/*
	 * The calls from this number on are answered by compat functions, which take the lower half
	 * of each register; 0: none are. An offset of 64 bits they take whole.
	 */
	uint16_t compat_from;
	/* select and mmap take one pointer to their arguments: old_select, old_mmap */
	bool arg_blocks;
	/* The offset of preadv2 and pwritev2 is one argument, not a low and a high long. */
	bool whole_offset;
	bool tls_first;	   /* clone(2) has tls before child_tid: the kernel's CLONE_BACKWARDS */
	bool tls_is_desc;  /* the tls of clone(2) points to a struct user_desc, <asm/ldt.h> */
	bool no_restorer;  /* the sigaction of the kernel has no sa_restorer */
	bool generic_stat; /* struct stat is that of asm-generic/stat.h */
	/* O_DIRECTORY and O_NOFOLLOW have the values of O_DIRECT and O_LARGEFILE, and these theirs
	 */
	bool directory_first;
	bool maps_low; /* mmap(2) has MAP_32BIT and MAP_ABOVE4G, <asm/mman.h> */
	/* semid_ds and what KVM tells have the form of x86, not that of asm-generic. */
	bool x86_forms;
	bool packs_epoll;     /* struct epoll_event has EPOLL_PACKED, <linux/eventpoll.h> */
	uint8_t old_dev_size; /* bytes of __kernel_old_dev_t, <asm/posix_types.h> */
	bool wide_si_time; /* si_utime and si_stime of SIGCHLD are 64-bit integers, unlike long */
	/*
	 * Where rt_sigreturn(2) and sigreturn(2) find the signal mask to restore, counted from the
	 * sp that they are called with (<asm/sigframe.h>). That of sigreturn, 0 for none, is in two
	 * halves of 32 bits.
	 */
	uint16_t rt_frame_mask, frame_mask[2];

	/*
	 * Names of ioctl requests, whose numbers contain the sizes of their arguments. The last
	 * table is that of all machines. Each table before it has the names that only this ABI has,
	 * that have another number here, or that do not exist here (XLAT_ABSENT); a row hides the
	 * rows of the same name in the tables after it. NULL ends the list.
	 */
	const struct xlat *ioctls[5];
	/*
	 * Operations of tracers that only this machine has; and those that its kernel has for
	 * tracers of its 32-bit ABI, for which strace tells the names in a comment. NULL: none.
	 */
	const struct xlat *own_ptrace, *compat_ptrace;
	/* Which registers ptrace(2) gives by NT_PRSTATUS and NT_FPREGSET. */
	enum {
		USER_REGS_X86_64,
		USER_REGS_I386,
		USER_REGS_AARCH64,
		USER_REGS_RISCV64,
		USER_REGS_ARM
	} user_regs;
	/*
	 * The first of numbers far above the others, of calls that only this machine has. Where
	 * tables have numbers, they stand at ABI_OWN_CALLS. 0: there are none.
	 */
	uint32_t own_calls;
	const int16_t *rows; /* by number: 1 + row (linux/syscall_rows.h), 0 for a gap */
	unsigned nrows;
	uint32_t nr_mask; /* a bit of all its numbers, taken off before they are looked up */
};

enum { ABI_X86_64, ABI_I386, ABI_X32, ABI_AARCH64, ABI_RISCV64, ABI_ARM, ABI_COUNT };

/*
 * Numbers that are none of the kernel's: the calls of socketcall(2) and ipc(2), by which sets of
 * syscalls tell them apart (linux/arch/i386/subcalls.h); and where the own calls of an ABI stand.
 */
enum {
	ABI_NUMBERS_END = 900,
	ABI_SOCKETCALLS = 900, /* + SYS_SOCKET … */
	ABI_IPC_CALLS = 930,   /* + SEMOP … */
	ABI_SUBCALLS_END = 960,
	ABI_OWN_CALLS = 960, /* + number - own_calls of struct abi */
	ABI_OWN_CALLS_END = 976
};

/* In the order of the enumeration. Of ABIs with one audit value, that with nr_mask 0 comes first.
 */
extern const struct abi abis[ABI_COUNT];

/* Whether the machine that tracer itself runs on has programs of that ABI. */
bool abi_runs_here(const struct abi *abi);
/* The ABI that programs have on the machine that tracer itself runs on. */
const struct abi *abi_native(void);

/* The ABI of a call, by its AUDIT_ARCH_* value and its number; NULL if tracer does not know it. */
const struct abi *abi_find(uint32_t audit, uint64_t nr);
/* The number by which sets of syscalls and tables of numbers know a call: see own_calls. */
static inline uint64_t abi_set_number(const struct abi *abi, uint64_t nr)
{
	const uint64_t own = nr - abi->own_calls;

	return abi->own_calls && own < ABI_OWN_CALLS_END - ABI_OWN_CALLS ? ABI_OWN_CALLS + own : nr;
}
/* The row of syscall_descs that a number of this ABI has, or -1. */
static inline int abi_row(const struct abi *abi, uint64_t nr)
{
	nr = abi_set_number(abi, nr) & ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows ? abs(abi->rows[nr]) - 1 : -1;
}
/*
 * Whether a program of this ABI has used another ABI's number for a call that has a number of its
 * own here; strace names such a call of x32 NAME#64.
 */
static inline bool abi_is_foreign(const struct abi *abi, uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows && abi->rows[nr] < 0;
}
/* The kernel's number that a row has in this ABI, or -1. */
int abi_number(const struct abi *abi, unsigned row);
/*
 * Whether the call's first register points to its arguments, an array of longs: old_select and
 * old_mmap, in ABIs with arg_blocks. The first function is for the second alone.
 */
bool abi_is_block_call(const struct abi *abi, uint64_t nr);
static inline bool abi_takes_block(const struct abi *abi, uint64_t nr)
{
	return abi->arg_blocks && abi_is_block_call(abi, nr);
}
/* The flags of open(2) with the values that they have on x86_64, asm-generic/fcntl.h. */
uint64_t abi_open_flags(const struct abi *abi, uint64_t flags);
/* Whether the call ends the thread that makes it: exit, exit_group. */
bool abi_ends_thread(const struct abi *abi, uint64_t nr);

/* Calls by which memory comes to be what the kernel alone does not provide, or to be shared. */
enum abi_memory_call {
	MEMORY_NONE,
	MEMORY_MAPPED,	/* mmap, mmap2 */
	MEMORY_FAULTS,	/* userfaultfd */
	MEMORY_CONTROL, /* ioctl, which may do what userfaultfd does */
	MEMORY_CLONED,	/* clone: shared if its flags say so */
	MEMORY_SHARED,	/* vfork; clone3, whose flags are in memory */
};
enum abi_memory_call abi_memory_call(const struct abi *abi, uint64_t nr);

#endif
