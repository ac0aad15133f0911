/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machines that tracees run on: everything that differs from one kind of processor to another,
 * apart from the ABIs of its system calls (linux/arch/abi.h). Outside linux/arch nothing names a
 * machine, a register, an AUDIT_ARCH_* value or a number of a CFI column.
 *
 * A new machine is a folder, linux/arch/NAME, with a file that defines a struct arch; a line each
 * here, in arch.c and in configure.ac; and the folders of its ABIs. Its file must compile on every
 * other machine, so that a trace of one can be read on all: offsets are written down as the man
 * pages and kernel headers have them, and compared with <sys/user.h> only where that is the
 * machine's own.
 *
 * What is known of a thread says which machine it runs on: the audit value of its calls, the mode
 * of its registers, the e_machine of its files. So no code asks what it was compiled for, but for
 * the engine that traces live threads: they run on arch_native.
 */
#ifndef TRACER_LINUX_ARCH_ARCH_H
#define TRACER_LINUX_ARCH_ARCH_H

#include "defs.h"

struct arch_code;
struct arch_mode;

/* The largest of all machines: bytes of a register set, and columns of a mode. */
#define ARCH_REGS_MAX	 272
#define ARCH_COLUMNS_MAX 33

/*
 * The registers of a thread, as the kernel gives them: NT_PRSTATUS by PTRACE_GETREGSET, see
 * ptrace(2). What they mean is asked of their mode.
 */
struct arch_regs {
	const struct arch_mode *mode;
	union {
		uint8_t bytes[ARCH_REGS_MAX];
		uint64_t align;
	};
};

/* The offsets, in bytes, in a register set where the parts of a call are; each is one word. */
struct arch_call {
	uint32_t audit; /* AUDIT_ARCH_* of the calls that are passed in this way */
	uint16_t nr;	/* the number; see tells_calls of struct arch_mode */
	uint16_t ret;
	uint16_t args[SYSCALL_ARGS_MAX];
};

/*
 * The frame that the kernel puts on the stack for a signal handler. It is needed where a handler
 * returns to code that has no CFI, as in musl, Go and JITs.
 */
struct arch_sigframe {
	const uint8_t *code; /* the instructions that call rt_sigreturn or sigreturn, at the pc */
	uint8_t code_len;    /* at most ARCH_SIGRETURN_MAX */
	uint16_t regs_at; /* offset from sp, in bytes, of the registers of the interrupted code */
};
#define ARCH_SIGRETURN_MAX 16

/*
 * The frame of code that keeps a frame pointer. All offsets are words from where that points to.
 * All zero: compilers do not agree on one.
 */
struct arch_chain {
	int8_t bp, ra; /* where the caller's frame pointer and the return address are stored */
	int8_t sp;     /* where the caller's stack pointer points to, or the least that it can be */
	bool sp_known; /* it points exactly there */
};

/*
 * A mode of the processor: how wide the code is that a thread runs, and with that what its
 * registers and its frames look like.
 *
 * Columns are the numbers that DWARF gives to the registers of the mode in its psABI, of which
 * there are at most ARCH_COLUMNS_MAX.
 */
struct arch_mode {
	const struct arch *arch;
	uint16_t elf_machine; /* e_machine of files with such code, <elf.h> */
	uint16_t regs_size; /* bytes of the register set; differs from that of arch's other modes */
	uint8_t word;	    /* bytes of a register in the set, and of an address on the stack */
	uint8_t columns;    /* how many columns it has */
	uint8_t rules;	/* how many CFI may have rules for: with registers that no walk asks for */
	uint8_t sp, bp; /* columns: stack pointer, frame pointer */
	uint8_t ra;	/* the column by which CFI calls the return address */
	uint8_t pc; /* the column of the next instruction; ra, or a column that CFI does not have */
	const uint16_t *column_at; /* of each column, its offset in the set */
	const struct arch_call *calls;
	unsigned ncalls;
	/* A word of all ones where a call has its number says that the thread is in no call. */
	bool tells_calls;
	/*
	 * The bits of a return address that belong to the address, where the kernel has not told
	 * them (signature_set of struct arch); the others are a signature, or set_bit. All ones
	 * where there is neither.
	 */
	uint64_t ra_mask;
	/* Return addresses may be signed, and CFI says where they are. */
	bool signs_ra;
	/*
	 * Code is of two instruction sets. Addresses of that of the second one have set_bit where
	 * a program has them in registers, memory, and the symbols of functions; it is no part of
	 * the address. Of the code at pc the bit set_flag of column set_column says so; CFI does
	 * not have that column. 0: there is only one.
	 */
	uint64_t set_bit;
	uint8_t set_column;
	uint32_t set_flag;
	struct arch_chain chain;
	/* The offset in the set of the register that leads to a thread's own variables; 0: none. */
	uint16_t thread_pointer_at;
	/* The kernel's frames: those of several kinds differ in the code, and in where they are. */
	const struct arch_sigframe *sigframes;
	uint8_t nsigframes;	      /* 0: no such code is known */
	uint8_t sigframe_nregs;	      /* how many registers they have, a word each */
	const uint8_t *sigframe_regs; /* their columns, in the order in which they lie in memory */
	/* The vdso's CFI covers that code, but does not say where the registers are. */
	bool sigframe_bare;
	/*
	 * The type of the program header of a table that says how functions are left: stack/walk/
	 * ehabi.h. 0: this machine's files have CFI only.
	 */
	uint32_t unwind_table;
	const struct arch_code *code; /* linux/arch/code.h; NULL: code of this mode is not read */
	/*
	 * Whether ARCH_THUNK bytes of code are a tiny function that some libraries have without
	 * CFI: it moves no sp and returns to the address that sp points to. NULL: there are none.
	 */
	bool (*is_thunk)(const uint8_t *code);
};
#define ARCH_THUNK 4

/* A word that the kernel has of a thread. */
struct arch_member {
	enum {
		ARCH_NOWHERE, /* there is none */
		ARCH_IN_REGS, /* at an offset in struct pt_regs, in bytes */
		ARCH_IN_TASK  /* in struct task_struct: capture/bpf/kernel knows its name */
	} place;
	uint16_t at;
};

/* A machine. */
struct arch {
	const char *name; /* that of its folder */
	/*
	 * Registers of a live tracee are changed one by one, by PTRACE_POKEUSER at their offsets in
	 * the register set of modes[0]. Otherwise the whole set is changed by PTRACE_SETREGSET.
	 */
	bool pokes_registers;
	bool big_endian; /* numbers in memory begin with their most significant byte */
	/*
	 * The register set with the number of the call that a thread is about to make, an int;
	 * NT_ARM_SYSTEM_CALL of <elf.h>. 0: the number is in the common set, where struct arch_call
	 * says.
	 */
	uint16_t nr_set;
	/*
	 * The register set that tells which bits of addresses may be a signature: a word for
	 * pointers to data, and one for those to code; NT_ARM_PAC_MASK of <elf.h>. How many bits
	 * an address has is the kernel's to choose. 0: nothing is signed.
	 */
	uint16_t signature_set;
	/* A change of the first argument in its register is ignored: PTRACE_SET_SYSCALL_INFO. */
	bool first_arg_by_info;
	unsigned abi; /* index of the ABI of the machine's usual programs, a 64-bit one */
	const struct arch_mode *modes; /* the widest first */
	unsigned nmodes;
	/*
	 * The first and the last of the operations of arch_prctl(2) that map the vdso, after which
	 * the map of the process has changed. Both 0: there are none.
	 */
	uint16_t map_vdso[2];
	/*
	 * The places of calls in the kernel's own struct pt_regs, for all audit values of the
	 * machine. That of the first argument has it when the call returns, too. In front of all
	 * else it has what the register set of modes[0] has.
	 */
	const struct arch_call *kernel_calls;
	unsigned nkernel_calls;
	uint16_t kernel_regs; /* bytes of it that regs_of_kernel() needs */
	bool narrow_nr;	      /* the number of a call has 4 bytes there, not a word */
	/*
	 * Where the kernel says of a thread that the call it is in was made by the rules of another
	 * audit value than the usual one: a bit of a word. Such calls are made with another
	 * register as the stack pointer, at that offset in struct pt_regs; 0: with the same.
	 */
	struct {
		struct arch_member member; /* ARCH_NOWHERE: there are no such calls */
		uint32_t bit;
		uint16_t sp;
	} compat_call;
	/*
	 * What says where the memory of the thread's own variables begins or ends, which libraries
	 * put after the thread's stack.
	 */
	struct arch_member thread_area;
	/*
	 * Makes a register set of the kernel's own struct pt_regs, of n bytes. Returns its mode,
	 * NULL if there are too few. NULL: the engine that collects in the kernel does not know
	 * this machine yet.
	 */
	const struct arch_mode *(*regs_of_kernel)(const void *kernel, size_t n, uint8_t *set);
	/* The kernel takes only programs whose accesses to memory are known to be aligned. */
	bool aligned_programs;
};

extern const struct arch arch_x86_64, arch_aarch64, arch_riscv64;

/* The machine that tracer itself runs on. */
extern const struct arch *const arch_native;

/*
 * Fills in *regs from n bytes of the kernel's struct pt_regs of our machine. Returns false if that
 * is not possible.
 */
bool arch_regs_of_kernel(struct arch_regs *regs, const void *kernel, size_t n);

/* The places of a call with an audit value in struct pt_regs of our machine; NULL: not known. */
const struct arch_call *arch_kernel_call(uint32_t audit);

/* The mode of a machine whose register set has that size in bytes; NULL: none. */
const struct arch_mode *arch_mode_of_regs(const struct arch *arch, size_t size);
/* The mode, of any machine, that code of an ELF file runs in, by e_machine; NULL: not known. */
const struct arch_mode *arch_mode_of_elf(unsigned machine);
/*
 * The mode of a thread that makes a call, by the call's audit value; NULL where code of several
 * modes makes such calls, as with int $0x80 of x86_64.
 */
const struct arch_mode *arch_mode_of_call(uint32_t audit);

/* Writes the regs->mode->columns columns of a register set to columns[]. */
void arch_columns(const struct arch_regs *regs, uint64_t *columns);
/* The places of number, arguments and result of calls with an audit value; NULL: not known. */
const struct arch_call *arch_call_find(const struct arch_mode *mode, uint32_t audit);
/* The word at a byte offset of a register set, extended with zeroes. */
uint64_t arch_word(const struct arch_regs *regs, unsigned at);
/*
 * Whether the registers say that the thread is, or stopped, inside a system call. Those of a mode
 * that does not tell calls never do.
 */
bool arch_in_call(const struct arch_regs *regs);

#endif
