/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events: things that happened in a thread. Filters and sinks receive only events from the session.
 * Every event has a head (struct event): its kind and name, the thread, the time, named values and,
 * depending on the kind, a duration, a result and a stack. Events of kinds with more data begin
 * with the head. Everything to which an event points is valid until the function that receives the
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
 * Kinds of events. A kind has a row here if some sink shows it in its own way. The kinds up to
 * EVENT_SNAPSHOT are those of struct syscall_event.
 */
enum event_kind {
	EVENT_SYSCALL, /* syscall_event: the call ended, or its end will not be seen (RET_NONE) */
	EVENT_ENTER,   /* syscall_event: it began, and filters cannot drop it any more */
	/*
	 * syscall_event: it began, but filters may still drop it when it ends. A sink stores the
	 * data about this moment that it will need.
	 */
	EVENT_HOLD,
	/*
	 * syscall_event: tracing of its thread ends while the call is running. Its duration is the
	 * time since tracer saw it begin.
	 */
	EVENT_UNFINISHED,
	EVENT_BLOCKED,	/* syscall_event: it has been running for the time of --blocked */
	EVENT_SNAPSHOT, /* syscall_event with a snapshot: what a thread is doing (--snapshot) */
	EVENT_SIGNAL,	/* signal_event */
	EVENT_PROCESS,	/* process_event */
	EVENT_LOST,	/* lost_event */
	EVENT_RUN,	/* run_event */
	EVENT_OTHER	/* struct event: the head has all data */
};

/* The kinds of results. Text shows the result after "=". */
enum ret_kind {
	RET_NONE,  /* not known yet, or never: "?" */
	RET_VALUE, /* a value: ret, and ret_value */
	RET_ERROR, /* an error: ret is the errno, shown as -1 and its name */
	/* ERESTARTSYS or a similar code, which only ptrace sees: "? ERESTARTSYS (…)". */
	RET_RESTART,
};

/* A named value of an event. For a syscall it is an argument. */
struct arg {
	const char *name; /* as -N prints it */
	struct value *in; /* the value at the entry; NULL if it is not known before the exit */
	/*
	 * The value at the exit, which replaces in; NULL if in is complete. If the entry was shown
	 * with an open value (VALUE_F_OPEN), out begins with the children of in and continues it.
	 */
	struct value *out;
	bool begun; /* the value is not known at the entry, but its name is shown there */
};

#define EVENT_ARGS_MAX 8

/*
 * The head of every event. A member that no sink needs (enum sink_wants, sinks/sink.h) may be 0 or
 * "". The tid is 0 if the event belongs to no thread.
 */
struct event {
	enum event_kind kind;
	/*
	 * For EVENT_OTHER, its source, such as "wakeup". JSON shows it as "type", and --events
	 * names it. For other kinds it is NULL; event_type() returns a name for all kinds.
	 */
	const char *source;
	const char *name; /* "openat", "syscall_0x1d7", "SIGCHLD", "exited" */

	pid_t tid, tgid; /* the thread and its process, in our pid namespace */
	char comm[16];	 /* the thread's name; ends at a NUL or at the end of the array */
	unsigned abi;	 /* index of the ABI of the thread's last syscall */
	uint64_t nr;	 /* number of its current or last syscall; UINT64_MAX if there is none */
	uint64_t ip; /* the program counter at the entry of that syscall, or at its exit if that was
			seen */
	/* CLOCK_REALTIME and CLOCK_MONOTONIC at the stop; for a syscall, at its entry. */
	struct timespec time, mono;

	unsigned nargs;
	struct arg args[EVENT_ARGS_MAX];

	enum ret_kind ret_kind;
	int64_t ret; /* the raw value; with RET_ERROR and RET_RESTART the positive errno */
	struct value *ret_value; /* how to show ret; if NULL, as a signed decimal number */
	/*
	 * Shown in parentheses after the result, or NULL. If it has a name, the name is shown
	 * first: name "flags" and value O_RDONLY give " (flags O_RDONLY)".
	 */
	struct value *ret_comment;

	/* The duration of the call so far or, at its exit, of the whole call. */
	struct timespec duration;
	/* For EVENT_OTHER and EVENT_UNFINISHED: duration is set. */
	bool has_duration;
	/* The captured stack, or NULL; that of a syscall is captured at its entry. */
	struct stack *stack;
};

/*
 * Something that is shown in lines of its own after a call: a buffer of data that the call moved
 * (-e read=, -e write=), the heading of a vector of such buffers, or a value (-e kvm=vcpu+).
 */
struct dump {
	const uint8_t *bytes; /* in the event's arena */
	size_t len;	      /* number of bytes that could be read */
	uint64_t total;	 /* number of bytes that exist; for a vector, the number of its buffers */
	uint64_t addr;	 /* if missing is not 0, the address at which reading failed */
	size_t missing;	 /* number of bytes that could not be read */
	uint64_t unseen; /* number of bytes that were not read because there are too many */
	int pid;	 /* id, in our pid namespace, of the thread whose memory was read */
	int index; /* index of the buffer in its vector, or of the vector in its call; -1 if there
		      is only one */
	bool is_vector; /* this is the heading of a vector; the dumps of its buffers follow */
	/* With -e kvm=vcpu+: a value, and its heading such as "VCPU:0<", instead of data. */
	const char *heading;
	const struct value *value;
	struct dump *next;
};

struct snapshot;

/* A syscall. The same event is used at its entry and, completed, at its exit. */
struct syscall_event {
	struct event base;
	const struct abi *abi;
	const struct syscall_desc
		*desc; /* its row, or a variant of the row; NULL if no row has the number */
	int row;       /* index of its row in syscall_descs, or -1 */
	/*
	 * Its number in sets of syscalls: base.nr, or ABI_SOCKETCALLS or ABI_IPC_CALLS plus the
	 * number of the subcall.
	 */
	uint64_t set_nr;
	uint64_t raw_args[SYSCALL_ARGS_MAX]; /* the values of its argument registers */
	uint64_t sp;			     /* the stack pointer at the entry */
	struct arena arena; /* owns all values of the event and everything to which they point */
	/* Notes after the result, such as "(INJECTED) (DELAYED)", if given. */
	struct foreign tampered;

	/* The first and the last of the data that are shown after the call, or NULL. */
	struct dump *dumps, *last_dump;

	/* The name that the thread had before a successful execve changed it; otherwise "". */
	char called_by[16];
	/* For -c: the system CPU time of the call; before its exit, that of the thread. */
	struct timespec stime;
	const struct snapshot *snapshot; /* for EVENT_SNAPSHOT, otherwise NULL */
	const struct wakeup *woken; /* with --wakers: the end of its wait, or NULL if unknown */
	bool exit_shows; /* the exit adds more than values of arguments, such as a note on the
			    result */
	bool unknown;	 /* the registers could not be read, so base.nr and base.ip are those of an
			    older call */
	bool at_least;	 /* for EVENT_BLOCKED: the call was running before tracer saw it */
	bool cut; /* the call exceeded the limit of an event (decode/core/budget.h), so it is not
		     shown completely */
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
	PROCESS_ATTACHED,   /* tracer attached to it or started it */
	PROCESS_DETACHED,   /* tracer detached from it */
	PROCESS_LEFT,	    /* tracer ends and kills the thread; nothing is printed */
	PROCESS_FORKED,	    /* code is the id of the new thread */
	PROCESS_EXEC,	    /* execve succeeded; code is the id of the thread that called it */
	/* Its following syscalls belong to another ABI; code is the ABI's index. */
	PROCESS_PERSONALITY
};

/* A change in the life of a thread or a process. */
struct process_event {
	struct event base;
	enum process_kind kind;
	int code;	  /* depending on kind: exit status, signal, thread id or index of an ABI */
	bool core_dumped; /* with PROCESS_KILLED */
};

/*
 * With --snapshot: what a thread is doing. The syscall_event is its current call, with all
 * arguments; for memory that the kernel has not filled in yet, the address is shown. The duration
 * is the time since the thread last ran. If in_call is false, only the head, the name ("running" or
 * "stopped") and the stack are valid. The stack is NULL if the thread could not be stopped.
 */
struct snapshot {
	bool in_call;
	char state;	   /* its state as a letter of proc_pid_stat(5); 0 if unknown */
	bool knows_asleep; /* the event's duration is set */
	bool unstoppable;  /* it sleeps, and no signal can wake it */
	/* The words of its process's command line, separated by blanks; may be missing. */
	struct foreign command;
	pid_t holder; /* thread or process that holds the lock it waits for; 0 if none or unknown */
	pid_t joined; /* thread for whose end it waits, pthread_join(3); 0 if none or unknown */
	const struct value
		*watched; /* descriptors that the epoll instance of its call monitors, or NULL */
};

/*
 * The run to which the following events belong. If several traces are read together, each is a run.
 * Unknown texts are not given (foreign(NULL)).
 */
struct run_event {
	struct event base; /* time is the start of the run; there is no thread */
	pid_t first_tid;   /* ids of its threads begin here; the value of the next run is larger */
	struct foreign id; /* a UUID that identifies the run */
	/* From uname(2), except for boot, the kernel's boot_id. */
	struct foreign host, boot, kernel, machine;
	struct foreign tracer;	       /* the version of tracer that recorded it */
	const struct foreign *command; /* the arguments of the command */
	size_t command_len;
};

/* Events that an engine has lost. The tid is 0 if their thread is not known. */
struct lost_event {
	struct event base;
	uint64_t count;	      /* number of events */
	struct foreign cause; /* the reason as part of a sentence: "the buffer was full" */
};

/* Returns the type of an event, as JSON and queries name it: "syscall", "signal", or its source. */
const char *event_type(const struct event *e);

/* Return the whole event of which e is the head. The kind of e must belong to that struct. */
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
