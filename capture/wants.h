/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What an engine is to collect that collects by itself, without being asked at each stop: which
 * calls, and which memory of each.
 */
#ifndef TRACER_CAPTURE_WANTS_H
#define TRACER_CAPTURE_WANTS_H

#include "defs.h"

struct plan;
struct plan_limits;

/* In plans of struct wanted_call, the argument with this index is the stack pointer. */
#define WANTED_SP 6

#define WANTED_RESULT (1u << SYSCALL_ARGS_MAX)
/* Argument n points to two descriptors that the call makes: pipe(2), socketpair(2). */
#define WANTED_PAIR(n)	  (((n) + 1u) << WANTED_PAIR_SHIFT)
#define WANTED_PAIR_SHIFT 8
#define WANTED_PAIR_MASK  7u
/* Argument n points to an array of struct pollfd, whose length is argument n + 1: poll(2). */
#define WANTED_POLLFDS(n)    (((n) + 1u) << WANTED_POLLFDS_SHIFT)
#define WANTED_POLLFDS_SHIFT 11
#define WANTED_POLLFDS_MASK  7u
/* Arguments 1 to 3 point to sets of descriptors, argument 0 is the number of bits: select(2). */
#define WANTED_FD_SETS (1u << 14)

/* What is to be looked at of the descriptors of calls: see fds in struct wanted_call. */
enum wanted_fds {
	WANTED_NO_FDS,
	WANTED_PACKETS, /* argument 0 of calls that move packets, and only if it is a socket */
	WANTED_ALL_FDS
};

/*
 * Where the arguments of a call are that the plans, fds and variants are of. Those of other calls
 * than the usual ones are words of four bytes.
 */
enum wanted_args {
	WANTED_IN_REGISTERS,
	WANTED_BEHIND_0, /* in memory, where argument 0 of the registers points to: old_mmap */
	/*
	 * Where argument 1 points to: socketcall(2). Argument 0 says which call it is, by its
	 * number less ABI_SOCKETCALLS (linux/arch/abi.h), if that is one that is wanted.
	 */
	WANTED_BEHIND_1,
	/*
	 * Behind argument 0, whose upper half is the last one: ipc(2). The lower half says which
	 * call it is, by its number less ABI_IPC_CALLS.
	 */
	WANTED_SHIFTED
};

/* A call that is wanted, or a variant of one: whoever has that value in that register. */
struct wanted_call {
	unsigned abi; /* index in abis[] of linux/arch/abi.h */
	unsigned nr;
	bool stack; /* with the stack that led to it */
	bool names; /* it may give the thread another name */
	bool fresh; /* it begins a new program, which is wanted with its stack */
	bool bare;  /* it has no arguments: nobody asks what is in their registers */
	bool twice; /* what is read at its entry is read again when it returns */
	enum wanted_args args;
	/*
	 * Bit n: argument n is a descriptor that is to be looked at. WANTED_RESULT: the result is.
	 * WANTED_PAIR(n), WANTED_POLLFDS(n), WANTED_FD_SETS: what arguments point to.
	 */
	unsigned fds;
	/* What is read at its entry and when it returns; NULL: nothing. Borrowed during the call.
	 */
	const struct plan *enter, *leave;
	const struct plan_limits *limits;
	bool variant;
	unsigned reg; /* of a variant: args[reg] & mask is value */
	uint64_t mask, value;
	bool grows; /* value is a request of ioctl(2), and its size does not count */
};

struct capture_wants {
	/* Calls take(to, …) for each call; the variants of a call come after it. */
	void (*list)(const struct capture_wants *w,
		     void (*take)(void *to, const struct wanted_call *call), void *to);
	bool beyond; /* calls with numbers beyond those of all lists are wanted, too, */
	bool stacks; /* with their stacks */
	enum wanted_fds fds;
};

#endif
