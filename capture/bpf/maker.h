/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What programs are made from, and what the functions that make them share. Within programs,
 * r6 is the scratch, r7 the struct thread_state, and r8 and r9 are as each function says.
 */
#ifndef TRACER_CAPTURE_BPF_MAKER_H
#define TRACER_CAPTURE_BPF_MAKER_H

#include "capture/bpf/code.h"
#include "capture/bpf/records.h"
#include "capture/wants.h"

#define IN_SCRATCH(field) ((int16_t)offsetof(struct scratch, field))
#define IN_STATE(field)	  ((int16_t)offsetof(struct thread_state, field))
#define IN_CALL(field)	  ((int16_t)offsetof(struct call_entry, field))
#define IN_RECORD(type, field)                                                                     \
	((int16_t)(offsetof(struct scratch, record) + offsetof(struct type, field)))

/* The stack of a program. */
enum {
	AT_KEY = -8,	  /* of a look-up in an array */
	AT_VARIANT = -24, /* a struct variant_key */
	AT_SLOT = -32,	  /* of machine_run() */
	AT_ENTER = -40,	  /* READS() of this call */
	AT_LEAVE = -48,
	AT_CALL = -56, /* flags of this call */
	AT_NR = -64,
	AT_COMPAT = -72,  /* record flags */
	AT_FDS = -80,	  /* the descriptors of this call */
	AT_TIME = -88,	  /* the time that the thread has spent in the kernel */
	AT_RESULT = -104, /* of a call that is told of at its return alone; what entered was */
	AT_BUFFER = -96,  /* of a look-up in a map with an element for each buffer */
	AT_ID = -112,	  /* with program_config.by_id, the id of a thread */
	AT_STATE = -168,  /* and a struct thread_state */
};

struct btf;

/* What the programs need to know of the kernel, from its BTF: offsets in bytes. */
struct kernel_offsets {
	int compat, thread_area; /* see struct arch; -1: there is none */
	int pid, tgid, start_time, exit_code, mm, group_leader, thread_pid;
	int pid_level, pid_numbers, upid_size;	   /* of struct pid, struct upid */
	bool upid_known;			   /* struct upid is as struct fork_record has it */
	int regs_size;				   /* of struct pt_regs */
	int stime;				   /* see cpu of struct enter_record */
	int alt_stack, alt_stack_size;		   /* see sigaltstack(2) */
	int signal, signal_flags, group_exit_code; /* of struct task_struct, struct signal_struct */
	int preempt_disable, preempt_enable;	   /* with preempted: the ids of these kfuncs */
	int storage; /* of struct task_struct: null where no map keeps anything; -1: not known */
	int start_stack; /* of struct mm_struct: where the first stack begins */
	/* Of what descriptors refer to; only with program_config.fds. */
	struct fd_offsets {
		int files, fdt, max_fds, fds; /* to the array of struct file */
		int fs, pwd_mnt, pwd_dentry;  /* of struct fs_struct */
		int root_mnt, root_dentry;
		int file_mnt, file_dentry, file_inode;
		int inode, mode, rdev;		     /* of struct inode */
		int superblock, magic;		     /* of it, of struct super_block */
		int op, dname, parent, name, hashed; /* of struct dentry, its operations */
		int mount_root;			     /* of struct vfsmount */
		int mount, mount_parent, mount_at;   /* of struct mount */
		int file_data, sock;		     /* of struct file, struct socket */
		int family, port, peer_port;	     /* of struct sock_common */
		int address, peer, address6, peer6;  /* the last two may be -1 */
		/* All that follow may be -1: of struct netlink_sock; */
		int protocol, portid;
		/* of struct unix_sock, struct unix_address; */
		int unix_peer, unix_address, address_len, address_bytes;
		/* the inode's number in struct sock, or else in what its member points to; */
		int sock_inode, sock_socket, socket_inode;
		/* of struct eventfd_ctx, struct signalfd_ctx; */
		int event_count, event_flags, event_id, signals;
		/* of struct inode, where a pidfd's has its struct pid; its list of threads; */
		int inode_data, pid_threads;
		/* of struct tty_file_private, struct tty_struct. */
		int terminal, terminal_index;
	} fd;
};

/* The directory at which paths begin that we see: its struct vfsmount and struct dentry. */
struct fd_root {
	uint64_t mnt, dentry;
};

/* The maps that programs use, by their descriptors. */
struct program_maps {
	int threads;  /* struct thread_state of each traced thread */
	int calls;    /* struct call_entry */
	int variants; /* struct variant_key to struct variant_entry */
	int ops;      /* struct read_op */
	int scratch;  /* struct scratch: of each CPU for SCRATCH_CALLS, then for the next, … */
	int rings;    /* of each buffer, the ring for calls */
	int events;   /* of each buffer, the ring for everything else */
	int kept;     /* of each buffer, struct stack_kept; -1: no stacks are wanted */
	int cgroup;   /* the control groups whose processes are traced, -1: there are none */
};

struct program_config {
	const struct kernel_offsets *kernel;
	const struct program_maps *maps;
	unsigned cpus;	 /* how many there may be */
	unsigned groups; /* how many control groups there are */
	/*
	 * At a tracepoint, another thread can get the CPU while a program runs. Until that is done,
	 * the kernel does not run it there for others, which it counts. Some programs are then
	 * attached to the events of perf_event_open(2) that stand for their tracepoints, where that
	 * does not happen, and have the fields of those events in place of arguments.
	 */
	bool preempted;
	unsigned level;	     /* of our pid namespace, 0: the first one */
	uint32_t stack_size; /* bytes of stack of calls with CALL_STACK, and of signals; 0: none */
	enum wanted_fds fds; /* which descriptors calls may have that are to be looked at; */
	struct fd_root root; /* with WANTED_ALL_FDS, where their paths begin */
	bool aligned;	     /* aligned_programs of struct arch */
	/*
	 * The map of threads is by the ids that they have in the first pid namespace. Otherwise the
	 * kernel keeps its elements with them (task storage).
	 */
	bool by_id;
};

struct program_maker {
	struct code *c;
	const struct program_config *config;
	unsigned leave;		  /* returns 0 */
	unsigned step, stack, fd; /* labels of functions */
};

/* parts.c: */

#define COMM_SIZE 16 /* of the name of a thread */

/* r0 = the state of the task in a register, 0: it is not traced. */
void maker_find_task(const struct program_maker *m, enum reg task);
/* The same, but it is traced from now on, if it was not; 0: there is no memory for that. */
void maker_add_task(const struct program_maker *m, enum reg task);
/* With program_config.by_id, of the thread that was found last: it ends; */
void maker_drop_task(const struct program_maker *m);
/* and where sched_process_exec begins, of the current one: it may have got another id. */
void maker_rename_task(const struct program_maker *m);
/* r7 = the state of the current thread, r9 = its task; leaves if it is not traced. */
void maker_find_state(const struct program_maker *m);
/*
 * The same for calls, which every thread of the machine makes: those of threads that no map knows
 * leave at once. It takes the kernel longer to verify, see maker_read_pointer().
 */
void maker_find_state_of_call(const struct program_maker *m);
/* r0 = the value of an array's element whose number is at AT_KEY; leaves if there is none. */
void maker_look_up(const struct program_maker *m, int map);
/* r6 = the scratch of this CPU; at AT_KEY the number of the CPU. */
void maker_find_scratch(const struct program_maker *m, enum scratch_of whose);
/* r0 = the time, which is that of the record whose place is `at`: r6, or more than that. */
void maker_store_time(const struct program_maker *m, enum reg at);
/* The record in the scratch, which is being begun, is of the thread whose state is in r7. */
void maker_store_group(const struct program_maker *m);
/* Where IN_LOSSES() of the record's group count from: a register, which may be r2. */
enum reg maker_find_losses(const struct program_maker *m);
#define IN_LOSSES(field) IN_SCRATCH(losses[0].field)
/* Adds 1 to IN_LOSSES() of the record's group. */
void maker_count_loss(const struct program_maker *m, int16_t lost);
/* Adds to the number of a CPU in r0 what makes it that of its buffer for the record's group. */
void maker_number_buffer(const struct program_maker *m);
/*
 * Writes the record to this CPU's ring of a map of rings. Jumps to full if there is no room. The
 * number of the CPU is at AT_KEY.
 */
void maker_write_record(const struct program_maker *m, int rings, unsigned full);
/* Puts the current thread's name at an offset from what is in a register. */
void maker_store_comm(const struct program_maker *m, enum reg from, int16_t at);
/* dst = the stack pointer of the struct pt_regs in r8. */
void maker_load_sp(const struct program_maker *m, enum reg dst);
/* dst = 0 if the call with the struct pt_regs in r8, of the task in r9, is one of the usual ABI. */
void maker_load_compat(const struct program_maker *m, enum reg dst);
/* dst = what thread_area of struct arch says, with the same in r8 and r9. */
void maker_load_thread_area(const struct program_maker *m, enum reg dst);
/* Stores pc and sp of the struct pt_regs in r8 at offsets from what is in a register. */
void maker_store_ip_and_sp(const struct program_maker *m, enum reg at, int16_t ip, int16_t sp);
/*
 * Reads the pointer that is offset bytes into what a register points to, to a place on the stack.
 * A load of it would do, but for each such load the kernel looks through the names of all types
 * while it verifies the program, which takes it a millisecond.
 */
void maker_read_pointer(struct code *c, int16_t to, enum reg from, int offset);

/* call_programs.c and thread_programs.c: the programs of enum program with these names. */
void maker_enter(const struct program_maker *m);
void maker_leave(const struct program_maker *m);
void maker_switch(const struct program_maker *m);
void maker_fork(const struct program_maker *m);
void maker_exec(const struct program_maker *m);
void maker_exit(const struct program_maker *m);
void maker_signal(const struct program_maker *m);
void maker_ignored(const struct program_maker *m);

/* stack_reader.c: instructions that append to the record, with the struct pt_regs in r8: */

/* the registers; */
void maker_append_regs(const struct program_maker *m);
/*
 * the stack, from the stack pointer of the registers on, and if that is an alternate one the one
 * that a signal has left for it. Frames end where the first stack began, which has arguments and
 * the environment behind it, and at what libraries put behind the stack of a thread;
 */
void maker_append_stack(const struct program_maker *m);
/* and the same where a signal is delivered. */
void maker_append_signal_stack(const struct program_maker *m);

/*
 * The function for bpf_loop() that appends the stack at scratch.addr, scratch.limit bytes of it, a
 * piece at a time, each as a chunk of the kind scratch.what.
 */
void maker_stack_function(const struct program_maker *m);
/* Forgets what the reader knows of stacks, as a record of a call was lost. */
void maker_forget_stacks(const struct program_maker *m);

/* fd_reader.c: finds the offsets. Returns 0 or -ENOENT with the name of what is not there. */
int fd_offsets_find(const struct btf *kernel, struct fd_offsets *o, const char **missing);
/*
 * The function for bpf_loop() that looks at descriptors, a name of a path at a time; with
 * WANTED_PACKETS, at each of them once.
 */
void maker_fd_function(const struct program_maker *m);
/*
 * fd_lists.c: appends what the descriptors refer to that are arguments of this call, or that it is
 * to wait for, by the bits at AT_FDS;
 */
void maker_append_fds(const struct program_maker *m);
/*
 * or what its result refers to, which is at AT_NR, or those that it has put into memory, by the
 * bits in the thread's state. Of the latter, the arguments must be in the scratch.
 */
void maker_append_new_fds(const struct program_maker *m);

#endif
