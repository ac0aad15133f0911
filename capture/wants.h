/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Describes the calls and the memory that an engine must collect by itself, because the session
 * cannot request data at each stop. Only the BPF engine uses struct capture_wants.
 */
#ifndef TRACER_CAPTURE_WANTS_H
#define TRACER_CAPTURE_WANTS_H

#include "defs.h"

struct plan;
struct plan_limits;

/* In the plans of struct wanted_call, this argument index denotes the stack pointer. */
#define WANTED_SP 6

#define WANTED_RESULT (1u << SYSCALL_ARGS_MAX)
/* Argument n points to two descriptors that the call creates: pipe(2), socketpair(2). */
#define WANTED_PAIR(n)	  (((n) + 1u) << WANTED_PAIR_SHIFT)
#define WANTED_PAIR_SHIFT 8
#define WANTED_PAIR_MASK  7u
/* Argument n points to an array of struct pollfd and argument n + 1 is its length: poll(2). */
#define WANTED_POLLFDS(n)    (((n) + 1u) << WANTED_POLLFDS_SHIFT)
#define WANTED_POLLFDS_SHIFT 11
#define WANTED_POLLFDS_MASK  7u
/*
 * Arguments 1 to 3 point to sets of descriptors, and argument 0 is the number of bits in each:
 * select(2).
 */
#define WANTED_FD_SETS (1u << 14)

/*
 * The descriptors about which the engine records data, such as the path of the file. The member
 * `fds` of struct wanted_call contains their locations.
 */
enum wanted_fds {
	WANTED_NO_FDS,
	/* only argument 0 of calls that send or receive, and only if the descriptor is a socket */
	WANTED_PACKETS,
	WANTED_ALL_FDS
};

/*
 * The place where the arguments of a call are stored. Plans, `fds` and the conditions of variants
 * refer to these arguments by index. Arguments in memory have 4 bytes each.
 */
enum wanted_args {
	WANTED_IN_REGISTERS,
	WANTED_AT_ARG_0, /* in the memory that argument 0 points to: old_mmap */
	/*
	 * In the memory that argument 1 points to: socketcall(2). Argument 0 plus ABI_SOCKETCALLS
	 * (linux/arch/abi.h) is the number of the requested call, such as connect.
	 */
	WANTED_AT_ARG_1,
	/*
	 * In the registers after argument 0: ipc(2). The upper 16 bits of argument 0 become the
	 * last argument. The lower 16 bits plus ABI_IPC_CALLS are the number of the requested call.
	 */
	WANTED_SHIFTED
};

/*
 * A condition on the value v of an argument: ((v - min) & mask) <= span, and v has all of `bits`.
 * If span is UINT64_MAX, only `bits` matters.
 */
struct wanted_argument {
	unsigned arg;
	uint64_t mask, min, span, bits;
};
#define WANTED_ARGUMENTS_MAX 3

/*
 * A call to record, or a variant of a call: the same syscall with a certain value of one argument,
 * such as the request of ioctl(2).
 */
struct wanted_call {
	unsigned abi; /* index in abis[] of linux/arch/abi.h */
	unsigned nr;
	bool stack;	  /* record a stack with the call */
	bool renames;	  /* true if the call may change the thread's name */
	bool new_program; /* true if the call is an execve; if stacks are recorded, also record the
			     stack of the new program */
	bool no_args;	  /* true if the call has no arguments to record */
	bool reread;	  /* at the exit, read again the memory that was read at the entry */
	bool drops;	  /* do not record the call if its result is not in wanted_results */
	bool bytes; /* true if a result that is not an error is a number of transferred bytes */
	enum wanted_args args;
	/* Record the call only if the first `nconditions` of these conditions hold. */
	struct wanted_argument conditions[WANTED_ARGUMENTS_MAX];
	unsigned nconditions;
	/*
	 * The locations of descriptors to record, as a set of bits. Bit n means that argument n is
	 * a descriptor to record. WANTED_RESULT means that the result is a descriptor.
	 * WANTED_PAIR(n), WANTED_POLLFDS(n) and WANTED_FD_SETS are described above.
	 */
	unsigned fds;
	/*
	 * The reads at the entry and at the exit, or NULL for no reads. The plans are valid only
	 * until list() returns.
	 */
	const struct plan *enter, *leave;
	const struct plan_limits *limits;
	bool variant;
	/* If `variant` is set, the variant applies if (args[reg] & mask) == value. */
	unsigned reg;
	uint64_t mask, value;
	bool any_size; /* true if value is an ioctl(2) request, compared without its size bits */
	/*
	 * If set, this struct describes an io_uring request instead of a syscall, and nr is the
	 * request's opcode. Argument n is the field of struct io_uring_sqe at places[n]. If the
	 * size of that place is 0, the argument is 0.
	 */
	bool request;
	struct wanted_place {
		uint8_t offset, size; /* in bytes; offset is a multiple of size */
	} places[SYSCALL_ARGS_MAX];
};

/*
 * Requests that calls are counted instead of reported (STOP_COUNTS). Calls with the same number are
 * counted together. Some of these bits request separate counts for each process, thread or result.
 */
enum wanted_counts {
	WANTED_COUNTS = 1 << 0,
	WANTED_BY_PROCESS = 1 << 1,
	WANTED_BY_THREAD = 1 << 2,
	WANTED_BY_ERROR = 1 << 3,
	WANTED_OCTAVES = 1 << 4, /* also make a histogram of the elapsed times */
	/* like WANTED_BY_PROCESS, but also separately before and after each execve */
	WANTED_BY_PROGRAM = 1 << 5,
	WANTED_BYTES = 1 << 6, /* also add up the results of calls with the flag `bytes` */
	/* The counts are read repeatedly during the run, see capture_next_count(). */
	WANTED_REPEATED = 1 << 7
};

/* The context switches and wake-ups to report as events of the source "sched". */
enum wanted_sched {
	WANTED_SCHED_NONE,
	WANTED_SCHED_CALLS, /* only those of threads that are in a call */
	WANTED_SCHED_ALL
};

/*
 * Selects calls to record by their result and duration. A call that has not returned yet is
 * recorded in any case.
 */
struct wanted_results {
	bool fails, succeeds;	  /* record calls that fail, and calls that succeed */
	int64_t ret_min, ret_max; /* range of the results to record, for calls that succeed */
	uint64_t ns_min, ns_max;  /* range of the durations to record, in nanoseconds */
};

struct capture_wants {
	/*
	 * Calls take(to, …) for each call to record, followed by take(to, …) for each variant of
	 * the call.
	 */
	void (*list)(const struct capture_wants *w,
		     void (*take)(void *to, const struct wanted_call *call), void *to);
	bool unlisted; /* also record calls with numbers that list() does not report */
	bool stacks;   /* record a stack with each call that `unlisted` adds */
	enum wanted_fds fds;
	/*
	 * If true, calls with `drops` in struct wanted_call are recorded only if they match
	 * `results`.
	 */
	bool drops;
	struct wanted_results results;
	bool requests;	 /* also record the requests of io_urings */
	unsigned counts; /* bits of enum wanted_counts; 0 to report each call */
	bool running;	 /* true if capture_next_running() is used */
	bool wakers; /* true if capture_next_running() sets `waker`, even if no context switches are
			reported */
	enum wanted_sched sched;
	/* True to report page faults as events of the source "fault". Needs WANTED_SCHED_ALL. */
	bool faults;
	/* True if creating the engine must fail unless the kernel reports context switches. */
	bool needs_sched;
};

#endif
