/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The records that the BPF programs write to the rings. All data has the byte order and alignment
 * of this machine.
 */
#ifndef TRACER_CAPTURE_BPF_RECORDS_H
#define TRACER_CAPTURE_BPF_RECORDS_H

#include "capture/wants.h"
#include "defs.h"

enum record_kind {
	/*
	 * A struct enter_record, then chunks. If the call returned before its thread left the CPU,
	 * a complete RECORD_LEAVE or RECORD_RETURN usually follows in the same record.
	 */
	RECORD_ENTER = 1,
	RECORD_LEAVE, /* a struct leave_record, then chunks */
	/*
	 * The return of a call: a struct return_record, then chunks. It always follows the
	 * RECORD_ENTER of its call in the same slot of the ring buffer, and has the same ip and sp.
	 * A return in a slot of its own is a RECORD_LEAVE.
	 */
	RECORD_RETURN,
	RECORD_FORK,   /* struct fork_record: the thread has created a child */
	RECORD_EXEC,   /* struct exec_record: an execve has succeeded */
	RECORD_EXIT,   /* struct exit_record: the thread ends */
	RECORD_SIGNAL, /* a struct signal_record, then chunks */
	/*
	 * a struct signal_record for a signal that is never delivered, because the thread ignores
	 * the signal or is killed by it at once
	 */
	RECORD_IGNORED,
	/* io_uring requests. Their records are in the rings for calls. */
	RECORD_SUBMIT, /* struct submit_record, then chunks */
	RECORD_PUNT, /* struct request_record: a worker thread of the kernel executes the request */
	RECORD_COMPLETE, /* struct complete_record, then chunks */
	RECORD_SWITCH,	 /* struct switch_record: the thread runs again after it was off the CPU */
	RECORD_WAKING,	 /* struct waking_record: the thread wakes another one */
	RECORD_FAULT /* a struct fault_record, then chunks: the kernel read from a disk for a page
			fault */
};

enum record_flag {
	RECORD_COMPAT = 1 << 0, /* the call belongs to the machine's compat ABI */
	RECORD_SHARES = 1 << 1, /* RECORD_FORK: the child shares the parent's memory */
	RECORD_FOLLOW = 1 << 2, /* RECORD_FORK: the child is traced, too */
	/*
	 * RECORD_FORK: the child should be traced, but the kernel could not allocate memory for its
	 * state
	 */
	RECORD_MISSED = 1 << 3,
	RECORD_NAMED = 1 << 4, /* RECORD_LEAVE: contains a CHUNK_NAME */
	RECORD_DEADLY = 1 << 5 /* RECORD_IGNORED: the signal kills the process */
};

/* The header of all records. */
struct record {
	uint64_t time; /* CLOCK_MONOTONIC, in nanoseconds */
	uint32_t tid;  /* id of the record's thread in our pid namespace */
	uint16_t kind, flags;
	/*
	 * The lower 32 bits of the buffer's loss counters (struct losses) at the time of the
	 * record: `calls` and `results`. In records that are in the rings for events, `others` and
	 * 0.
	 */
	uint32_t lost_calls, lost_results;
};

/*
 * The header of a chunk of data about a thread, such as registers or memory. `size` bytes follow
 * the header, padded to a multiple of 8.
 */
struct chunk_head {
	uint64_t addr;
	int32_t size;  /* size in bytes, or -errno if reading failed */
	uint32_t what; /* a value of enum chunk_what */
};
/*
 * Iterates over the chunks in a range of `size` bytes. Returns the next chunk, or NULL if there is
 * no further complete chunk. *at must be 0 in the first call.
 */
static inline const struct chunk_head *chunk_next(const void *chunks, size_t size, size_t *at)
{
	const struct chunk_head *h = (const struct chunk_head *)((const char *)chunks + *at);
	size_t left = size - *at, n;

	if (*at > size || left < sizeof(*h))
		return NULL;
	n = h->size > 0 ? (size_t)h->size : 0;
	if (n > left - sizeof(*h))
		return NULL;
	*at += sizeof(*h) + align_up(n, 8);
	return h;
}

enum chunk_what {
	CHUNK_MEMORY,
	CHUNK_AGAIN, /* a read of the call's entry that was repeated at the call's return */
	/*
	 * memory of the stack; if a signal handler runs on an alternate stack, also memory of the
	 * interrupted stack
	 */
	CHUNK_STACK,
	CHUNK_REGS, /* the kernel's struct pt_regs */
	CHUNK_NAME, /* the thread's name, which may have changed */
	/*
	 * A file descriptor. Its number is in the lower 32 bits of addr. The data consists of a
	 * struct fd_head, the address (only for an AF_UNIX socket), and the names of the path from
	 * the last to the first. Each name ends with a NUL.
	 */
	CHUNK_FD,
	/*
	 * A part of the stack. Consists of a struct stack_part, and the blocks (STACK_BLOCK bytes
	 * each) that the engine does not have yet.
	 */
	CHUNK_STACK_PART = 6,
	/*
	 * The same as CHUNK_STACK_PART, but a part of the ordinary stack of a thread that is in a
	 * signal handler on an alternate stack.
	 */
	CHUNK_LEFT_PART = 7,
	/*
	 * The thread leaves the CPU in the call. addr is the number of times that the thread was
	 * put on a CPU so far (sched_info.pcount of the kernel). The data (8 bytes) is the address
	 * of the thread-local variables, or 0 if this address is unknown.
	 */
	CHUNK_SLEEP = 8
};
static inline bool chunk_is_stack_part(const struct chunk_head *h)
{
	return h->what == CHUNK_STACK_PART || h->what == CHUNK_LEFT_PART;
}

#define CHUNK_LEFT_BIT 1 /* this bit is set in CHUNK_LEFT_PART and clear in CHUNK_STACK_PART */

/* Defined in linux/magic.h, but the installed header may be older than the kernel. */
#define MAGIC_ANON_INODES 0x09041934
#define MAGIC_PIDS	  0x50494446
#define MAGIC_SOCKETS	  0x534F434B

struct fd_head {
	uint64_t inode;
	uint64_t magic; /* magic number of the file system, see linux/magic.h */
	/* 0 if the recorded names form the path; otherwise the kernel generates the path */
	uint64_t dname;
	uint64_t hashed;   /* 0 if the last name has been removed from its directory */
	uint32_t rdev;	   /* device number: the lower 20 bits are the minor number, the upper bits
			      the major number */
	uint16_t mode;	   /* file type and mode, see inode(7); 0 if unknown */
	uint16_t path_len; /* for an AF_UNIX socket: length in bytes of the address that follows */
	union {
		/*
		 * A socket of AF_INET, AF_INET6, AF_NETLINK or AF_UNIX, with data from the kernel's
		 * structs sock_common, netlink_sock and unix_sock.
		 */
		struct fd_socket {
			uint16_t family;     /* the address family; 0 if unknown */
			uint16_t port;	     /* the socket's own port in host byte order; for
						AF_NETLINK, the protocol */
			uint16_t peer_port;  /* the peer's port in network byte order */
			uint8_t address[16]; /* for AF_NETLINK, the first 4 bytes are the port */
			union {
				uint8_t peer[16];
				uint64_t peer_inode; /* for AF_UNIX: inode of the peer, or 0 */
			};
		} socket;
		/* An eventfd, a signalfd, a pidfd, or the master side of a terminal. */
		struct fd_special {
			uint32_t known; /* 0 if the members below are unknown */
			/*
			 * For an eventfd: its id. For a pidfd: the pid of its process in our
			 * namespace, 0 if the process has no pid there, or -1 if the process is
			 * gone. For a pty master: the number N of its slave, /dev/pts/N.
			 */
			int32_t number;
			uint64_t value; /* For an eventfd, its counter. For a signalfd, the signals
					   that it does not accept: bit 0 is signal 1. */
			uint32_t flags; /* for an eventfd: its flags, such as EFD_SEMAPHORE */
		} special;
	};
};
/* Size of sun_path (108) plus the NUL that the kernel adds, rounded up. See unix(7). */
#define UNIX_PATH_ROOM 112

/*
 * The header of a part of a stack. Consecutive stacks are nearly identical, so only stack blocks
 * that changed are written. For each buffer, the programs and the engine keep the most recently
 * written blocks. Kept blocks are indexed by address modulo STACK_KEPT and shared by all threads.
 * If a signal handler runs on an alternate stack, the blocks of the interrupted stack are kept
 * separately. If a record is lost, all kept blocks become invalid.
 */
struct stack_part {
	uint32_t size;	  /* length in bytes of the stack memory at addr, including unchanged
			     blocks; a multiple of STACK_BLOCK */
	uint32_t changed; /* bit n is set if the data contains block n */
};
/* Maximum size of a part in bytes. No part crosses a multiple of this size. */
#define STACK_PIECE 1024
#define STACK_BLOCK 128
#define STACK_KEPT  (128 << 10)

/*
 * The stack blocks that the programs keep for a buffer, so that unchanged blocks are not sent
 * again. The engine keeps a copy of `blocks` (stack_parts.c).
 */
struct stack_kept {
	uint32_t number; /* number of records of this buffer that were lost or dropped so far; each
			    of them makes the kept blocks invalid */
	uint32_t pad;
	uint8_t piece[STACK_PIECE]; /* the part that is being compared */
	/* the blocks from CHUNK_STACK_PART, then the blocks from CHUNK_LEFT_PART */
	uint8_t blocks[2 * STACK_KEPT];
	/* A block is valid only if its element of this array equals `number`. */
	uint32_t numbers[2 * STACK_KEPT / STACK_BLOCK];
};

struct enter_record {
	struct record head;
	uint32_t nr;	  /* lower 32 bits of the register with the syscall number */
	uint16_t leave;	  /* offset of the return in this record, or 0 if it is in a separate
			     record */
	uint16_t no_args; /* 1 if `args` is missing because the call has no arguments; then the
			     chunks start at the offset of `args` */
	uint64_t ip, sp;
	uint64_t cpu; /* CPU time that the thread has spent in the kernel so far, in nanoseconds */
	uint64_t args[SYSCALL_ARGS_MAX];
};
#define ENTER_NO_ARGS offsetof(struct enter_record, args) /* size of a record without `args` */

struct leave_record {
	struct record head;
	int64_t ret;
	uint64_t ip, sp;
	uint64_t cpu; /* CPU time, as in struct enter_record */
};

/* The members before `ret` are the first members of struct record. */
struct return_record {
	uint64_t time;
	uint32_t tid;
	uint16_t kind, flags;
	int64_t ret;
	uint64_t cpu; /* CPU time, as in struct enter_record */
};
_Static_assert(sizeof(struct return_record) >= sizeof(struct record), "it can be taken for one");
_Static_assert(offsetof(struct return_record, ret) == offsetof(struct record, lost_calls),
	       "what is common to both");

#define PID_LEVELS 4

struct fork_record {
	struct record head;
	uint32_t tid, tgid; /* the child's ids in our pid namespace; 0 if it has none there */
	char comm[16];
	/*
	 * The child's ids: in our pid namespace and in each nested namespace, down to the child's
	 * own. The ids are copied from the kernel's struct upid. At most PID_LEVELS of them are
	 * stored.
	 */
	uint32_t levels; /* number of levels between our namespace and the child's */
	uint32_t pad;
	struct {
		uint32_t nr, pad;
		uint64_t ns; /* address of the namespace's struct in the kernel */
	} ids[PID_LEVELS];
};

struct exec_record {
	struct record head;
	uint32_t old_tid; /* the thread's id before the execve */
	/*
	 * index of the thread's control group if tracing of the thread begins with this exec,
	 * otherwise 0
	 */
	uint32_t group;
	char comm[16];
};

struct exit_record {
	struct record head;
	uint32_t code; /* exit code, encoded as a wait status */
	uint32_t pad;
};

struct signal_record {
	struct record head;
	uint64_t ip, sp;
	uint64_t sig;
	uint8_t info[48]; /* the part of siginfo_t that the kernel stores */
};

/* An io_uring request. head.tid is the thread that submitted the request. */
struct request_record {
	struct record head;
	/*
	 * The kernel address of the ring. If another ring is created later at the same address, its
	 * serial is different.
	 */
	uint64_t ring, serial;
	/*
	 * The number of the request in its ring, starting at 1. If the number is unknown, `number`
	 * and head.tid are 0.
	 */
	uint64_t number;
};

/*
 * Size in bytes of the first half of struct io_uring_sqe (linux/io_uring.h), and the index of
 * user_data in its 8-byte words.
 */
#define REQUEST_SQE   64
#define SQE_USER_DATA 4
/* value of submit_record.fd for a ring that was created before tracing began */
#define RING_UNKNOWN INT32_MIN

struct submit_record {
	struct request_record request;
	uint64_t chain; /* number of the first request of the same chain; 0 if the request is not
			   linked */
	/*
	 * The number of an earlier request of the ring that ended without a completion, or 0. The
	 * earlier request must have ended, because the kernel has reused its memory for this
	 * request.
	 */
	uint64_t silent;
	/*
	 * The descriptor of the ring: the one passed to io_uring_enter(2) or returned by
	 * io_uring_setup(2). If it is unknown, -1 - INDEX for a registered ring, otherwise
	 * RING_UNKNOWN.
	 */
	int32_t fd;
	uint16_t polled; /* 1 if a kernel thread fetched the request from the queue */
	uint16_t compat; /* 1 if the ring belongs to a process of the compat ABI */
	uint64_t sqe[REQUEST_SQE / 8];
};

struct complete_record {
	struct request_record request;
	uint64_t user_data;
	int32_t result;
	uint32_t flags; /* flags of the completion: IORING_CQE_F_* of linux/io_uring.h */
};

enum waking_bits {
	WAKING_IN_CALL = 1 << 0, /* the waker is in the call `nr` */
	WAKING_COMPAT = 1 << 1,	 /* the call belongs to the machine's compat ABI */
	/*
	 * The wake-up happened in the handler of an interrupt or in a softirq, while the waker was
	 * the current thread.
	 */
	WAKING_INTERRUPT = 1 << 2,
	WAKING_KERNEL = 1 << 3, /* the waker is a kernel thread */
	WAKING_RING = 1 << 4,	/* the waker is a worker thread of an io_uring */
	WAKING_SIGNAL = 1 << 5, /* the woken thread has a pending signal */
	WAKING_NAMED = 1 << 6,	/* the engine knows the name of the waker */
	/*
	 * The call `nr` of the waker has ended, but the waker has not yet returned to user mode.
	 * The kernel closes files at this time if their last descriptor was removed by the call.
	 */
	WAKING_AFTER_CALL = 1 << 7
};

/* The last wake-up of a thread. */
struct waking {
	uint64_t at; /* time of the wake-up, as in struct record; 0 if there was no wake-up */
	uint32_t tid, tgid; /* the waker's ids in our pid namespace; 0 if it has none there */
	uint32_t nr;   /* the waker's call: lower 32 bits of the register with the syscall number */
	uint32_t bits; /* bits of enum waking_bits */
	char comm[16]; /* the waker's name, unless WAKING_NAMED is set */
};

/* A period in which the thread was off the CPU. head.time is its end. */
struct switch_record {
	struct record head;
	uint64_t off_at; /* time at which the period began, as in head.time */
	/*
	 * The thread's state in this period, as a letter of proc_pid_stat(5). 'R' means that it
	 * waited only for a CPU.
	 */
	uint32_t state, pad;
	struct waking waking; /* if the thread was blocked: the wake-up that ended the period */
};

struct fault_record {
	struct record head; /* head.time is the time at which the fault ended */
	uint64_t begin;	    /* time at which the thread was blocked, or 0 if it was not blocked */
	uint64_t addr;
	uint64_t ip;
};

/* The thread head.tid wakes the thread `woken`. Written only if stacks are recorded. */
struct waking_record {
	struct record head;
	uint32_t woken, pad;
};

#define RECORD_GROUPS_MAX 16 /* maximum number of control groups; equals CAPTURE_GROUPS_MAX */

/* Counts of records that were lost because a ring buffer was full. */
struct losses {
	uint64_t calls;	  /* syscall entries and submissions of requests; the return of a lost entry
			     is not counted */
	uint64_t results; /* returns of calls and completions of requests whose first records were
			     written */
	uint64_t others;  /* other records, such as forks, exits and signals */
};

#endif
