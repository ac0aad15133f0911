/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ABIs through which programs call the kernel. An ABI determines syscall numbers, argument
 * passing, and the layout of C types. A machine has one or more ABIs (linux/arch/arch.h). All ABIs
 * known to tracer are compiled in, on every machine.
 *
 * Each difference between ABIs is a member of struct abi. Decoders test this member and never
 * compare ABIs.
 *
 * To add an ABI, create a folder linux/arch/NAME with abi.def, list that file in abi_all.h, and add
 * a name to the enumeration below. linux/update-numbers generates the numbers that abi.def
 * includes.
 */
#ifndef TRACER_LINUX_ARCH_ABI_H
#define TRACER_LINUX_ARCH_ABI_H

#include <stdlib.h>

#include "defs.h"

struct arch;
struct xlat;

struct abi {
	const char *name;	 /* name in JSON: "x86_64", "i386" and so on */
	const char *personality; /* name in text output: "64 bit", "32 bit" or "x32" */
	const char *designator;	 /* suffix in filters: NAME@64, NAME@32, NAME@x32 */
	const struct arch *arch; /* the machine to which the ABI belongs */
	uint32_t audit; /* the kernel's name for the ABI: AUDIT_ARCH_* of <linux/audit.h> */
	unsigned index; /* index in abis[]: 0 … ABI_COUNT − 1 */

	uint8_t long_size;  /* size in bytes of a long and of a pointer */
	uint8_t klong_size; /* size in bytes of __kernel_long_t, <asm/posix_types.h>: 8 for x32 */
	uint8_t align64;    /* alignment of a 64-bit integer in a struct */
	bool splits64;	    /* true if 64-bit arguments use two registers */
	/*
	 * true if a 64-bit argument must start in a register with an even number, so the register
	 * before it may be unused
	 */
	bool pairs64;
	/*
	 * True if the kernel implements this ABI with its compat functions (functions for 32-bit
	 * programs). Then structs have the same layout as in a 32-bit kernel, and ioctl request
	 * numbers encode the sizes of those structs.
	 */
	bool compat;
	/*
	 * The kernel implements calls with this number or a higher number with compat functions
	 * (functions for 32-bit programs). These functions use only the lower 32 bits of each
	 * register, except in calls with a 64-bit offset. 0 if there are no such calls.
	 */
	uint16_t compat_from;
	/* true if select and mmap take one pointer to their arguments (old_select, old_mmap) */
	bool arg_blocks;
	/* True if the offset of preadv2 and pwritev2 is one argument instead of a low and a high
	 * long. */
	bool whole_offset;
	bool tls_first;	   /* true if clone(2) takes tls before child_tid (CLONE_BACKWARDS in the
			      kernel) */
	bool tls_is_desc;  /* true if tls of clone(2) points to a struct user_desc, <asm/ldt.h> */
	bool no_restorer;  /* true if the kernel's struct sigaction has no sa_restorer */
	bool generic_stat; /* true if struct stat has the layout of asm-generic/stat.h */
	/*
	 * true if the values of O_DIRECTORY and O_NOFOLLOW are swapped with those of O_DIRECT and
	 * O_LARGEFILE
	 */
	bool directory_first;
	bool maps_low; /* true if mmap(2) supports MAP_32BIT and MAP_ABOVE4G, <asm/mman.h> */
	/* true if semid_ds and the KVM structs have the x86 layout, not the asm-generic layout */
	bool x86_forms;
	bool packs_epoll;     /* true if struct epoll_event has EPOLL_PACKED, <linux/eventpoll.h> */
	uint8_t old_dev_size; /* size in bytes of __kernel_old_dev_t, <asm/posix_types.h> */
	bool wide_si_time;    /* true if SIGCHLD has 64-bit si_utime and si_stime, but a long has 32
				 bits */
	/*
	 * Offsets in bytes, relative to sp at the entry of rt_sigreturn(2) or sigreturn(2), of the
	 * signal mask that the call restores (<asm/sigframe.h>). For sigreturn(2), the mask is in
	 * two 32-bit halves. 0 if the ABI does not have the call.
	 */
	uint16_t rt_frame_mask, frame_mask[2];

	/*
	 * Tables of the names of ioctl requests, whose numbers include the sizes of their
	 * arguments. The last table is common to all machines. The tables before it list names that
	 * only this ABI has, that have a different number in this ABI, or that do not exist in this
	 * ABI (XLAT_ABSENT). An entry hides entries with the same name in later tables. NULL ends
	 * the list.
	 */
	const struct xlat *ioctls[5];
	/*
	 * own_ptrace: ptrace operations that only this machine has. compat_ptrace: operations that
	 * its kernel offers only to 32-bit tracers; strace shows their names in a comment. Each may
	 * be NULL.
	 */
	const struct xlat *own_ptrace, *compat_ptrace;
	/* Selects the structs that ptrace(2) returns for NT_PRSTATUS and NT_FPREGSET. */
	enum {
		USER_REGS_X86_64,
		USER_REGS_I386,
		USER_REGS_AARCH64,
		USER_REGS_RISCV64,
		USER_REGS_ARM
	} user_regs;
	/*
	 * Base of the syscall numbers that only this machine has, if they are far above the other
	 * numbers; otherwise 0. In tables, these syscalls start at ABI_OWN_CALLS.
	 */
	uint32_t own_calls;
	/*
	 * Indexed by syscall number: 1 + row (linux/syscall_rows.h), -(1 + row) for the numbers of
	 * abi_is_foreign(), or 0 if there is no such call.
	 */
	const int16_t *rows;
	unsigned nrows;
	/* the bit that is set in all syscall numbers of this ABI, or 0; cleared before a lookup */
	uint32_t nr_mask;
};

enum { ABI_X86_64, ABI_I386, ABI_X32, ABI_AARCH64, ABI_RISCV64, ABI_ARM, ABI_COUNT };

/*
 * Numbers for calls to which the kernel gives no distinct number: the subcalls of socketcall(2) and
 * ipc(2) (linux/arch/i386/subcalls.h), and the calls that only one machine has (own_calls in struct
 * abi). Sets of syscalls need distinct numbers. The kernel does not use these numbers.
 */
enum {
	ABI_NUMBERS_END = 900,
	ABI_SOCKETCALLS = 900, /* the number of a subcall is this plus SYS_SOCKET … */
	ABI_IPC_CALLS = 930,   /* the number of a subcall is this plus SEMOP … */
	ABI_SUBCALLS_END = 960,
	ABI_OWN_CALLS = 960, /* our number is ABI_OWN_CALLS + (kernel's number - own_calls) */
	ABI_OWN_CALLS_END = 976
};

/*
 * All ABIs, in the order of the enumeration. If several ABIs have the same audit value, the ABI
 * with an nr_mask of 0 comes first.
 */
extern const struct abi abis[ABI_COUNT];

/* Returns true if the machine on which tracer is running can run programs of this ABI. */
bool abi_runs_here(const struct abi *abi);
/* Returns the usual ABI of programs on the machine on which tracer is running. */
const struct abi *abi_native(void);

/* Returns the ABI of a call with the given AUDIT_ARCH_* value and number, or NULL if unknown. */
const struct abi *abi_find(uint32_t audit, uint64_t nr);
/*
 * Guesses the AUDIT_ARCH_* value of the call with this number on the machine on which tracer is
 * running. If the stack pointer is below 4 GiB, assumes that the program has 32-bit addresses, and
 * returns the value of the machine's 32-bit ABI. In all other cases, or if the number belongs to
 * another ABI with the machine's usual value (x32), returns the usual value.
 */
uint32_t abi_guess_audit(uint64_t nr, uint64_t sp);
/* Converts a call's number to the number used in sets of syscalls and in tables; see own_calls. */
static inline uint64_t abi_set_number(const struct abi *abi, uint64_t nr)
{
	const uint64_t own = nr - abi->own_calls;

	return abi->own_calls && own < ABI_OWN_CALLS_END - ABI_OWN_CALLS ? ABI_OWN_CALLS + own : nr;
}
/*
 * Does the opposite of abi_set_number(). For a subcall, returns the number of socketcall(2) or
 * ipc(2).
 */
uint64_t abi_kernel_number(const struct abi *abi, uint64_t set_nr);
/* Returns the row in syscall_descs for a number of this ABI, or -1 if the number is unused. */
static inline int abi_row(const struct abi *abi, uint64_t nr)
{
	nr = abi_set_number(abi, nr) & ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows ? abs(abi->rows[nr]) - 1 : -1;
}
/*
 * Returns true if nr is another ABI's number for a call that has a different number in this ABI.
 * For x32, strace shows such a call as NAME#64.
 */
static inline bool abi_is_foreign(const struct abi *abi, uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	return nr < abi->nrows && abi->rows[nr] < 0;
}
/* Returns the kernel's number in this ABI for the call in this row, or -1 if it has none. */
int abi_number(const struct abi *abi, unsigned row);
/*
 * abi_takes_block() returns true if the call's first argument points to an array of longs that
 * contains the real arguments. This is the case for old_select and old_mmap in ABIs with
 * arg_blocks. abi_is_block_call() is a helper of abi_takes_block().
 */
bool abi_is_block_call(const struct abi *abi, uint64_t nr);
static inline bool abi_takes_block(const struct abi *abi, uint64_t nr)
{
	return abi->arg_blocks && abi_is_block_call(abi, nr);
}
/*
 * Converts the flags of open(2) in this ABI to the values that they have on x86_64
 * (asm-generic/fcntl.h).
 */
uint64_t abi_open_flags(const struct abi *abi, uint64_t flags);
/* Returns true if the call ends the calling thread: exit or exit_group. */
bool abi_ends_thread(const struct abi *abi, uint64_t nr);

/* USERFAULTFD_IOC_NEW from <linux/userfaultfd.h>, Linux 6.1 */
#define USERFAULTFD_NEW 0xaa00

/* Calls that can make memory shared, or make its contents depend on another process. */
enum abi_memory_call {
	MEMORY_NONE,
	MEMORY_MAPPED,	/* mmap, mmap2 */
	MEMORY_FAULTS,	/* userfaultfd */
	MEMORY_CONTROL, /* ioctl, which has the effect of userfaultfd if its request is
			   USERFAULTFD_NEW */
	MEMORY_CLONED,	/* clone, which shares memory if its flags request it */
	MEMORY_SHARED,	/* vfork, and clone3, whose flags are in memory */
};
enum abi_memory_call abi_memory_call(const struct abi *abi, uint64_t nr);

#endif
