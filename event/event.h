/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events: things that happened in a thread. Every event begins with a struct event, which contains
 * its kind and name, the thread, the time, named values and, depending on the kind, a duration, a
 * result and a stack. Some kinds have more members after the struct event. A function that receives
 * an event may use the data that it points to until the function returns. For a syscall, the same
 * event is used from the entry of the call to its exit.
 */
#ifndef TRACER_EVENT_EVENT_H
#define TRACER_EVENT_EVENT_H

#include <signal.h>
#include <time.h>

#include "defs.h"
#include "stack/stack.h"
#include "event/value.h"
#include "util/foreign.h"
#include "util/time_sum.h"

struct syscall_desc;
struct abi;
struct wakeup;

/*
 * Kinds of events. There is a separate kind for everything that some sink shows in a special way.
 * The kinds up to EVENT_SNAPSHOT use struct syscall_event.
 */
enum event_kind {
	/* syscall_event: the call has ended, or tracer will not see its end (RET_NONE) */
	EVENT_SYSCALL,
	EVENT_ENTER, /* syscall_event: the call has begun, and filters can no longer drop it */
	/*
	 * syscall_event: the call has begun, but filters may drop it when it ends. Sinks must now
	 * store the data of the entry that they need later.
	 */
	EVENT_HOLD,
	/*
	 * syscall_event: tracing of the thread ends while the call is running. The duration is the
	 * time since tracer saw the call begin.
	 */
	EVENT_UNFINISHED,
	/* syscall_event: the call has been running for the time given by --blocked */
	EVENT_BLOCKED,
	EVENT_SNAPSHOT, /* syscall_event with a snapshot: the state of a thread (--snapshot) */
	EVENT_SIGNAL,	/* a signal, as a struct signal_event */
	EVENT_PROCESS,	/* a change in the life cycle of a thread or process, as a struct
			   process_event */
	EVENT_LOST,	/* events that an engine has lost, as a struct lost_event */
	EVENT_RUN,	/* the start of a run, as a struct run_event */
	EVENT_COUNTS,	/* statistics about calls, as a struct counts_event; used only by summaries
			   and --live */
	EVENT_OTHER	/* any other event, as a struct event without further members */
};

/* The kinds of results. In text, the result is shown after "=". */
enum ret_kind {
	RET_NONE,  /* the result is not known yet, or never will be; shown as "?" */
	RET_VALUE, /* the result is a value: ret, shown as ret_value */
	RET_ERROR, /* the result is an error: ret is the errno; shown as -1 and the error's name */
	/*
	 * The result is ERESTARTSYS or a similar code, which only ptrace can see; shown as "?
	 * ERESTARTSYS (…)".
	 */
	RET_RESTART,
};

/* A named value of an event. For a syscall, this is an argument. */
struct arg {
	const char *name; /* the name that -N prints */
	struct value *in; /* the value at the entry; NULL if it is not known before the exit */
	/*
	 * The value at the exit, which replaces `in`. NULL if `in` is complete. If `in` is an open
	 * value (VALUE_F_OPEN), `out` begins with the same children as `in`.
	 */
	struct value *out;
	/*
	 * true if the name is shown at the entry, although the value is not known before the exit
	 */
	bool begun;
};

#define EVENT_ARGS_MAX 8

/*
 * A request of an io_uring (io_uring(7)). The event of a request has the kind EVENT_OTHER and the
 * source "io_uring". The event is a syscall_event of the call that the request stands for. `time`
 * is the time at which thread `tid` submitted the request, and `duration` the time until its
 * completion was seen.
 */
struct ring_request {
	/*
	 * The descriptor of the ring, or -1 - INDEX for a ring registered with
	 * io_uring_register(2), or RING_UNKNOWN.
	 */
	int ring;
	uint64_t number;    /* number of the request in its ring, starting at 1 */
	uint64_t user_data; /* the program's identifier for the request */
	uint8_t flags;	    /* IOSQE_* flags of linux/io_uring.h */
	uint64_t chain;	    /* number of the first request in the same chain; 0 if the request is
			       not linked */
	uint32_t cqe_flags; /* IORING_CQE_F_* of the completion */
	bool direct; /* true if the request stores its new file in the ring's table of registered
			files */
	/*
	 * True if a worker thread executed the request, because the request would have blocked. Set
	 * only with --engine=bpf.
	 */
	bool punted;
};
#define RING_UNKNOWN INT32_MIN

/*
 * The part that all events have in common. A member may be 0 or "" if no sink needs it (enum
 * sink_wants, sinks/sink.h). tid is 0 if the event does not belong to a thread.
 */
struct event {
	enum event_kind kind;
	/*
	 * For an EVENT_OTHER: its source, such as "wakeup". JSON shows it as "type", and --events
	 * selects events by it. NULL for all other kinds. event_type() returns a name for every
	 * kind.
	 */
	const char *source;
	const char *name; /* examples: "openat", "syscall_0x1d7", "SIGCHLD", "exited" */

	pid_t tid, tgid; /* the thread and its process, in our pid namespace */
	char comm[16];	 /* the thread's name; ends at a NUL or at the end of the array */
	/*
	 * With --secontext: the SELinux context of the thread, or NULL if unknown. For a syscall,
	 * it is the context at the entry.
	 */
	const char *secontext;
	/*
	 * The paths of the process's program and of its control group. NULL if unknown, or if no
	 * query needs them.
	 */
	const char *exe, *cgroup;
	unsigned abi; /* index in abis[] of the ABI of the thread's last syscall */
	uint64_t nr;  /* number of the thread's current or last syscall; UINT64_MAX if there is
			 none */
	/*
	 * the program counter at the exit of syscall `nr` or, if tracer did not see the exit, at
	 * its entry
	 */
	uint64_t ip;
	/* CLOCK_REALTIME and CLOCK_MONOTONIC at the stop or, for a syscall, at its entry */
	struct timespec time, mono;

	unsigned nargs;
	struct arg args[EVENT_ARGS_MAX];

	enum ret_kind ret_kind;
	int64_t ret; /* the raw value; for RET_ERROR and RET_RESTART, the positive errno */
	struct value *ret_value; /* how to show ret; NULL to show it as a signed decimal number */
	/*
	 * A value to show in parentheses after the result, or NULL. If the value has a name, the
	 * name is also shown: " (flags O_RDONLY)".
	 */
	struct value *ret_comment;

	/* The duration of the whole call at its exit; before that, the duration so far. */
	struct timespec duration;
	/* For EVENT_OTHER and EVENT_UNFINISHED: true if `duration` is set. */
	bool has_duration;
	/* For an EVENT_OTHER that is an io_uring request; otherwise NULL. */
	const struct ring_request *request;
	/*
	 * The captured stack, or NULL. For a syscall, it is captured at the entry or, if an execve
	 * has no stack there, at the exit.
	 */
	struct stack *stack;
};

/*
 * Data that is shown on separate lines after a call: a buffer that the call has transferred (-e
 * read=, -e write=), the heading for a vector of such buffers, or a value (-e kvm=vcpu+).
 */
struct dump {
	const uint8_t *bytes; /* the bytes that were read, in the event's arena */
	size_t len;	      /* number of bytes that could be read */
	uint64_t total;	 /* number of bytes in the buffer, or number of buffers in the vector */
	uint64_t addr;	 /* the address at which reading failed, if missing is not 0 */
	size_t missing;	 /* number of bytes that could not be read */
	uint64_t unseen; /* number of bytes that were not read because of a size limit */
	int pid;	 /* id, in our pid namespace, of the thread whose memory was read */
	int index; /* index of the buffer in its vector, or of the vector in its call; -1 if there
		      is only one */
	bool is_vector; /* true if this is the heading of a vector; dumps of its buffers follow */
	/*
	 * With -e kvm=vcpu+: a value that is shown instead of data, and its heading, such as
	 * "VCPU:0<".
	 */
	const char *heading;
	const struct value *value;
	struct dump *next;
};

struct snapshot;

/*
 * A syscall. The same struct is passed to sinks at the entry and at the exit. At the exit, more
 * members are set.
 */
struct syscall_event {
	struct event base;
	const struct abi *abi;
	const struct syscall_desc *desc; /* row of the syscall, or a variant of the row; NULL if the
					    number has no row */
	int row;			 /* index of the row in syscall_descs, or -1 */
	/*
	 * The syscall's number in a struct syscall_set: base.nr or, for a subcall, ABI_SOCKETCALLS
	 * or ABI_IPC_CALLS plus the subcall's number.
	 */
	uint64_t set_nr;
	uint64_t raw_args[SYSCALL_ARGS_MAX]; /* values of the argument registers */
	uint64_t sp;			     /* the stack pointer at the entry */
	struct arena arena; /* owns all values of the event and all data that they point to */
	/*
	 * Notes to show after the result, such as "(INJECTED) (DELAYED)". Unset if there are none.
	 */
	struct foreign tampered;

	/* The first and the last element of the list of data to show after the call, or NULL. */
	struct dump *dumps, *last_dump;

	/* The previous name of the thread if a successful execve has changed it, otherwise "". */
	char called_by[16];
	/*
	 * For -c: CPU time in nanoseconds. At the exit, the time that the call used; before that,
	 * the time that the thread has used so far.
	 */
	uint64_t cpu_ns;
	/*
	 * The parts of the duration in which the thread was blocked, and in which it waited for a
	 * CPU, in nanoseconds. Set if knows_off_cpu is true.
	 */
	bool knows_off_cpu;
	int64_t blocked, runnable;
	const struct snapshot *snapshot; /* for EVENT_SNAPSHOT, otherwise NULL */
	const struct wakeup *woken;	 /* for --wakers: the end of the wait, or NULL if unknown */
	/* true if something other than an argument, such as a note, is shown only at the exit */
	bool exit_shows;
	bool unknown;  /* true if the registers could not be read, so base.nr and base.ip belong to
			  an earlier call */
	bool at_least; /* for EVENT_BLOCKED: true if the call was already running when tracer first
			  saw the thread */
	/*
	 * For an io_uring request: true if raw_args contains the arguments of the request, which
	 * can be wider than a register.
	 */
	bool whole_args;
	/*
	 * true if the call exceeded the size limit of an event (decode/core/budget.h); a part of
	 * the call is then not shown
	 */
	bool cut;
};

/*
 * A signal that is about to be delivered to a thread. The event's value "info" is the siginfo_t:
 * {si_signo=…}.
 */
struct signal_event {
	struct event base;
	int sig;
	bool has_info;	/* true if the kernel provided a siginfo; if false, `info` is not set */
	siginfo_t info; /* the signal's details, see sigaction(2) */
};

enum process_kind {
	PROCESS_EXITED,	    /* shown as "+++ exited with N +++" */
	PROCESS_KILLED,	    /* shown as "+++ killed by SIG (core dumped) +++" */
	PROCESS_STOPPED,    /* shown as "--- stopped by SIG ---" */
	PROCESS_SUPERSEDED, /* shown as "+++ superseded by execve in pid N +++" */
	PROCESS_ATTACHED,   /* tracer attached to the thread or started it */
	PROCESS_DETACHED,   /* tracer detached from the thread */
	PROCESS_LEFT,	    /* tracer ends and kills the thread; sinks show nothing */
	PROCESS_FORKED,	    /* a new thread was created; code is its id */
	PROCESS_EXEC,	    /* execve succeeded; code is the id of the thread that called it */
	/* The next syscalls of the thread belong to another ABI; code is the index of that ABI. */
	PROCESS_PERSONALITY
};

/* A change in the life cycle of a thread or a process. */
struct process_event {
	struct event base;
	enum process_kind kind;
	int code;	  /* depends on the kind: exit status, signal, thread id or ABI index */
	bool core_dumped; /* for PROCESS_KILLED: true if the process has dumped core */
};

/*
 * Statistics about calls with the same number. The engine has counted these calls instead of
 * creating an event for each.
 */
struct counts_event {
	/* The properties that the counted calls have in common. All other members are 0. */
	struct syscall_event call;
	/*
	 * Histogram of the elapsed times as in struct octaves (sinks/summary/octaves.h); NULL if
	 * there is none.
	 */
	const uint64_t *octaves;
	unsigned noctaves;
	uint64_t calls, errors;
	uint64_t bytes; /* number of transferred bytes, as in struct capture_counts */
	/* elapsed times and system CPU times of the calls, in nanoseconds */
	struct time_sum wall, cpu;
};

/*
 * For --snapshot: the state of a thread. The syscall_event describes the thread's current call,
 * with all arguments. Memory that the kernel has not filled in yet is shown as an address. The
 * duration is the time since the thread last ran. If in_call is false, only the thread, the time,
 * the name ("running" or "stopped") and the stack are valid. The stack is NULL if the thread could
 * not be stopped.
 */
struct snapshot {
	bool in_call;
	char state;	   /* the thread's state as a letter, see proc_pid_stat(5); 0 if unknown */
	bool knows_asleep; /* true if the event's duration is set */
	bool unstoppable;  /* true if the thread sleeps, and signals cannot wake it */
	/*
	 * The command line of the thread's process, with blanks between the arguments. Unset if
	 * unknown.
	 */
	struct foreign command;
	/*
	 * id of the thread or process that holds the lock for which the call waits; 0 if there is
	 * none or it is unknown
	 */
	pid_t holder;
	/*
	 * id of the thread whose end the call waits for, see pthread_join(3); 0 if there is none or
	 * it is unknown
	 */
	pid_t joined;
	const struct value
		*watched; /* descriptors that the epoll instance of the call monitors, or NULL */
};

/*
 * Announces the run to which the following events belong. If several traces are read together, each
 * of them is a separate run. Unknown strings are unset (foreign(NULL)).
 */
struct run_event {
	struct event base; /* the time is the start of the run; no thread is set */
	/*
	 * The lowest thread id of this run. If several runs are read, the thread ids of each run
	 * are shifted above those of the previous run.
	 */
	pid_t first_tid;
	struct foreign id; /* a UUID that identifies the run */
	/* The values of uname(2), and the kernel's boot_id. */
	struct foreign host, boot, kernel, machine;
	struct foreign tracer;	       /* the version of tracer that recorded the run */
	const struct foreign *command; /* the command and its arguments */
	size_t command_len;
};

/* Events that an engine has lost. tid is 0 if their thread is unknown. */
struct lost_event {
	struct event base;
	uint64_t count;	      /* number of events */
	struct foreign cause; /* the reason as a clause, such as "the buffer was full" */
};

/*
 * Returns the name of an event's type in JSON and queries: "syscall", "signal", or the source of
 * the event.
 */
const char *event_type(const struct event *e);

/* Returns the time in a call in which the thread ran, in nanoseconds. Requires knows_off_cpu. */
int64_t event_cpu_ns(const struct syscall_event *e);

/*
 * Return the complete event that begins with e. The kind of e must be one that uses the returned
 * struct.
 */
static inline const struct syscall_event *event_syscall(const struct event *e)
{
	return container_of(e, const struct syscall_event, base);
}

static inline const struct signal_event *event_signal(const struct event *e)
{
	return container_of(e, const struct signal_event, base);
}

static inline const struct process_event *event_process(const struct event *e)
{
	return container_of(e, const struct process_event, base);
}

static inline const struct run_event *event_run(const struct event *e)
{
	return container_of(e, const struct run_event, base);
}

static inline const struct lost_event *event_lost(const struct event *e)
{
	return container_of(e, const struct lost_event, base);
}

#endif
