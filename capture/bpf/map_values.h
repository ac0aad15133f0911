/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The values of the BPF maps: the tables that select the data to collect, the state of each thread,
 * the counts of calls, and the settings of the programs. All data has the byte order and alignment
 * of this machine.
 */
#ifndef TRACER_CAPTURE_BPF_MAP_VALUES_H
#define TRACER_CAPTURE_BPF_MAP_VALUES_H

#include "capture/bpf/records.h"
#include "util/time_sum.h"

/* -- what to collect -------------------------------------------------------- */

/* In the table of calls, each call number below this value has its own entry for each ABI. */
#define CALLS_OF_ABI 1024

enum call_flag {
	CALL_WANTED = 1 << 0,
	CALL_STACK = 1 << 1,   /* record a stack with the call */
	CALL_RENAMES = 1 << 2, /* the call may change the thread's name */
	CALL_VARIES = 1 << 3,  /* the table of variants may contain a different entry for this
				  call */
	/* Used with CALL_VARIES for ioctl(2): some variants ignore the size bits of the request. */
	CALL_ANY_SIZE = 1 << 4,
	/*
	 * The call is an execve. If stacks are recorded, also record the stack of the new program.
	 */
	CALL_NEW_PROGRAM = 1 << 5,
	CALL_NO_ARGS = 1 << 6, /* the call has no arguments */
	CALL_REREAD = 1 << 7,  /* at the return, repeat the reads of the entry's read plan */
	/*
	 * The arguments are not in the registers but at the location that this bit selects, see
	 * enum wanted_args.
	 */
	CALL_AT_ARG_0 = 1 << 8,
	CALL_AT_ARG_1 = 1 << 9,
	CALL_SHIFTED = 1 << 10,
	/* The call need not be recorded if its result is not in setup.results. */
	CALL_DROPS = 1 << 11,
	/* If the result is not an error, it is a number of transferred bytes, to be added up. */
	CALL_BYTES = 1 << 12,
	CALL_ARGS = CALL_AT_ARG_0 | CALL_AT_ARG_1 | CALL_SHIFTED
};

/*
 * Encodes the location of a plan's reads in the table of reads: the index of the first read, and
 * the number of reads. The value 0 means no reads.
 */
#define READS(first, n)	 ((uint32_t)(first) | (uint32_t)(n) << 24)
#define READS_FIRST_MASK 0xffffff

/* An entry in the table of calls. Its index is 1024 × the index of the ABI + the call number. */
struct call_entry {
	uint16_t flags; /* bits of enum call_flag */
	/* with CALL_VARIES: the register whose value, masked by `mask`, selects the variant */
	uint8_t reg;
	uint8_t pad;
	uint32_t enter, leave; /* values made with READS() */
	uint16_t fds;	       /* locations of descriptors, as in struct wanted_call */
	/*
	 * The number of the call's list of variants. The key of each variant contains this number
	 * (struct variant_key).
	 */
	uint16_t list;
	uint64_t mask;
	/* index of the call's conditions in the table of conditions, or 0 if it has none */
	uint32_t conditions, pad_conditions;
};

/* Conditions on arguments, as in struct wanted_argument. They always hold if all members are 0. */
#define CONDITIONS_MAX 3 /* maximum number of conditions of a call, as WANTED_ARGUMENTS_MAX */
struct call_conditions {
	struct arg_condition {
		uint64_t arg, mask, min, span, bits;
	} of[CONDITIONS_MAX];
};

/* Keys and values of the table of variants. */
struct variant_key {
	uint32_t list;	   /* the number of the list of variants, from struct call_entry */
	uint32_t any_size; /* 1 if `value` contains only the request bits in IOCTL_KIND_MASK */
	uint64_t value;
};
struct variant_entry {
	uint32_t enter, leave; /* values made with READS() */
	uint32_t fds;	       /* locations of descriptors, as in struct call_entry */
};

#define REQUEST_OPCODES 256

/* The data to collect for all io_uring requests with one opcode. */
struct request_entry {
	uint32_t wanted;       /* if 0, requests with this opcode are only counted */
	uint32_t enter, leave; /* READS() at the submission and at the completion */
	uint32_t fds;	       /* locations of descriptors, as in struct call_entry */
	/*
	 * The location of an argument in struct io_uring_sqe: bits `mask` of the 8-byte word with
	 * index `word`, after a right shift by `shift` bits.
	 */
	struct request_word {
		uint32_t word, shift;
		uint64_t mask;
	} args[SYSCALL_ARGS_MAX];
};

/*
 * The type and number of an ioctl(2) request, without its direction and size (asm-generic/ioctl.h).
 */
#define IOCTL_KIND_MASK 0xffff

/* A struct plan_number in the form that the BPF programs use. */
struct read_number {
	uint8_t source; /* a value of enum plan_source */
	uint8_t op;	/* for PLAN_FIELD: index within the plan of the read that contains the
			   field */
	/*
	 * for PLAN_FIELD: the number of levels from the parent of this read up to the read `op`;
	 * READ_ANY if `op` is not an ancestor
	 */
	uint8_t up;
	uint8_t reg; /* for an argument: index of its register */
	uint16_t offset;
	uint16_t stride; /* for PLAN_FIELD: size in bytes of an element of the data that op has
			    read */
	uint64_t n;	 /* for PLAN_CONSTANT: the value; for PLAN_FIELD: the size of the field in
			    bytes */
	uint64_t mask;	 /* mask that selects the bits of the number that are used */
};
#define READ_ANY     0xff
#define READ_UP_MAX  3
#define READS_OF_ONE 64 /* maximum number of reads per plan, a power of two >= PLAN_OPS_MAX */

/* A struct plan_op in the form that the BPF programs use. */
struct read_op {
	uint8_t kind, place, reg, pointer;
	uint8_t parent;
	uint8_t list; /* 1 if the parent is a list of pointers, which ends with a null pointer */
	uint16_t offset;
	uint32_t parent_stride;
	uint32_t unit;
	uint32_t max;	   /* maximum number of bytes to read */
	uint32_t elements; /* maximum number of elements */
	struct read_number count;
	struct read_number condition;
	uint64_t mask, value; /* the read is made if mask is 0 or (condition & mask) == value */
};

/* -- a thread --------------------------------------------------------------- */

enum thread_flag {
	THREAD_FOLLOW = 1 << 0,	 /* also trace new children */
	THREAD_STARTING = 1 << 1 /* the thread executes tracer's own code until it calls execve */
};

/* The last event of the thread that the programs have seen: the entry or the return of a call. */
enum thread_entered {
	ENTERED_NOT,	/* the return of a call; if the next event is a return, too, an entry was
			   missed */
	ENTERED_BEFORE, /* no event yet; a call may have begun before the thread was traced */
	ENTERED_CALL	/* the entry of a call */
};

/* The state of a traced thread in the kernel. */
struct thread_state {
	uint32_t flags;	    /* bits of enum thread_flag */
	uint32_t tid, tgid; /* ids in our pid namespace */
	/*
	 * Flags of the current call (enum call_flag). 0 if there is no current call, or if the call
	 * is not recorded.
	 */
	uint32_t call;
	/*
	 * The reads to make when the current call returns, see READS(). `leave` contains the reads
	 * for the return. `enter` contains the reads of the entry, in case they must be repeated.
	 */
	uint32_t leave, enter;
	/*
	 * The stack pointer when a signal was last delivered while the thread ran on its ordinary
	 * stack; 0 if there was no such signal.
	 */
	uint64_t signal_sp;
	uint32_t ignored; /* 1 if a signal that is never delivered (RECORD_IGNORED) has arrived
			     since the last recorded return of a call */
	uint32_t fds;	  /* location of the descriptors of the current call, as in struct
			     call_entry */
	uint32_t group;	  /* index of the control group, as in struct tcb */
	uint32_t entered; /* a value of enum thread_entered */
	uint64_t child;	  /* start_time of the child that the thread's last RECORD_FORK reported */
	/*
	 * Used if calls are counted in the kernel: 1 plus the index of the current call in the
	 * table of calls, or 0 if the current call is not counted. `began` and `began_cpu` are
	 * CLOCK_MONOTONIC and the system CPU time at its entry, in nanoseconds.
	 */
	uint32_t counted;
	/*
	 * Used with setup.sched. `off` is the thread's state while the thread is off the CPU, as in
	 * struct switch_record. `off_at` is the time at which the thread left the CPU, or 0 if that
	 * time is unknown or if the thread runs. waking.at is 0 unless the thread was woken since
	 * it last ran.
	 */
	uint32_t off;
	uint64_t began, began_cpu;
	uint64_t off_at;
	/*
	 * with setup.sched == WANTED_SCHED_ALL: time of the last context switch at which the thread
	 * was blocked; 0 if the thread was not blocked since its last call or page fault
	 */
	uint64_t blocked_at;
	struct waking waking;
	/* number of times that the process has called execve since tracing of the process began */
	uint32_t execs;
	uint32_t bytes; /* CALL_BYTES if the current call is counted and has this flag, else 0 */
};

/* -- calls that are only counted ------------------------------------------------- */

/*
 * Statistics of calls: those of one entry of the table of calls on one CPU (map `counts`), or those
 * with the same struct count_key.
 */
struct call_count {
	uint64_t calls, errors;
	/* elapsed times and system CPU times, in nanoseconds */
	struct time_sum wall, cpu;
	uint64_t bytes; /* sum of the results of calls with CALL_BYTES */
};

/*
 * The properties by which calls with the same syscall number are counted separately. Two calls
 * share a count if they are equal in all selected properties.
 */
enum count_by {
	COUNT_BY_PROCESS = 1 << 0,
	COUNT_BY_THREAD = 1 << 1,
	COUNT_BY_ERROR = 1 << 2,
	/* Not a property: requests the histogram of elapsed times, too. */
	COUNT_OCTAVES = 1 << 3,
	COUNT_BY_PROGRAM = 1 << 4
};
/*
 * The key of a count. A member is 0 if setup.count_by does not contain the property of the member.
 * In `keyed_counts`, `cpu` is the CPU that counts, so that each element is changed by only one CPU.
 */
struct count_key {
	uint32_t call; /* index in the table of calls */
	uint32_t tgid, tid;
	uint32_t error; /* errno, or 0 */
	uint32_t execs; /* number of the process's execve calls, as in struct thread_state */
	uint32_t cpu;
};
#define COUNT_OCTAVES_N 64
struct keyed_count {
	struct call_count sums;
	/*
	 * Histogram of elapsed times: octaves[0] counts zeros, octaves[i] counts times from 2^(i-1)
	 * to 2^i - 1 ns.
	 */
	uint64_t octaves[COUNT_OCTAVES_N];
};
/* Maximum number of different keys in `keyed_counts` and in `thread_counts`. */
#define COUNT_KEYS_MAX 262144

/* An element of `thread_counts`, as the program list_counts writes it. */
struct listed_count {
	struct count_key key;
	struct call_count value;
};

/*
 * Describes the current activity of a thread while calls are counted. The program list_threads
 * writes one element for each thread.
 */
struct thread_now {
	uint32_t tid, tgid;
	uint32_t call; /* 1 plus the index of the thread's call in the table of calls; 0 if none */
	uint16_t old;  /* 1 if the call began before the thread was traced */
	uint16_t kernel; /* 1 if this is a kernel thread or a worker of an io_uring, which makes no
			    calls */
	/*
	 * with setup.wakers: the thread that last woke this thread while this thread was in a call;
	 * 0 if unknown, or if the kernel or an interrupt woke this thread
	 */
	uint32_t waker, pad;
	uint64_t since; /* unless `old` is set: time of the entry, as in struct record */
	char comm[16];
};

/* -- executing reads ------------------------------------------------------------ */

#define READ_PIECE  16384 /* maximum number of bytes per step of a read */
#define RECORD_FULL 65536 /* record size in bytes at which reading memory stops */
/* Maximum size in bytes of a record without its stack. */
#define RECORD_ROOM (RECORD_FULL + READ_PIECE + 256)
#define STACK_ROOM  (128 << 10)
#define MADE_MAX    128 /* maximum number of reads per record, a power of two */

/* A completed read. */
struct read_made {
	uint64_t addr;
	uint32_t data; /* offset of the data within the record */
	uint32_t got;  /* number of bytes that were read */
	uint32_t from; /* index of the earlier read whose data contains the address of this read */
	uint32_t element; /* index of the element, in that data, that contains this address */
	uint64_t pad;
};

#define FDS_MAX 64 /* maximum number of descriptors to record per call, a power of two */
/* maximum number of bits per descriptor set of select(2), a power of two: FD_SETSIZE */
#define FD_BITS_MAX 1024

/*
 * Selects the scratch memory of a program. Each CPU has one struct scratch for each of these
 * values.
 */
enum scratch_of {
	SCRATCH_CALLS,	 /* syscall entries and returns, and requests of io_urings */
	SCRATCH_THREADS, /* forks, execs, exits, signals and page faults */
	/*
	 * signals that are never delivered; the program that records these signals can interrupt
	 * the other programs. The programs for context switches also use this struct scratch, but
	 * only its member `losses`.
	 */
	SCRATCH_IGNORED,
	SCRATCHES
};

/*
 * The value of `since` in struct scratch while a program writes a record whose time is not known
 * yet.
 */
#define SINCE_UNKNOWN 1

/* The working memory of a program on one CPU. */
struct scratch {
	struct losses losses[RECORD_GROUPS_MAX]; /* one for each control group */
	/*
	 * Index of the control group of the current record's thread; selects the buffer. 0 if no
	 * groups are traced.
	 */
	uint32_t group, pad_group;
	/*
	 * For SCRATCH_CALLS: the time of this CPU's record that has not been written to its ring
	 * yet, SINCE_UNKNOWN, or 0 if there is no such record.
	 */
	uint64_t since;
	uint32_t entered; /* 1 if the record contains an entry without its return */
	uint32_t base;	  /* offset in the record of the entry or return that is being written */
	uint32_t op, ops; /* index within the plan of the current op, and number of ops in the
			     plan */
	uint32_t first;	  /* index of the plan's first op in the table of reads */
	uint32_t begun;	  /* 1 if the current op has been started */
	/*
	 * The reads of the parent op that the current op has not processed yet, from index `from`
	 * to from_end - 1. `element` is the next element in the data of read `from`.
	 */
	uint32_t from, from_end, element;
	uint32_t made_count;
	uint32_t used;	     /* size of the record in bytes so far */
	uint32_t what;	     /* a value of enum chunk_what */
	uint32_t failed;     /* not 0 if the reads of the entry must be repeated at the return,
				because one of them failed or because of CALL_REREAD */
	uint32_t pages;	     /* 1 if each step of the current read must end at a page boundary */
	uint64_t addr;	     /* address of the next step of the current read */
	uint64_t left;	     /* number of bytes that remain to be read at addr */
	uint32_t chunk, pad; /* offset of the current chunk in the record */
	uint64_t limit;	     /* maximum number of stack bytes to record */
	int64_t result;	     /* the call's result; -1 at the entry */
	uint64_t args[8];
	/*
	 * Descriptors to record: fds[fd_next] to fds[fd_count - 1]. The layout of an element is
	 * that of the first members of struct pollfd, see poll(2).
	 */
	struct {
		uint32_t n, events;
	} fds[FDS_MAX];
	uint32_t fd_count, fd_next;
	/*
	 * The descriptor sets of select(2), with fd_bits bits each. The bits before fd_bit have
	 * already been examined.
	 */
	uint8_t fd_sets[3][FD_BITS_MAX / 8];
	uint32_t fd_bits, fd_bit;
	/* The path component to record next. If dentry is 0, all components have been recorded. */
	uint64_t dentry, mnt;
	uint32_t fd_chunk; /* offset of the current descriptor's chunk in the record */
	uint32_t names;	   /* number of path components recorded for this descriptor */
	/*
	 * For each op of the plan: the index of its first read in `made`, and the number of its
	 * reads.
	 */
	uint32_t begins[READS_OF_ONE], counts[READS_OF_ONE];
	struct read_made made[MADE_MAX];
	uint64_t align;
	uint8_t record[RECORD_ROOM + STACK_ROOM];
};

/* -- settings for the programs --------------------------------------------------- */

/* The location of a word of a thread's state. */
enum word_place {
	WORD_NOWHERE,
	WORD_IN_REGS, /* at an offset in struct pt_regs */
	WORD_IN_TASK  /* in a member of struct task_struct that the programs access by name */
};
struct setup_word {
	uint16_t place; /* a value of enum word_place */
	uint16_t at;
};

/* The calls of one ABI, see struct abi in linux/arch/abi.h. */
struct setup_abi {
	uint32_t used;	/* 0 if this element is not used */
	uint32_t first; /* index of the ABI's first entry in the table of calls */
	uint32_t nr_mask, own_calls;
};

/* A range of n numbers that starts with `first`. */
struct setup_range {
	uint32_t first, n;
};

/*
 * The programs' read-only data. The verifier knows these values, and removes code that they make
 * unreachable. Offsets are in bytes from the start of struct pt_regs.
 */
struct setup {
	uint32_t cpus;	     /* maximum number of CPUs */
	uint32_t groups;     /* number of control groups that are traced */
	uint32_t stack_size; /* bytes of stack to record for signals and for calls with CALL_STACK;
				0 to record no stacks */
	uint32_t fds;	     /* a value of enum wanted_fds */
	/*
	 * 1 if the state of threads is in a map that is indexed by their ids in the first pid
	 * namespace. 0 if it is in task storage.
	 */
	uint8_t by_id;
	uint8_t aligned;     /* 1 if the kernel's verifier must be able to prove that accesses
				are aligned */
	uint8_t nr_is_32bit; /* 1 if the syscall number has 4 bytes instead of 8 */
	/* 1 if calls with an entry in the table of calls are counted instead of recorded */
	uint8_t counts;
	uint8_t count_by; /* bits of enum count_by */
	uint8_t drops;	  /* 1 if the flag CALL_DROPS is set for some calls */
	uint8_t compares; /* 1 if some calls have conditions */
	uint8_t sched;	  /* a value of enum wanted_sched */
	uint8_t faults;	  /* 1 if page faults are recorded */
	uint8_t wakers;	  /* 1 if wake-ups are stored in the state of threads, even if sched is 0 */
	/* The results of calls to record. The members are those of struct wanted_results. */
	struct setup_results {
		uint32_t fails, succeeds;
		int64_t ret_min, ret_max;
		uint64_t ns_min, ns_max;
	} results;
	/*
	 * [0] describes calls of the normal ABIs. [1] describes calls of the compat ABIs if there
	 * are any.
	 */
	struct setup_calls {
		uint16_t nr, args[SYSCALL_ARGS_MAX], sp;
		/*
		 * Usually only abis[0] is used. On x86_64, abis[1] is the x32 ABI, whose call
		 * numbers have an extra bit (nr_mask).
		 */
		struct setup_abi abis[2];
	} calls[2];
	/* The location of a word in which compat_bit is set during a call of a compat ABI. */
	struct setup_word compat;
	uint32_t compat_bit;
	/*
	 * The location of the address of the thread-local variables, see thread_area in struct
	 * arch.
	 */
	struct setup_word area;
	uint16_t pc;
	uint16_t regs_size; /* number of bytes of struct pt_regs to record */
	/*
	 * the own_calls of the ABI (struct abi), as a range in the table of calls relative to the
	 * ABI's first entry
	 */
	struct setup_range own_calls;
	uint32_t unlisted; /* index in the table of calls for syscall numbers without their own
			      entry */
	/* Ranges in the table of calls for the subcalls of socketcall(2) and ipc(2). */
	struct setup_range sockets, ipc;
};

#endif
