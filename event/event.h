/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events: things that happened in a thread. Filters and sinks receive only events from the session.
 * Every event begins with a struct event, which contains its kind and name, the thread, the time,
 * named values and, depending on the kind, a duration, a result and a stack. Some kinds have more
 * data after that. All data that an event points to is valid until the function that receives the
 * event returns. The event of a syscall, with all its values, lives from the entry of the call to
 * the end of its exit.
 */
#ifndef TRACER_EVENT_EVENT_H
#define TRACER_EVENT_EVENT_H

#include <signal.h>
#include <time.h>

#include "defs.h"
#include "stack/stack.h"
#include "event/value.h"
#include "util/foreign.h"

struct syscall_desc;
struct abi;
struct wakeup;

/*
 * Kinds of events. A kind is listed here if a sink shows it in a special way. The kinds up to
 * EVENT_SNAPSHOT use struct syscall_event.
 */
enum event_kind {
	EVENT_SYSCALL, /* syscall_event: the call has ended, or its end will not be seen
			  (RET_NONE) */
	EVENT_ENTER,   /* syscall_event: the call has begun, and filters cannot drop it any more */
	/*
	 * syscall_event: the call has begun, but filters may still drop it when it ends. A sink
	 * stores the data about the entry that it will need.
	 */
	EVENT_HOLD,
	/*
	 * syscall_event: tracing of the thread ends while the call is running. The duration is the
	 * time since tracer saw the call begin.
	 */
	EVENT_UNFINISHED,
	EVENT_BLOCKED,	/* syscall_event: the call has been running for the time of --blocked */
	EVENT_SNAPSHOT, /* syscall_event with a snapshot: what a thread is doing (--snapshot) */
	EVENT_SIGNAL,	/* signal_event */
	EVENT_PROCESS,	/* process_event */
	EVENT_LOST,	/* lost_event */
	EVENT_RUN,	/* run_event */
	EVENT_OTHER	/* struct event, which contains all data */
};

/* The kinds of results. Text shows the result after "=". */
enum ret_kind {
	RET_NONE,  /* not known yet, or never: "?" */
	RET_VALUE, /* a value: ret, and ret_value */
	RET_ERROR, /* an error: ret is the errno; shown as -1 and the error's name */
	/* ERESTARTSYS or a similar code, which only ptrace shows: "? ERESTARTSYS (…)" */
	RET_RESTART,
};

/* A named value of an event. For a syscall it is an argument. */
struct arg {
	const char *name; /* the name that -N prints */
	struct value *in; /* the value at the entry; NULL if it is not known before the exit */
	/*
	 * The value at the exit, which replaces `in`; NULL if `in` is complete. If the entry was
	 * shown with an open value (VALUE_F_OPEN), `out` begins with the children of `in`.
	 */
	struct value *out;
	bool begun; /* the value is not known at the entry, but its name is shown there */
};

#define EVENT_ARGS_MAX 8

/*
 * A request of an io_uring (io_uring(7)). Its event is a syscall_event of the call that it stands
 * for, with the kind EVENT_OTHER and the source "io_uring"; time is when it was submitted, by the
 * thread tid, and duration how long it took until its completion was seen.
 */
struct ring_request {
	int ring;	    /* the descriptor of the ring, or its index in a thread's table */
	uint64_t number;    /* of the request in its ring, from 1 on */
	uint64_t user_data; /* its name for the program */
	uint8_t flags;	    /* IOSQE_* */
	uint64_t chain;	    /* number of the first request of its chain, or 0 if it is not linked */
	uint32_t cqe_flags; /* IORING_CQE_F_* of the completion */
	bool direct;	    /* the result is a slot of the ring's table of files */
};

/*
 * The common part of all events. A member that no sink needs (enum sink_wants, sinks/sink.h) may be
 * 0 or "". tid is 0 if the event does not belong to a thread.
 */
struct event {
	enum event_kind kind;
	/*
	 * For EVENT_OTHER, the source of the event, such as "wakeup". It is the "type" in JSON and
	 * the name for --events. NULL for other kinds; event_type() returns a name for all kinds.
	 */
	const char *source;
	const char *name; /* "openat", "syscall_0x1d7", "SIGCHLD", "exited" */

	pid_t tid, tgid; /* the thread and its process, in our pid namespace */
	char comm[16];	 /* the thread's name; ends at a NUL or at the end of the array */
	unsigned abi;	 /* index of the ABI of the thread's last syscall */
	uint64_t nr;	 /* number of its current or last syscall; UINT64_MAX if there is none */
	uint64_t ip;	 /* the program counter at the entry of that syscall, or at its exit if the
			    exit was seen */
	/* CLOCK_REALTIME and CLOCK_MONOTONIC at the stop. For a syscall, the times of its entry. */
	struct timespec time, mono;

	unsigned nargs;
	struct arg args[EVENT_ARGS_MAX];

	enum ret_kind ret_kind;
	int64_t ret; /* the raw value; for RET_ERROR and RET_RESTART, the positive errno */
	struct value *ret_value; /* how to show ret; NULL means as a signed decimal number */
	/*
	 * A value that is shown in parentheses after the result, or NULL. If the value has a name,
	 * the name is shown before it: the name "flags" and the value O_RDONLY give " (flags
	 * O_RDONLY)".
	 */
	struct value *ret_comment;

	/* The duration of the call so far or, at its exit, of the whole call. */
	struct timespec duration;
	/* For EVENT_OTHER and EVENT_UNFINISHED: duration is set. */
	bool has_duration;
	/* For an EVENT_OTHER that is a request; otherwise NULL. */
	const struct ring_request *request;
	/* The captured stack, or NULL. The stack of a syscall is captured at its entry. */
	struct stack *stack;
};

/*
 * Data that is shown on separate lines after a call: a buffer that the call moved (-e read=, -e
 * write=), the heading of a vector of such buffers, or a value (-e kvm=vcpu+).
 */
struct dump {
	const uint8_t *bytes; /* in the event's arena */
	size_t len;	      /* number of bytes that could be read */
	uint64_t total;	      /* number of bytes that exist; for a vector, the number of buffers */
	uint64_t addr;	      /* the address at which reading failed, if missing is not 0 */
	size_t missing;	      /* number of bytes that could not be read */
	uint64_t unseen;      /* number of bytes that were not read because there were too many */
	int pid;	      /* id, in our pid namespace, of the thread whose memory was read */
	int index; /* index of the buffer in its vector, or of the vector in its call; -1 if there
		      is only one */
	bool is_vector; /* this is the heading of a vector; the dumps of its buffers follow */
	/* With -e kvm=vcpu+: a value, and its heading such as "VCPU:0<", instead of data. */
	const char *heading;
	const struct value *value;
	struct dump *next;
};

struct snapshot;

/* A syscall. The same event is used at the entry and at the exit, where more members are set. */
struct syscall_event {
	struct event base;
	const struct abi *abi;
	const struct syscall_desc *desc; /* row of the syscall, or a variant of the row; NULL if the
					    number has no row */
	int row;			 /* index of the row in syscall_descs, or -1 */
	/*
	 * The syscall's number in struct syscall_set. This is base.nr except for subcalls, where it
	 * is ABI_SOCKETCALLS or ABI_IPC_CALLS plus the number of the subcall.
	 */
	uint64_t set_nr;
	uint64_t raw_args[SYSCALL_ARGS_MAX]; /* values of the argument registers */
	uint64_t sp;			     /* the stack pointer at the entry */
	struct arena arena; /* owns all values of the event and all data that they point to */
	/* Notes after the result, such as "(INJECTED) (DELAYED)". Not given if there are none. */
	struct foreign tampered;

	/*
	 * List of the data that is shown after the call: the first and the last element, or NULL.
	 */
	struct dump *dumps, *last_dump;

	/* If a successful execve changed the thread's name: the previous name. Otherwise "". */
	char called_by[16];
	/*
	 * For -c: the system CPU time of the call. Before the exit, the system CPU time of the
	 * thread.
	 */
	struct timespec stime;
	const struct snapshot *snapshot; /* for EVENT_SNAPSHOT, otherwise NULL */
	const struct wakeup *woken;	 /* for --wakers: the end of the call's wait, or NULL if
					    unknown */
	bool exit_shows; /* the exit adds more than argument values, such as a note after the
			    result */
	bool unknown;	 /* the registers could not be read, so base.nr and base.ip belong to an
			    older call */
	bool at_least;	 /* for EVENT_BLOCKED: the call was already running when tracer first saw
			    it */
	/* For a request: raw_args are its arguments, even if registers would be smaller. */
	bool whole_args;
	bool cut; /* the call exceeded the size limit of an event (decode/core/budget.h), so it
		     is shown incompletely */
};

/*
 * A signal that is about to be delivered to a thread. Its value "info" is the siginfo_t:
 * {si_signo=…}.
 */
struct signal_event {
	struct event base;
	int sig;
	bool has_info;	/* false if the kernel provided no siginfo; then info is not set */
	siginfo_t info; /* see sigaction(2) */
};

enum process_kind {
	PROCESS_EXITED,	    /* +++ exited with N +++ */
	PROCESS_KILLED,	    /* +++ killed by SIG (core dumped) +++ */
	PROCESS_STOPPED,    /* --- stopped by SIG --- */
	PROCESS_SUPERSEDED, /* +++ superseded by execve in pid N +++ */
	PROCESS_ATTACHED,   /* tracer attached to the thread or started it */
	PROCESS_DETACHED,   /* tracer detached from the thread */
	PROCESS_LEFT,	    /* tracer ends and kills the thread; nothing is printed */
	PROCESS_FORKED,	    /* code is the id of the new thread */
	PROCESS_EXEC,	    /* execve succeeded; code is the id of the thread that called it */
	/* The thread's following syscalls belong to another ABI; code is the index of that ABI. */
	PROCESS_PERSONALITY
};

/* A change in the life cycle of a thread or a process. */
struct process_event {
	struct event base;
	enum process_kind kind;
	int code;	  /* depends on the kind: exit status, signal, thread id or ABI index */
	bool core_dumped; /* with PROCESS_KILLED */
};

/*
 * For --snapshot: what a thread is doing. The syscall_event describes its current call, with all
 * arguments. Memory that the kernel has not filled in yet is shown as an address. The duration is
 * the time since the thread last ran. If in_call is false, only the thread, the time, the name
 * ("running" or "stopped") and the stack are valid. The stack is NULL if the thread could not be
 * stopped.
 */
struct snapshot {
	bool in_call;
	char state;	   /* its state as a letter of proc_pid_stat(5); 0 if unknown */
	bool knows_asleep; /* whether the event's duration is set */
	bool unstoppable;  /* the thread sleeps, and signals cannot wake it */
	/* The command line of the thread's process, separated by blanks. Not given if unknown. */
	struct foreign command;
	pid_t holder; /* thread or process that holds the lock for which the call waits; 0 if
			 none or unknown */
	pid_t joined; /* thread whose end the call waits for, see pthread_join(3); 0 if none or
			 unknown */
	const struct value
		*watched; /* descriptors that the call's epoll instance monitors, or NULL */
};

/*
 * The run that the following events belong to. If several traces are read together, each is a
 * separate run. Unknown texts are not given (foreign(NULL)).
 */
struct run_event {
	struct event base; /* time is the start of the run; there is no thread */
	pid_t first_tid;   /* thread ids of the run start here; in the next run, this value is
			      larger */
	struct foreign id; /* a UUID that identifies the run */
	/* From uname(2), except boot, which is the kernel's boot_id. */
	struct foreign host, boot, kernel, machine;
	struct foreign tracer;	       /* the version of tracer that recorded it */
	const struct foreign *command; /* the arguments of the command */
	size_t command_len;
};

/* Events that an engine has lost. tid is 0 if their thread is unknown. */
struct lost_event {
	struct event base;
	uint64_t count;	      /* number of events */
	struct foreign cause; /* the reason as part of a sentence: "the buffer was full" */
};

/*
 * Returns the name of an event's type in JSON and queries: "syscall", "signal", or the source of
 * the event.
 */
const char *event_type(const struct event *e);

/* Return the whole event that begins with e. The kind of e must be one that uses this struct. */
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
