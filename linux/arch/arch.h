/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Describes the machines on which tracees run: all differences between processors, except for their
 * syscall ABIs (linux/arch/abi.h). Outside linux/arch, no code names a machine, a register, an
 * AUDIT_ARCH_* value or a CFI column.
 *
 * To add a machine, create a folder linux/arch/NAME with a file that defines a struct arch; add a
 * line here, in arch.c and in configure.ac; and add the folders of its ABIs. The file must compile
 * on every machine, because traces can be read on every machine. Offsets are therefore written as
 * numbers. On the machine itself, they are compared with <sys/user.h>.
 *
 * A thread's machine is determined by the audit value of its calls, the mode of its registers, or
 * the e_machine of its files. Only the engines for live threads depend on the machine for which
 * they were compiled (arch_native).
 */
#ifndef TRACER_LINUX_ARCH_ARCH_H
#define TRACER_LINUX_ARCH_ARCH_H

#include "defs.h"

struct arch_code;
struct arch_mode;

/*
 * Maximum size in bytes of a register set, and maximum number of columns of a mode, over all
 * machines.
 */
#define ARCH_REGS_MAX	 272
#define ARCH_COLUMNS_MAX 33

/*
 * A thread's registers as PTRACE_GETREGSET returns them for NT_PRSTATUS; see ptrace(2). Their
 * meaning depends on the mode.
 */
struct arch_regs {
	const struct arch_mode *mode;
	union {
		uint8_t bytes[ARCH_REGS_MAX];
		uint64_t align;
	};
};

/*
 * The byte offsets of a call's number, arguments and result in a register set. Each of these values
 * is one word long.
 */
struct arch_call {
	uint32_t audit; /* AUDIT_ARCH_* of the calls that use these registers */
	uint16_t nr;	/* the syscall number; see shows_calls of struct arch_mode */
	uint16_t ret;
	uint16_t args[SYSCALL_ARGS_MAX];
};

/*
 * The frame that the kernel pushes for a signal handler. Needed if the handler returns to code
 * without CFI, as in musl, Go and JITs.
 */
struct arch_sigframe {
	/* the instructions to which the handler returns; they call rt_sigreturn or sigreturn */
	const uint8_t *code;
	uint8_t code_len; /* at most ARCH_SIGRETURN_MAX bytes */
	/* offset in bytes from sp to the saved registers of the interrupted code */
	uint16_t regs_at;
};
#define ARCH_SIGRETURN_MAX 16

/*
 * The stack frame of code that uses a frame pointer. All offsets are in words, relative to the
 * frame pointer. They are all 0 if compilers do not agree on one layout.
 */
struct arch_chain {
	int8_t bp, ra; /* the caller's saved frame pointer and return address */
	int8_t sp;     /* the caller's stack pointer, or the lowest value that it can have */
	bool sp_known; /* true if sp is exact */
};

/*
 * A mode of the processor. The mode determines the width of addresses, the meaning of registers and
 * the layout of frames.
 *
 * Columns are the DWARF numbers of the mode's registers in its psABI. There are at most
 * ARCH_COLUMNS_MAX.
 */
struct arch_mode {
	const struct arch *arch;
	uint16_t elf_machine; /* e_machine (<elf.h>) of files with code of this mode */
	/* size of the register set in bytes; each mode of an arch has a different size */
	uint16_t regs_size;
	uint8_t word; /* size in bytes of a register in the set, and of an address on the stack */
	uint8_t columns; /* number of columns */
	uint8_t rules;	 /* number of columns for which CFI can have rules, including registers that
			    walks do not need */
	uint8_t sp, bp;	 /* columns of the stack pointer and the frame pointer */
	uint8_t ra;	 /* column of the return address in CFI */
	/* column of the next instruction: either ra, or a column that CFI does not use */
	uint8_t pc;
	const uint16_t *column_at; /* offset of each column in the register set */
	const struct arch_call *calls;
	unsigned ncalls;
	/*
	 * True if the registers show whether a thread is in a syscall: if it is not, all bits of
	 * the syscall number are set.
	 */
	bool shows_calls;
	/*
	 * Mask of the bits of a return address that belong to the address. Used if the kernel does
	 * not report such a mask (signature_set of struct arch). The other bits are a pointer
	 * signature or set_bit. If the mode has neither of them, all bits of the mask are set.
	 */
	uint64_t ra_mask;
	/* True if return addresses may be signed. The CFI shows which code signs its return
	 * addresses. */
	bool signs_ra;
	/*
	 * Used if code of the mode can use two instruction sets. set_bit is set in the address of
	 * code in the second instruction set when the address is in a register, in memory or in a
	 * function symbol. The bit is not part of the address. It is 0 if there is only one
	 * instruction set. Bit set_flag of column set_column selects the instruction set of the
	 * code at pc. CFI does not use column set_column.
	 */
	uint64_t set_bit;
	uint8_t set_column;
	uint32_t set_flag;
	struct arch_chain chain;
	/*
	 * Offset in the register set of the thread pointer, which leads to thread-local variables.
	 * 0 if there is none.
	 */
	uint16_t thread_pointer_at;
	/*
	 * The kernel's signal frames. They differ in their sigreturn code and in the offset of the
	 * registers.
	 */
	const struct arch_sigframe *sigframes;
	uint8_t nsigframes;	      /* 0 if no sigreturn code is known */
	uint8_t sigframe_nregs;	      /* number of registers in the frame, one word each */
	const uint8_t *sigframe_regs; /* the columns of these registers, in memory order */
	/*
	 * True if the vdso's CFI covers the sigreturn code, but does not say where the registers
	 * are saved.
	 */
	bool sigframe_bare;
	/*
	 * Program header type of unwind tables other than CFI (stack/walk/ehabi.h), or 0 if files
	 * of this machine have only CFI.
	 */
	uint32_t unwind_table;
	/* see linux/arch/code.h; if NULL, code of this mode is not analysed */
	const struct arch_code *code;
	/*
	 * Returns true if the ARCH_THUNK bytes at `code` are a tiny function that some libraries
	 * contain without CFI. Such a function does not change sp, and returns to the address at
	 * sp. This pointer is NULL if there are no such functions.
	 */
	bool (*is_thunk)(const uint8_t *code);
};
#define ARCH_THUNK 4

/* The location of a word in the data that the kernel stores about a thread. */
struct arch_member {
	enum {
		ARCH_NOWHERE, /* the word does not exist */
		ARCH_IN_REGS, /* at a byte offset in struct pt_regs */
		ARCH_IN_TASK /* in struct task_struct; capture/bpf/kernel knows the member's name */
	} place;
	uint16_t at;
};

struct arch {
	const char *name; /* name of the machine's folder */
	/*
	 * If set, a register of a live tracee is changed with PTRACE_POKEUSER, at the register's
	 * offset in the register set of modes[0]. Otherwise, PTRACE_SETREGSET writes the whole
	 * register set.
	 */
	bool pokes_registers;
	bool big_endian; /* true if integers in memory start with their most significant byte */
	/*
	 * The register set that holds the number of the call that a thread is about to make, as an
	 * int; NT_ARM_SYSTEM_CALL of <elf.h>. If nr_set is 0, the number is in the common set; see
	 * struct arch_call.
	 */
	uint16_t nr_set;
	/*
	 * The register set that holds the masks of signature bits, one word for data pointers and
	 * one for code pointers; NT_ARM_PAC_MASK of <elf.h>. The masks depend on the address width
	 * that the kernel uses. If signature_set is 0, addresses are not signed.
	 */
	uint16_t signature_set;
	/*
	 * True if the kernel ignores changes to the register of the first argument. To change that
	 * argument, PTRACE_SET_SYSCALL_INFO is needed.
	 */
	bool first_arg_by_info;
	unsigned abi; /* index of the ABI that most programs use; always a 64-bit ABI */
	const struct arch_mode *modes; /* all modes, the widest first */
	unsigned nmodes;
	/*
	 * The first and last operation of arch_prctl(2) that map the vdso and thus change the
	 * process's mappings. Both are 0 if there are none.
	 */
	uint16_t map_vdso[2];
	/*
	 * Offsets of a call's words in the kernel's struct pt_regs, for all audit values of the
	 * machine. When the call returns, the struct still contains the first argument. struct
	 * pt_regs begins with the register set of modes[0].
	 */
	const struct arch_call *kernel_calls;
	unsigned nkernel_calls;
	uint16_t kernel_regs; /* number of bytes of struct pt_regs that regs_of_kernel() needs */
	bool nr_is_32bit;     /* true if the call number in struct pt_regs has 4 bytes, fewer than a
				 word */
	/*
	 * The location of a bit in the kernel's data about a thread. The bit is set if the audit
	 * value of the thread's current call is not the usual one. For such calls, sp is the offset
	 * of the stack pointer in struct pt_regs, or 0 if the stack pointer is in the usual
	 * register.
	 */
	struct {
		struct arch_member member; /* ARCH_NOWHERE if there are no such calls */
		uint32_t bit;
		uint16_t sp;
	} compat_call;
	/*
	 * The thread pointer: a word with the address of the start or end of the thread's own
	 * variables. Libraries place these variables after the thread's stack.
	 */
	struct arch_member thread_area;
	/*
	 * Converts the first n bytes of the kernel's struct pt_regs to a register set. Returns the
	 * mode of the register set, or NULL if n is too small. If this pointer is NULL, the BPF
	 * engine does not support the machine yet.
	 */
	const struct arch_mode *(*regs_of_kernel)(const void *kernel, size_t n, uint8_t *set);
	/*
	 * Finds the number of the call in which a thread is, from the ARCH_CALL_CODE bytes of code
	 * before the thread's pc. Returns false if this code does not load a constant right before
	 * the call. This pointer is NULL if that is not supported.
	 */
	bool (*find_call_number)(const uint8_t *code, uint64_t *nr);
	/* True if the BPF verifier accepts only programs whose memory accesses are provably
	 * aligned. */
	bool aligned_programs;
};

#define ARCH_CALL_CODE 7

extern const struct arch arch_x86_64, arch_aarch64, arch_riscv64;

/* The machine on which tracer is running. */
extern const struct arch *const arch_native;

/*
 * Converts the first n bytes of this machine's struct pt_regs to a register set and stores it in
 * *regs. Returns false if n is too small, or if the conversion is not supported.
 */
bool arch_regs_of_kernel(struct arch_regs *regs, const void *kernel, size_t n);

/*
 * Returns the offsets in this machine's struct pt_regs of the number, arguments and result of calls
 * with this audit value. Returns NULL if they are unknown.
 */
const struct arch_call *arch_kernel_call(uint32_t audit);

/*
 * Returns the mode of arch whose register set has `size` bytes, or NULL if arch has no such mode.
 */
const struct arch_mode *arch_mode_of_regs(const struct arch *arch, size_t size);
/*
 * Returns the mode of code in ELF files with this e_machine, on any machine, or NULL if unknown.
 */
const struct arch_mode *arch_mode_of_elf(unsigned machine);
/*
 * Returns the mode of a thread that makes a call with this audit value. Returns NULL if code in
 * several modes can make such calls, as with int $0x80 on x86_64.
 */
const struct arch_mode *arch_mode_of_call(uint32_t audit);

/*
 * Copies the columns of a register set to columns[], which must have space for regs->mode->columns
 * elements.
 */
void arch_columns(const struct arch_regs *regs, uint64_t *columns);
/*
 * Returns the offsets in the mode's register set of the number, arguments and result of calls with
 * this audit value. Returns NULL if they are unknown.
 */
const struct arch_call *arch_call_find(const struct arch_mode *mode, uint32_t audit);
/* Returns the word at the byte offset `at` in a register set, zero-extended to 64 bits. */
uint64_t arch_word(const struct arch_regs *regs, unsigned at);
/* Sets the address of the thread-local variables. Does nothing in modes without thread_pointer_at.
 */
void arch_set_thread_pointer(struct arch_regs *regs, uint64_t value);
/*
 * Returns true if the registers show that the thread is in a syscall, or was stopped inside a
 * syscall. Always false in a mode without shows_calls.
 */
bool arch_in_call(const struct arch_regs *regs);

#endif
