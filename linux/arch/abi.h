/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ABIs by which programs call the kernel: their syscall numbers, argument passing, and layout
 * of C types. A machine has one or more of them (linux/arch/arch.h). All ABIs known to tracer are
 * compiled in, on every machine.
 *
 * Each difference between ABIs is a property here, named by its meaning, so that decoders test the
 * property and never the ABI.
 *
 * To add an ABI, create a folder linux/arch/NAME with abi.def, list that in abi_all.h, and add a
 * name to the enumeration below. linux/update-numbers generates the numbers that abi.def includes.
 */
#ifndef TRACER_LINUX_ARCH_ABI_H
#define TRACER_LINUX_ARCH_ABI_H

#include <stdlib.h>

#include "defs.h"

struct arch;
struct xlat;

struct abi {
	const char *name;	 /* "x86_64", "i386", "x32": its name in JSON */
	const char *personality; /* "64 bit", "32 bit", "x32": its name in the text output */
	const char *designator;	 /* suffix after @ in a filter: NAME@64, NAME@32, NAME@x32 */
	const struct arch *arch; /* the machine it belongs to */
	uint32_t audit;		 /* AUDIT_ARCH_*, <linux/audit.h>: the kernel's name for it */
	unsigned index;		 /* its index in abis[]: 0 … ABI_COUNT − 1 */

	uint8_t long_size;  /* bytes of long, and of a pointer */
	uint8_t klong_size; /* bytes of __kernel_long_t, <asm/posix_types.h>: 8 for x32 */
	uint8_t align64;    /* alignment of a 64-bit integer inside a struct */
	bool splits64;	    /* 64-bit arguments take two registers */
	bool pairs64; /* the first of these two has an even number; one may be skipped for that */
	/*
	 * The kernel serves this ABI with its compat functions: structs have the same layout as in
	 * a 32-bit kernel, and the numbers of ioctl requests contain the sizes of these structs.
	 */
	bool compat;
	/*
	 * Calls with this number or a higher one are served by compat functions. These use only the
	 * lower half of each register, except in calls with a 64-bit offset. 0 if there are none.
	 */
	uint16_t compat_from;
	/* select and mmap take a single pointer to their arguments: old_select, old_mmap */
	bool arg_blocks;
	/* The offset of preadv2 and pwritev2 is one argument instead of a low and a high long. */
	bool whole_offset;
	bool tls_first;	   /* clone(2) has tls before child_tid, the kernel's CLONE_BACKWARDS */
	bool tls_is_desc;  /* the tls of clone(2) points to a struct user_desc, <asm/ldt.h> */
	bool no_restorer;  /* the sigaction of the kernel has no sa_restorer */
	bool generic_stat; /* struct stat is that of asm-generic/stat.h */
	/* O_DIRECTORY and O_NOFOLLOW are swapped with O_DIRECT and O_LARGEFILE */
	bool directory_first;
	bool maps_low; /* mmap(2) has MAP_32BIT and MAP_ABOVE4G, <asm/mman.h> */
	/* semid_ds and KVM's structs have the form of x86 instead of that of asm-generic. */
	bool x86_forms;
	bool packs_epoll;     /* struct epoll_event has EPOLL_PACKED, <linux/eventpoll.h> */
	uint8_t old_dev_size; /* bytes of __kernel_old_dev_t, <asm/posix_types.h> */
	bool wide_si_time;    /* si_utime and si_stime of SIGCHLD have 64 bits, but a long has 32 */
	/*
	 * Where the stack has the signal mask that rt_sigreturn(2) and sigreturn(2) restore:
	 * offsets from sp at the call (<asm/sigframe.h>). For sigreturn(2), the mask is in two
	 * halves of 32 bits. 0 if the call does not exist.
	 */
	uint16_t rt_frame_mask, frame_mask[2];

	/*
	 * Names of ioctl requests, whose numbers contain the sizes of their arguments. The last
	 * table is common to all machines. Each table before it lists names that only this ABI has,
	 * that have another number here, or that do not exist here (XLAT_ABSENT). A row hides the
	 * rows of the same name in later tables. NULL ends the list.
	 */
	const struct xlat *ioctls[5];
	/*
	 * Ptrace operations that only this machine has, and operations that its kernel has only
	 * for tracers of its 32-bit ABI. strace shows the names of the latter in a comment. May be
	 * NULL.
	 */
	const struct xlat *own_ptrace, *compat_ptrace;
	/* The registers returned by ptrace(2) for NT_PRSTATUS and NT_FPREGSET. */
	enum {
		USER_REGS_X86_64,
		USER_REGS_I386,
		USER_REGS_AARCH64,
		USER_REGS_RISCV64,
		USER_REGS_ARM
	} user_regs;
	/*
	 * The first number of the calls that only this machine has, if it is far above the other
	 * numbers; otherwise 0. In tables, these calls begin at ABI_OWN_CALLS.
	 */
	uint32_t own_calls;
	const int16_t *rows; /* by number: 1 + row (linux/syscall_rows.h), 0 for a gap */
	unsigned nrows;
	uint32_t nr_mask; /* a bit set in all its numbers, cleared before lookup */
};

enum { ABI_X86_64, ABI_I386, ABI_X32, ABI_AARCH64, ABI_RISCV64, ABI_ARM, ABI_COUNT };

/*
 * Numbers that do not exist in the kernel: the calls of socketcall(2) and ipc(2), which must be
 * distinct in sets of syscalls (linux/arch/i386/subcalls.h), and the own calls of an ABI.
 */
enum {
	ABI_NUMBERS_END = 900,
	ABI_SOCKETCALLS = 900, /* + SYS_SOCKET … */
	ABI_IPC_CALLS = 930,   /* + SEMOP … */
	ABI_SUBCALLS_END = 960,
	ABI_OWN_CALLS = 960, /* + number - own_calls of struct abi */
	ABI_OWN_CALLS_END = 976
};

/*
 * In the order of the enumeration. Of ABIs with the same audit value, the one with nr_mask 0 comes
 * first.
 */
extern const struct abi abis[ABI_COUNT];

/* Whether the machine that tracer runs on can run programs of that ABI. */
bool abi_runs_here(const struct abi *abi);
/* Returns the usual ABI of programs on the machine that tracer runs on. */
const struct abi *abi_native(void);

/* Returns the ABI of a call, by its AUDIT_ARCH_* value and number; NULL if unknown. */
const struct abi *abi_find(uint32_t audit, uint64_t nr);
/* Returns the number of a call in sets of syscalls and in tables of numbers: see own_calls. */
static inline uint64_t abi_set_number(const struct abi *abi, uint64_t nr)
{
	const uint64_t own = nr - abi->own_calls;

	return abi->own_calls && own < ABI_OWN_CALLS_END - ABI_OWN_CALLS ? ABI_OWN_CALLS + own : nr;
}
/* Returns the row in syscall_descs of a number of this ABI, or -1. */
static inline int abi_row(const struct abi *abi, uint64_t nr)
{
	nr = abi_set_number(abi, nr) & ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows ? abs(abi->rows[nr]) - 1 : -1;
}
/*
 * Whether a program of this ABI used another ABI's number for a call that also has a number here;
 * strace names such a call of x32 NAME#64.
 */
static inline bool abi_is_foreign(const struct abi *abi, uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows && abi->rows[nr] < 0;
}
/* Returns the kernel's number for a row in this ABI, or -1. */
int abi_number(const struct abi *abi, unsigned row);
/*
 * Whether the call's first register points to an array of longs with its arguments: old_select and
 * old_mmap, in ABIs with arg_blocks. The first function is a helper of the second.
 */
bool abi_is_block_call(const struct abi *abi, uint64_t nr);
static inline bool abi_takes_block(const struct abi *abi, uint64_t nr)
{
	return abi->arg_blocks && abi_is_block_call(abi, nr);
}
/* Converts flags of open(2) to their values on x86_64, asm-generic/fcntl.h. */
uint64_t abi_open_flags(const struct abi *abi, uint64_t flags);
/* Whether the call ends the calling thread: exit, exit_group. */
bool abi_ends_thread(const struct abi *abi, uint64_t nr);

/* Calls that can make memory shared, or make its content depend on another process. */
enum abi_memory_call {
	MEMORY_NONE,
	MEMORY_MAPPED,	/* mmap, mmap2 */
	MEMORY_FAULTS,	/* userfaultfd */
	MEMORY_CONTROL, /* ioctl, which can do the same as userfaultfd */
	MEMORY_CLONED,	/* clone: shared if its flags request it */
	MEMORY_SHARED,	/* vfork; clone3, whose flags are in memory */
};
enum abi_memory_call abi_memory_call(const struct abi *abi, uint64_t nr);

#endif
