/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events: what happened in a thread. Filters and sinks get events from the session and nothing
 * else. Every event has a head (struct event): its kind and name, the thread, the time, named
 * values and, depending on the kind, a duration, a result and a stack. Kinds that have more than
 * that begin with the head. Everything that an event points to is valid until the function that was
 * given the event returns. The event of a syscall lives, with all its values, from the entry of the
 * call to the end of its exit.
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

/*
 * Kinds of events. A kind is worth a row here if a sink draws it in a way of its own. Those of a
 * syscall_event come first, up to EVENT_SNAPSHOT.
 */
enum event_kind {
	EVENT_SYSCALL, /* syscall_event: the call ended, or nobody will see it end (RET_NONE) */
	EVENT_ENTER,   /* syscall_event: it began; filters cannot drop it any more */
	/*
	 * syscall_event: it began, and filters may still drop it when it ends. A sink keeps what it
	 * will need to know about this moment.
	 */
	EVENT_HOLD,
	/*
	 * syscall_event: tracing of its thread ends while the call is running. Its duration is the
	 * time that it has taken since tracer saw it begin.
	 */
	EVENT_UNFINISHED,
	EVENT_BLOCKED,	/* syscall_event: it has run for longer than --blocked allows */
	EVENT_SNAPSHOT, /* syscall_event with a snapshot: what a thread is doing (--snapshot) */
	EVENT_SIGNAL,	/* signal_event */
	EVENT_PROCESS,	/* process_event */
	EVENT_LOST,	/* lost_event */
	EVENT_RUN,	/* run_event */
	EVENT_OTHER	/* struct event: the head says everything */
};

/* The kinds of results. Text shows the result after "=". */
enum ret_kind {
	RET_NONE,    /* not known yet, or there never will be one: "?" */
	RET_VALUE,   /* a value: ret, and ret_value */
	RET_ERROR,   /* an error: ret is the errno, shown as -1 and its name */
	RET_RESTART, /* ERESTARTSYS and its kin, which only ptrace sees: "? ERESTARTSYS (…)" */
};

/* A named value of an event; in a syscall, an argument. */
struct arg {
	const char *name; /* as -N prints it */
	struct value *in; /* as known at the entry; NULL if it is not known before the exit */
	/*
	 * As known at the exit, in place of in; NULL if in says it all. If the entry was shown with
	 * an open value (VALUE_F_OPEN), out begins with the children of in, and continues it.
	 */
	struct value *out;
	bool begun; /* not known at the entry, where nevertheless its name is shown */
};

#define EVENT_ARGS_MAX 8

/*
 * The head of every event. A member that no sink asked for (enum sink_wants, sinks/sink.h) may be 0
 * or "". The tid is 0 if the event belongs to no thread.
 */
struct event {
	enum event_kind kind;
	/*
	 * The source of an EVENT_OTHER: "wakeup". JSON has it as "type", and --events names it.
	 * NULL for the other kinds; event_type() has a name for all.
	 */
	const char *source;
	const char *name; /* "openat", "syscall_0x1d7", "SIGCHLD", "exited" */

	pid_t tid, tgid; /* the thread and its process, in our pid namespace */
	char comm[16];	 /* the thread's name; ends with a NUL, or with the array */
	unsigned abi;	 /* index of the ABI of the thread's last syscall */
	uint64_t nr;	 /* number of its current or last syscall; UINT64_MAX: none */
	uint64_t ip;	 /* the program counter at that syscall's entry, or exit if it was seen */
	/* CLOCK_REALTIME and CLOCK_MONOTONIC at the stop; for a syscall at its entry. */
	struct timespec time, mono;

	unsigned nargs;
	struct arg args[EVENT_ARGS_MAX];

	enum ret_kind ret_kind;
	int64_t ret; /* the raw value; with RET_ERROR and RET_RESTART the positive errno */
	struct value *ret_value; /* how to show ret; NULL: as a signed decimal */
	/*
	 * Shown after the result in parentheses, or NULL. Its name, if set, is shown before it:
	 * name "flags", value O_RDONLY gives " (flags O_RDONLY)".
	 */
	struct value *ret_comment;

	/* How long it has run; at the exit of a syscall, how long the whole call took. */
	struct timespec duration;
	/* Of an EVENT_OTHER or EVENT_UNFINISHED: duration is set. */
	bool has_duration;
	struct stack *stack; /* of a syscall captured at its entry; or NULL */
};

/*
 * Shown after a call: data that it moved (-e read=, -e write=), as a buffer or as the heading of a
 * vector of buffers; or a value (-e kvm=vcpu+).
 */
struct dump {
	const uint8_t *bytes; /* in the event's arena */
	size_t len;	      /* bytes that could be read */
	uint64_t total;	      /* bytes that there are; of a vector the number of its buffers */
	uint64_t addr;	      /* where reading failed, if missing is not 0 */
	size_t missing;	      /* bytes of the read that failed, or 0 */
	uint64_t unseen;      /* bytes that were not read, because they are too many; or 0 */
	int pid;	      /* of the thread whose memory was read, in our pid namespace */
	int index; /* of a buffer in its iovec, of a vector in its call; -1: there is but one */
	bool is_vector; /* a heading, after which the dumps of its buffers follow */
	/* With -e kvm=vcpu+, instead of data: a value and what it is called, "VCPU:0<". */
	const char *heading;
	const struct value *value;
	struct dump *next;
};

struct snapshot;

/* A syscall: at its entry, and the same event again, completed, at its exit. */
struct syscall_event {
	struct event base;
	const struct abi *abi;
	const struct syscall_desc
		*desc; /* its row, or a variant of it; NULL: no row has the number */
	int row;       /* index of its row in syscall_descs, or -1 */
	/* Its number for sets of syscalls: base.nr, or ABI_SOCKETCALLS + and ABI_IPC_CALLS + call.
	 */
	uint64_t set_nr;
	uint64_t raw_args[SYSCALL_ARGS_MAX]; /* the registers of its arguments */
	uint64_t sp;			     /* the stack pointer at the entry */
	struct arena arena; /* owns all values of the event, and everything that they point to */
	struct foreign tampered; /* "(INJECTED) (DELAYED)": notes after the result, if given */

	/* Data and values that are shown after the call, in order, and the last of them; or NULL.
	 */
	struct dump *dumps, *last_dump;

	/* The thread's name when it called execve, which gave it another one; "" otherwise. */
	char called_by[16];
	/* For -c: the system CPU time of the call; before its exit, that of the thread so far. */
	struct timespec stime;
	const struct snapshot *snapshot; /* of an EVENT_SNAPSHOT, otherwise NULL */
	bool exit_shows; /* the exit adds to the result, even if all arguments are known */
	bool unknown;	 /* the registers could not be read: base.nr and base.ip are older */
	bool at_least;	 /* of an EVENT_BLOCKED: the call had run before tracer saw it */
	bool cut; /* it took more than one event may (decode/core/budget.h): not all is shown */
};

/* A signal that a thread is about to get. Its value "info" is the siginfo_t: {si_signo=…}. */
struct signal_event {
	struct event base;
	int sig;
	bool has_info;	/* false: the kernel had no siginfo for us, and info is not set */
	siginfo_t info; /* sigaction(2) */
};

enum process_kind {
	PROCESS_EXITED,	    /* +++ exited with N +++ */
	PROCESS_KILLED,	    /* +++ killed by SIG (core dumped) +++ */
	PROCESS_STOPPED,    /* --- stopped by SIG --- */
	PROCESS_SUPERSEDED, /* +++ superseded by execve in pid N +++ */
	PROCESS_ATTACHED,   /* tracer has attached to it, or has started it */
	PROCESS_DETACHED,   /* tracer has detached from it */
	PROCESS_LEFT,	    /* tracer ends, and the thread with it: nothing is printed */
	PROCESS_FORKED,	    /* code is the new thread */
	PROCESS_EXEC,	    /* execve succeeded; code is the thread that called it */
	PROCESS_PERSONALITY /* from now on its syscalls are of another ABI: code is its index */
};

/* A change in the life of a thread or a process. */
struct process_event {
	struct event base;
	enum process_kind kind;
	int code;	  /* an exit status, a signal, a tid or an ABI's index, depending on kind */
	bool core_dumped; /* with PROCESS_KILLED */
};

/*
 * With --snapshot: what a thread is doing. The syscall_event is its current call with all
 * arguments; for memory that the kernel has not filled in yet, the address is shown. Its duration
 * is the time since the thread last ran; the call may have begun earlier. If in_call is false, only
 * the head, the name ("running" or "stopped") and the stack are set. The stack is NULL if the
 * thread could not be stopped.
 */
struct snapshot {
	bool in_call;
	char state;	   /* its letter in proc_pid_stat(5); 0: unknown */
	bool knows_asleep; /* the event's duration is set */
	bool unstoppable;  /* it sleeps and cannot be woken by a signal */
	pid_t holder;	   /* the thread that holds the lock it waits for; 0: none or unknown */
};

/*
 * The run that the events after it belong to. Several traces that are read together have one each.
 * Texts that are not known are not given.
 */
struct run_event {
	struct event base; /* time is when the run began; there is no thread */
	pid_t first_tid;   /* its threads have ids from here on; the next run's is larger */
	struct foreign id; /* a UUID, different from that of every other run */
	struct foreign host, boot, kernel, machine; /* uname(2); boot is the kernel's boot_id */
	struct foreign tracer;			    /* the version that saw it */
	const struct foreign *command;		    /* the words of the command line */
	size_t command_len;
};

/* Events that an engine has lost. The tid is 0 if their thread is not known. */
struct lost_event {
	struct event base;
	uint64_t count;	      /* of events */
	struct foreign cause; /* "the buffer was full": what happened, as part of a sentence */
};

/* The type of an event, as JSON and queries name it: "syscall", "signal", or its source. */
const char *event_type(const struct event *e);

/* The whole event, of which e is the head; the kind of e must be one of that struct's. */
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
