/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machines that tracees run on: all differences between processors except the ABIs of their
 * syscalls (linux/arch/abi.h). Outside linux/arch, no code names a machine, a register, an
 * AUDIT_ARCH_* value or a CFI column.
 *
 * To add a machine, create a folder linux/arch/NAME with a file that defines a struct arch; add a
 * line here, in arch.c and in configure.ac; and add the folders of its ABIs. Its file must compile
 * on every other machine, so that traces can be read on all of them. Therefore offsets are written
 * as numbers, as in man pages and kernel headers, and compared with <sys/user.h> only on the
 * machine itself.
 *
 * The machine of a thread follows from the audit value of its calls, the mode of its registers, or
 * the e_machine of its files. So no code asks which machine it was compiled for, except the engine
 * that traces live threads: they run on arch_native.
 */
#ifndef TRACER_LINUX_ARCH_ARCH_H
#define TRACER_LINUX_ARCH_ARCH_H

#include "defs.h"

struct arch_code;
struct arch_mode;

/* The maximum over all machines: bytes of a register set, and columns of a mode. */
#define ARCH_REGS_MAX	 272
#define ARCH_COLUMNS_MAX 33

/*
 * The registers of a thread as the kernel returns them: NT_PRSTATUS by PTRACE_GETREGSET, see
 * ptrace(2). Their meaning depends on their mode.
 */
struct arch_regs {
	const struct arch_mode *mode;
	union {
		uint8_t bytes[ARCH_REGS_MAX];
		uint64_t align;
	};
};

/* Byte offsets of the parts of a call in a register set. Each part is one word. */
struct arch_call {
	uint32_t audit; /* AUDIT_ARCH_* of the calls passed this way */
	uint16_t nr;	/* the number; see tells_calls of struct arch_mode */
	uint16_t ret;
	uint16_t args[SYSCALL_ARGS_MAX];
};

/*
 * The frame that the kernel pushes for a signal handler. It is needed if a handler returns to code
 * without CFI, as in musl, Go and JITs.
 */
struct arch_sigframe {
	const uint8_t *code; /* the instructions that call rt_sigreturn or sigreturn, at the pc */
	uint8_t code_len;    /* at most ARCH_SIGRETURN_MAX */
	uint16_t regs_at; /* offset from sp, in bytes, of the registers of the interrupted code */
};
#define ARCH_SIGRETURN_MAX 16

/*
 * The frame of code that keeps a frame pointer. All offsets are in words, relative to the frame
 * pointer. They are all 0 if compilers do not agree on one layout.
 */
struct arch_chain {
	int8_t bp, ra; /* the saved frame pointer and the return address of the caller */
	int8_t sp;     /* the caller's stack pointer, or its lowest possible value */
	bool sp_known; /* sp is exact */
};

/*
 * A mode of the processor: the width of its code, and with it the meaning of registers and the
 * layout of frames.
 *
 * Columns are the DWARF numbers of the mode's registers in its psABI, at most ARCH_COLUMNS_MAX.
 */
struct arch_mode {
	const struct arch *arch;
	uint16_t elf_machine; /* e_machine of files with such code, <elf.h> */
	uint16_t regs_size;   /* bytes of the register set, different for each mode of an arch */
	uint8_t word;	      /* bytes of a register in the set, and of an address on the stack */
	uint8_t columns;      /* number of columns */
	uint8_t rules;	/* number of columns that CFI can have rules for, including registers that
			   walks do not need */
	uint8_t sp, bp; /* columns: stack pointer, frame pointer */
	uint8_t ra;	/* the column of the return address in CFI */
	uint8_t pc; /* the column of the next instruction: ra, or a column that CFI does not have */
	const uint16_t *column_at; /* the offset of each column in the register set */
	const struct arch_call *calls;
	unsigned ncalls;
	/* If the word of the syscall number has all bits set, the thread is not in a call. */
	bool tells_calls;
	/*
	 * The bits of a return address that belong to the address, if the kernel does not report
	 * them (signature_set of struct arch). The others are a signature, or set_bit. All ones if
	 * there is neither.
	 */
	uint64_t ra_mask;
	/* Return addresses may be signed. CFI describes in which code they are. */
	bool signs_ra;
	/*
	 * Set if code uses two instruction sets, otherwise 0. Addresses of code in the second set
	 * have set_bit set in registers, in memory and in function symbols; the bit is not part of
	 * the address. For the code at pc, bit set_flag of column set_column selects the set; CFI
	 * does not have that column.
	 */
	uint64_t set_bit;
	uint8_t set_column;
	uint32_t set_flag;
	struct arch_chain chain;
	/*
	 * The offset in the register set of the thread pointer, which leads to thread-local
	 * variables, or 0 if there is none.
	 */
	uint16_t thread_pointer_at;
	/*
	 * The kernel's signal frames. Kinds differ in their return code and in the offset of the
	 * registers.
	 */
	const struct arch_sigframe *sigframes;
	uint8_t nsigframes;	      /* 0 if no such code is known */
	uint8_t sigframe_nregs;	      /* number of registers in the frame, a word each */
	const uint8_t *sigframe_regs; /* their columns, in memory order */
	/* The vdso's CFI covers the return code but does not describe where the registers are. */
	bool sigframe_bare;
	/*
	 * The program header type of a table for unwinding other than CFI (stack/walk/ehabi.h), or
	 * 0 if files of this machine have only CFI.
	 */
	uint32_t unwind_table;
	/* linux/arch/code.h; if NULL, code of this mode is not analysed */
	const struct arch_code *code;
	/*
	 * Whether ARCH_THUNK bytes of code are a tiny function that some libraries have without
	 * CFI: it does not move sp and returns to the address at sp. May be NULL.
	 */
	bool (*is_thunk)(const uint8_t *code);
};
#define ARCH_THUNK 4

/* A word in the kernel's data about a thread. */
struct arch_member {
	enum {
		ARCH_NOWHERE, /* does not exist */
		ARCH_IN_REGS, /* at a byte offset in struct pt_regs */
		ARCH_IN_TASK /* in struct task_struct; capture/bpf/kernel knows the member's name */
	} place;
	uint16_t at;
};

/* A machine. */
struct arch {
	const char *name; /* name of its folder */
	/*
	 * Registers of a live tracee are changed one by one, by PTRACE_POKEUSER at their offsets in
	 * the register set of modes[0]. Otherwise the whole set is written by PTRACE_SETREGSET.
	 */
	bool pokes_registers;
	bool big_endian; /* numbers in memory begin with their most significant byte */
	/*
	 * The register set that contains the number of the call a thread is about to make, an int;
	 * NT_ARM_SYSTEM_CALL of <elf.h>. If nr_set is 0, the number is in the common set, see
	 * struct arch_call.
	 */
	uint16_t nr_set;
	/*
	 * The register set that contains the masks of signature bits: a word for data pointers and
	 * one for code pointers; NT_ARM_PAC_MASK of <elf.h>. The kernel chooses the width of
	 * addresses. If signature_set is 0, addresses are not signed.
	 */
	uint16_t signature_set;
	/*
	 * The kernel ignores a change of the first argument's register: PTRACE_SET_SYSCALL_INFO is
	 * needed.
	 */
	bool first_arg_by_info;
	unsigned abi; /* index of the usual ABI of the machine's programs, a 64-bit one */
	const struct arch_mode *modes; /* the widest first */
	unsigned nmodes;
	/*
	 * The first and the last operation of arch_prctl(2) that map the vdso and so change the
	 * process's map. Both are 0 if there are none.
	 */
	uint16_t map_vdso[2];
	/*
	 * The places of calls in the kernel's own struct pt_regs, for all audit values of the
	 * machine. When the call returns, the first argument is still at its place, too. The struct
	 * begins with the register set of modes[0].
	 */
	const struct arch_call *kernel_calls;
	unsigned nkernel_calls;
	uint16_t kernel_regs; /* bytes of struct pt_regs that regs_of_kernel() needs */
	bool narrow_nr;	      /* the call number has 4 bytes there instead of a word */
	/*
	 * A bit in the kernel's data about a thread. If set, the current call was made under the
	 * rules of another audit value than the usual one. sp is the offset in struct pt_regs of
	 * the register that is the stack pointer in such calls, or 0 if it is the usual register.
	 */
	struct {
		struct arch_member member; /* ARCH_NOWHERE: there are no such calls */
		uint32_t bit;
		uint16_t sp;
	} compat_call;
	/*
	 * The word that holds the start or end of the thread's own variables, which libraries place
	 * after the thread's stack.
	 */
	struct arch_member thread_area;
	/*
	 * Converts the first n bytes of the kernel's struct pt_regs to a register set. Returns its
	 * mode, or NULL if n is too small. If this op is NULL, the BPF engine does not support this
	 * machine yet.
	 */
	const struct arch_mode *(*regs_of_kernel)(const void *kernel, size_t n, uint8_t *set);
	/*
	 * Finds the number of a call in the ARCH_CALL_CODE bytes of code before the pc of a thread
	 * in that call. Returns false if the code does not load a constant right before the call.
	 * NULL if not supported.
	 */
	bool (*find_call_number)(const uint8_t *code, uint64_t *nr);
	/* The BPF verifier accepts only programs whose memory accesses are known to be aligned. */
	bool aligned_programs;
};

#define ARCH_CALL_CODE 7

extern const struct arch arch_x86_64, arch_aarch64, arch_riscv64;

/* The machine that tracer runs on. */
extern const struct arch *const arch_native;

/*
 * Fills in *regs from n bytes of this machine's struct pt_regs. Returns false if that is
 * impossible.
 */
bool arch_regs_of_kernel(struct arch_regs *regs, const void *kernel, size_t n);

/*
 * Returns the places of a call in this machine's struct pt_regs, by audit value; NULL if unknown.
 */
const struct arch_call *arch_kernel_call(uint32_t audit);

/*
 * Returns the mode of arch whose register set has `size` bytes; NULL if there is none.
 */
const struct arch_mode *arch_mode_of_regs(const struct arch *arch, size_t size);
/*
 * Returns the mode of the code in ELF files with this e_machine, for any arch, or NULL if unknown.
 */
const struct arch_mode *arch_mode_of_elf(unsigned machine);
/*
 * Returns the mode of a thread that makes a call, by the call's audit value. NULL if code of
 * several modes makes such calls, as with int $0x80 on x86_64.
 */
const struct arch_mode *arch_mode_of_call(uint32_t audit);

/* Writes the columns of a register set, regs->mode->columns of them, to columns[]. */
void arch_columns(const struct arch_regs *regs, uint64_t *columns);
/*
 * Returns the places of number, arguments and result of calls with an audit value; NULL if unknown.
 */
const struct arch_call *arch_call_find(const struct arch_mode *mode, uint32_t audit);
/* Returns the word at a byte offset of a register set, zero-extended. */
uint64_t arch_word(const struct arch_regs *regs, unsigned at);
/*
 * Whether the registers show that the thread is, or was stopped, inside a syscall. Always false in
 * a mode without tells_calls.
 */
bool arch_in_call(const struct arch_regs *regs);

#endif
