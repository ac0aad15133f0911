/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Data shared by the programs in the kernel and their reader: the records in the rings, and the
 * tables of what to collect. Everything has the byte order and alignment of this machine.
 */
#ifndef TRACER_CAPTURE_BPF_RECORDS_H
#define TRACER_CAPTURE_BPF_RECORDS_H

#include "capture/wants.h"
#include "defs.h"

/* -- records ---------------------------------------------------------------- */

enum record_kind {
	/*
	 * struct enter_record, then chunks. If the call returned before its thread left the CPU, a
	 * complete RECORD_LEAVE or RECORD_RETURN follows in the same record.
	 */
	RECORD_ENTER = 1,
	RECORD_LEAVE, /* struct leave_record, then chunks */
	/* struct return_record, then chunks: combined with its entry, whose ip and sp it shares. */
	RECORD_RETURN,
	RECORD_FORK,   /* struct fork_record */
	RECORD_EXEC,   /* struct exec_record */
	RECORD_EXIT,   /* struct exit_record */
	RECORD_SIGNAL, /* struct signal_record, then chunks */
	/*
	 * struct signal_record: the thread never gets the signal, because it is ignored or kills
	 * the thread at once.
	 */
	RECORD_IGNORED
};

enum record_flag {
	RECORD_COMPAT = 1 << 0, /* the call is one of the machine's compat ABI */
	RECORD_SHARES = 1 << 1, /* RECORD_FORK: the child shares the memory */
	RECORD_FOLLOW = 1 << 2, /* RECORD_FORK: the child is traced too */
	/* RECORD_FORK: the child should be traced, but memory was lacking */
	RECORD_MISSED = 1 << 3,
	RECORD_AGAIN = 1 << 4, /* RECORD_LEAVE: contains CHUNK_AGAIN chunks */
	RECORD_NAMED = 1 << 5, /* RECORD_LEAVE: contains a CHUNK_NAME */
	RECORD_DEADLY = 1 << 6 /* RECORD_IGNORED: the signal kills the process */
};

/* The head of every record. */
struct record {
	uint64_t time; /* CLOCK_MONOTONIC, in nanoseconds */
	uint32_t tid;  /* id of its thread in our pid namespace */
	uint16_t kind, flags;
	/* The lower halves of the buffer's loss counters before this record, see struct losses. */
	uint32_t lost_calls, lost_results;
};

/* Memory read from a thread, or its registers. `size` bytes follow, padded to 8. */
struct chunk_head {
	uint64_t addr;
	int32_t size;  /* -errno: reading failed */
	uint32_t what; /* enum chunk_what */
};
/* Iterates over the chunks in size bytes: returns the next one, or NULL. *at is initially 0. */
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
	CHUNK_AGAIN, /* memory of the entry's plan that was read at the return */
	CHUNK_STACK, /* of the stack, or of another one that it leads to */
	CHUNK_REGS,  /* the kernel's struct pt_regs; addr is 0 */
	CHUNK_NAME,  /* the thread's name, which may have changed; addr is 0 */
	/*
	 * The target of the descriptor whose number is the lower half of addr: a struct fd_head,
	 * then the address of an AF_UNIX socket, then the names of the path, the last one first,
	 * each with a NUL.
	 */
	CHUNK_FD,
	/*
	 * A piece of the stack, without blocks that the reader knows: a struct stack_part, then
	 * blocks of STACK_BLOCK bytes.
	 */
	CHUNK_STACK_PART = 6,
	CHUNK_LEFT_PART = 7 /* the same for a stack that a signal left for an alternate one */
};
#define CHUNK_LEFT_BIT 1 /* the difference between these two */

/* From linux/magic.h, which may be older than the kernel. */
#define MAGIC_ANON_INODES 0x09041934
#define MAGIC_PIDS	  0x50494446
#define MAGIC_SOCKETS	  0x534F434B

struct fd_head {
	uint64_t inode;
	uint64_t magic;	   /* magic number of its file system: linux/magic.h */
	uint64_t dname;	   /* 0: its names are its path; otherwise the kernel constructs the path */
	uint64_t hashed;   /* 0: the last name is no longer in its directory */
	uint32_t rdev;	   /* device number: minor in 20 bits, major above */
	uint16_t mode;	   /* inode(7); 0: unknown */
	uint16_t path_len; /* AF_UNIX socket: bytes of its address, which follow */
	union {
		/*
		 * A socket of AF_INET, AF_INET6, AF_NETLINK or AF_UNIX, from the kernel's struct
		 * sock_common, netlink_sock and unix_sock.
		 */
		struct fd_socket {
			uint16_t family;     /* 0: unknown */
			uint16_t port;	     /* ours, in machine byte order; AF_NETLINK: protocol */
			uint16_t peer_port;  /* in network byte order */
			uint8_t address[16]; /* AF_NETLINK: the port, 4 bytes */
			union {
				uint8_t peer[16];
				uint64_t peer_inode; /* AF_UNIX; 0: not connected */
			};
		} socket;
		/* An eventfd, a signalfd, a pidfd, or the master side of a terminal. */
		struct fd_special {
			uint32_t known; /* 0: unknown */
			/*
			 * An eventfd's id; a pidfd's number in our pid namespace, 0: none, -1: the
			 * process is gone; the number of a terminal's other side.
			 */
			int32_t number;
			uint64_t value; /* an eventfd's counter; the signals that a signalfd does
					   not accept: bit 0 is number 1 */
			uint32_t flags; /* eventfd: EFD_SEMAPHORE */
		} special;
	};
};
#define UNIX_PATH_ROOM 112 /* sun_path of unix(7) has 108, and the kernel adds a NUL */

/*
 * Successive stacks differ little. So for each buffer, the program and the reader both keep the
 * blocks of the last stacks written, indexed by address modulo STACK_KEPT; stacks that a signal
 * left are kept separately. The thread does not matter. Only blocks that differ from the kept ones
 * are written. After a lost record, all kept blocks are invalid.
 */
struct stack_part {
	uint32_t size;	  /* unchanged and changed bytes from addr on, a multiple of STACK_BLOCK */
	uint32_t changed; /* bit n: block n follows */
};
#define STACK_PIECE 1024 /* maximum bytes of a part, which does not cross a multiple of this */
#define STACK_BLOCK 128
#define STACK_KEPT  (128 << 10)

/* The blocks kept for a buffer. */
struct stack_kept {
	uint32_t number; /* number of lost records */
	uint32_t pad;
	uint8_t piece[STACK_PIECE];	/* the piece being compared */
	uint8_t blocks[2 * STACK_KEPT]; /* for CHUNK_STACK_PART, and for CHUNK_LEFT_PART */
	/* A block is valid only if its number equals `number`. */
	uint32_t numbers[2 * STACK_KEPT / STACK_BLOCK];
};

struct enter_record {
	struct record head;
	uint32_t nr;	/* the lower half of the register */
	uint16_t leave; /* offset of its return in this record; 0: none */
	uint16_t bare;	/* 1: the call has no args; chunks begin in their place */
	uint64_t ip, sp;
	uint64_t cpu; /* time the thread has spent in the kernel, in nanoseconds */
	uint64_t args[SYSCALL_ARGS_MAX];
};
#define ENTER_BARE offsetof(struct enter_record, args) /* size of one without args */

struct leave_record {
	struct record head;
	int64_t ret;
	uint64_t ip, sp;
	uint64_t cpu; /* as in struct enter_record */
};

/* The members before ret are those of struct record. */
struct return_record {
	uint64_t time;
	uint32_t tid;
	uint16_t kind, flags;
	int64_t ret;
	uint64_t cpu; /* as in struct enter_record */
};
_Static_assert(sizeof(struct return_record) >= sizeof(struct record), "it can be taken for one");
_Static_assert(offsetof(struct return_record, ret) == offsetof(struct record, lost_calls),
	       "what is common to both");

#define PID_LEVELS 4

struct fork_record {
	struct record head;
	uint32_t tid, tgid; /* of the child; 0: it has no id in our pid namespace */
	char comm[16];
	/*
	 * Its ids in our pid namespace and in nested ones, down to its own, like struct upid of the
	 * kernel; limited in number.
	 */
	uint32_t levels; /* nesting depth below our namespace */
	uint32_t pad;
	struct {
		uint32_t nr, pad;
		uint64_t ns; /* the namespace's address in the kernel */
	} ids[PID_LEVELS];
};

struct exec_record {
	struct record head;
	uint32_t old_tid; /* the thread's previous id */
	uint32_t group;	  /* index of the control group of a newly traced thread */
	char comm[16];
};

struct exit_record {
	struct record head;
	uint32_t code; /* exit code, as from wait4(2) */
	uint32_t pad;
};

struct signal_record {
	struct record head;
	uint64_t ip, sp;
	uint64_t sig;
	uint8_t info[48]; /* the part of siginfo_t that the kernel keeps */
};

#define RECORD_GROUPS_MAX 16 /* control groups: CAPTURE_GROUPS_MAX */

/*
 * Numbers of records that could not be written to a CPU's buffer because one of its rings was full.
 */
struct losses {
	uint64_t calls;	  /* entries; the returns of these calls are not counted again */
	uint64_t results; /* of calls whose entries were written */
	uint64_t others;  /* forks, execs, ends, signals */
};

/* -- what to collect -------------------------------------------------------- */

/* Numbers of the calls of an ABI that have their own entry in the table of calls. */
#define CALLS_OF_ABI 1024

enum call_flag {
	CALL_WANTED = 1 << 0,
	CALL_STACK = 1 << 1,  /* with its stack */
	CALL_NAMES = 1 << 2,  /* it may change the thread's name */
	CALL_VARIES = 1 << 3, /* the table of variants may have a different entry */
	CALL_GROWS = 1 << 4,  /* and one for an ioctl request of any size */
	CALL_FRESH = 1 << 5,  /* where it returns, a new program begins: with its stack there */
	CALL_BARE = 1 << 6,   /* it has no arguments, whatever the registers have */
	CALL_TWICE = 1 << 7,  /* what its entry has read is read again where it returns */
	/* Its arguments are not those of the registers: see enum wanted_args. */
	CALL_BEHIND_0 = 1 << 8,
	CALL_BEHIND_1 = 1 << 9,
	CALL_SHIFTED = 1 << 10,
	CALL_ARGS = CALL_BEHIND_0 | CALL_BEHIND_1 | CALL_SHIFTED
};

/* The reads of a plan: where they begin in the table of reads, and how many. 0: none. */
#define READS(first, n)	 ((uint32_t)(first) | (uint32_t)(n) << 24)
#define READS_FIRST_MASK 0xffffff

/* An entry of the table of calls, by 1024 × index of the ABI + number. */
struct call_entry {
	uint16_t flags; /* enum call_flag */
	uint8_t reg;	/* CALL_VARIES: the register that selects, of which mask counts */
	uint8_t pad;
	uint32_t enter, leave; /* READS() */
	uint16_t fds;	       /* as in struct wanted_call of capture/wants.h */
	uint16_t list;
	uint64_t mask;
};

/* The table of variants. */
struct variant_key {
	uint32_t list;
	uint32_t grows; /* 1: value is only what IOCTL_KIND_MASK leaves of it */
	uint64_t value;
};
struct variant_entry {
	uint32_t enter, leave; /* READS() */
	uint32_t fds;	       /* as in struct call_entry */
};

/* Of a request of ioctl(2), its type and number without direction and size: asm-generic/ioctl.h. */
#define IOCTL_KIND_MASK 0xffff

/* A number as struct plan_number has it, made ready for the kernel. */
struct read_number {
	uint8_t source; /* enum plan_source */
	uint8_t op;	/* PLAN_FIELD: index of the read within its plan */
	uint8_t up;  /* PLAN_FIELD: how many parents up from ours it is; READ_ANY: none of them */
	uint8_t reg; /* of an argument */
	uint16_t offset;
	uint16_t stride; /* PLAN_FIELD: size of an element of op */
	uint64_t n;	 /* of PLAN_CONSTANT: it; of PLAN_FIELD: its size in bytes */
	uint64_t mask;	 /* the bits that count */
};
#define READ_ANY     0xff
#define READ_UP_MAX  3
#define READS_OF_ONE 64 /* room for PLAN_OPS_MAX, a power of two */

/* An op of a plan: see struct plan_op. */
struct read_op {
	uint8_t kind, place, reg, pointer;
	uint8_t parent;
	uint8_t list; /* 1: the parent is a list of pointers, which a null pointer ends */
	uint16_t offset;
	uint32_t parent_stride;
	uint32_t unit;
	uint32_t max;	   /* bytes */
	uint32_t elements; /* maximum number of units */
	struct read_number count;
	struct read_number condition;
	uint64_t mask, value; /* of the condition; mask 0: there is none */
};

/* -- a thread --------------------------------------------------------------- */

enum thread_flag { THREAD_FOLLOW = 1 << 0 };

/* Which parts of the thread's last call were seen. */
enum thread_entered {
	ENTERED_NOT,	/* it has returned: what it returns from next has had no entry */
	ENTERED_BEFORE, /* nothing: it may have begun before the thread was traced */
	ENTERED_CALL	/* its entry */
};

/* What the kernel keeps for each traced thread. */
struct thread_state {
	uint32_t flags;	       /* enum thread_flag */
	uint32_t tid, tgid;    /* in our pid namespace */
	uint32_t call;	       /* flags of the call that it is in, 0: of none that is wanted */
	uint32_t leave, enter; /* READS() of that call: at its end; again, if one failed */
	/* The stack pointer at the last signal that did not come on an alternate stack; 0: none. */
	uint64_t signal_sp;
	uint32_t ignored; /* a signal that it ignores came during that call */
	uint32_t fds;	  /* of that call, as in struct call_entry */
	uint32_t group;	  /* see struct tcb */
	uint32_t entered; /* enum thread_entered */
	uint64_t child;	  /* start_time of the task of its last RECORD_FORK */
};

/* -- the machine that makes reads ------------------------------------------- */

#define READ_PIECE  16384 /* maximum number of bytes read at a time */
#define RECORD_FULL 65536 /* no more reads of a record that has so many bytes */
#define RECORD_ROOM (RECORD_FULL + READ_PIECE + 256) /* without a stack */
#define STACK_ROOM  (128 << 10)
#define MADE_MAX    128 /* reads of one record, a power of two */

/* One read that was made. */
struct read_made {
	uint64_t addr;
	uint32_t data; /* where its bytes are in the record */
	uint32_t got;
	uint32_t from;	  /* the read that led here */
	uint32_t element; /* of that one */
	uint64_t pad;
};

#define FDS_MAX	    64	 /* descriptors of a call that are looked at, a power of two */
#define FD_BITS_MAX 1024 /* of a set of select(2), a power of two: FD_SETSIZE */

/* Who works with a scratch: each CPU has one for each of them. */
enum scratch_of {
	SCRATCH_CALLS,	 /* entries and returns */
	SCRATCH_THREADS, /* forks, execs, ends, signals */
	SCRATCH_IGNORED, /* signals that nobody gets: they may come amid what the others do */
	SCRATCHES
};

/* An entry is being written, and its time is not known yet: see since in struct scratch. */
#define SINCE_UNKNOWN 1

/* For each CPU, what a program works with. */
struct scratch {
	struct losses losses[RECORD_GROUPS_MAX]; /* of the buffer of each group */
	/* That of the record's thread, which says where it goes; 0 where there is but one. */
	uint32_t group, pad_group;
	/*
	 * Of SCRATCH_CALLS: the time of a record of this CPU that is not in its ring yet, or
	 * SINCE_UNKNOWN; 0: there is none.
	 */
	uint64_t since;
	uint32_t entered; /* the record is of an entry, which waits for its return */
	uint32_t base;	  /* where in it the part begins that is being made */
	uint32_t op, ops; /* within the plan: next one, how many */
	uint32_t first;	  /* of the plan, in the table of reads */
	uint32_t begun;	  /* op has been begun: */
	uint32_t from, from_end, element;
	uint32_t made_count;
	uint32_t used;	 /* bytes of the record */
	uint32_t what;	 /* enum chunk_what */
	uint32_t failed; /* some read; or all are to be made again anyway */
	uint32_t pages;	 /* read up to the next page only */
	uint64_t addr;	 /* of what is being read: */
	uint64_t left;
	uint32_t chunk, pad; /* where its head is in the record */
	uint64_t limit;	     /* of the stack, in bytes */
	int64_t result;	     /* -1 at the entry */
	uint64_t args[8];
	/*
	 * Descriptors to be looked at, each beginning as a struct pollfd of poll(2) does; how many
	 * there are, and which one is next.
	 */
	struct {
		uint32_t n, events;
	} fds[FDS_MAX];
	uint32_t fd_count, fd_next;
	/* Sets of select(2) from which they are still to be taken: how many bits, the next one. */
	uint8_t fd_sets[3][FD_BITS_MAX / 8];
	uint32_t fd_bits, fd_bit;
	uint64_t dentry, mnt; /* the part of a path that is next; dentry 0: it is done */
	uint32_t fd_chunk;    /* where the head of its chunk is in the record */
	uint32_t names;	      /* how many names of the path there are */
	uint32_t begins[READS_OF_ONE], counts[READS_OF_ONE]; /* of each op, the reads made */
	struct read_made made[MADE_MAX];
	uint64_t align;
	uint8_t record[RECORD_ROOM + STACK_ROOM];
};

/* -- what the programs know before they are loaded --------------------------- */

/* Where a word of a thread is. */
enum word_place {
	WORD_NOWHERE,
	WORD_IN_REGS, /* at an offset in struct pt_regs */
	WORD_IN_TASK  /* in struct task_struct: the programs know the member */
};
struct setup_word {
	uint16_t place; /* enum word_place */
	uint16_t at;
};

/* The calls of an ABI: see struct abi of linux/arch/abi.h. */
struct setup_abi {
	uint32_t used;	/* 0: there is no such ABI */
	uint32_t first; /* where its entries begin in the table of calls */
	uint32_t nr_mask, own_calls;
};

/* Numbers from `first` on, n of them. */
struct setup_range {
	uint32_t first, n;
};

/*
 * The read-only data of the programs. The verifier knows their values and leaves out the code that
 * they rule out. Offsets are in bytes of struct pt_regs.
 */
struct setup {
	uint32_t cpus;	     /* how many there may be */
	uint32_t groups;     /* control groups */
	uint32_t stack_size; /* bytes of stack of calls with CALL_STACK, and of signals; 0: none */
	uint32_t fds;	     /* enum wanted_fds */
	/*
	 * The map of threads is by the ids that they have in the first pid namespace. Otherwise the
	 * kernel keeps its elements with them (task storage).
	 */
	uint8_t by_id;
	uint8_t aligned;   /* the kernel wants to see that accesses are aligned */
	uint8_t narrow_nr; /* the number of a call has four bytes, not eight */
	/* Calls of the usual ABIs [0], and of the compat ABIs [1], if there are any. */
	struct setup_calls {
		uint16_t nr, args[SYSCALL_ARGS_MAX], sp;
		struct setup_abi abis[2]; /* [1]: that with an nr_mask */
	} calls[2];
	struct setup_word compat; /* has this bit set in a call of a compat ABI */
	uint32_t compat_bit;
	struct setup_word area; /* see thread_area of struct arch */
	uint16_t pc;
	uint16_t regs_size;		 /* bytes of struct pt_regs that are wanted */
	struct setup_range own_calls;	 /* numbers of own_calls of an ABI in the table of calls */
	uint32_t beyond;		 /* the entry for numbers beyond all tables */
	struct setup_range sockets, ipc; /* entries for the calls of socketcall(2) and ipc(2) */
};

#endif
