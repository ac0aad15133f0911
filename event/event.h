/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a stop means: the one thing that passes from decoding to filters and
 * sinks. Everything an event points to lives until the sink call returns,
 * except a syscall's, which lives from its entry to its exit.
 */
#ifndef TRACER_EVENT_H
#define TRACER_EVENT_H

#include <signal.h>
#include <time.h>

#include "defs.h"
#include "stack/stack.h"
#include "event/value.h"

struct syscall_desc;
struct abi;

/* A syscall's result, the way the text "= …" needs it. */
enum ret_kind {
	RET_NONE,    /* not there yet, or never: "?" */
	RET_VALUE,   /* ret.value */
	RET_ERROR,   /* -1 with an errno */
	RET_RESTART, /* ERESTARTSYS and its kin: "? ERESTARTSYS (…)" */
};

struct arg {
	const char *name;  /* as -N prints it */
	struct value *in;  /* known at entry; NULL when the argument is not known before the exit */
	struct value *out; /* known at exit; replaces in, or is NULL when in says it all. If the
			    * entry was shown with in, out continues it: see VALUE_F_OPEN */
	struct value *before; /* the engine's: at entry, of one that is shown at exit */
	bool begun;	      /* not known at entry, but what stands before it is shown there */
};

#define EVENT_ARGS_MAX 8

/*
 * Whose event it is, and when it was. What no sink wants (enum sink_wants) need not be known: then
 * it is 0, or "". An event that is of no thread has the tid 0.
 */
struct event {
	pid_t tid, tgid; /* the thread and its process, in our pid namespace */
	char comm[16];	 /* the thread's name; ends with a NUL, or with the array */
	unsigned abi;	 /* index of the ABI of the thread's last syscall */
	uint64_t nr;	 /* number of the syscall that it is in, or was in last; UINT64_MAX: none */
	uint64_t ip;	 /* where it was when that began, or ended, whichever was seen last */
	/* CLOCK_REALTIME and CLOCK_MONOTONIC at the stop; for a syscall at its entry. */
	struct timespec time, mono;
};

/* Data that a call moved, for -e read= and -e write=. */
struct dump {
	const uint8_t *bytes;
	size_t len;	/* of what could be read */
	uint64_t total; /* of what there is; of a vector the number of its buffers */
	uint64_t addr;	/* where reading failed, if anything is missing */
	size_t missing; /* bytes of the read that failed, or 0 */
	int pid;	/* of the thread it was read from */
	int index;	/* of the buffer in an iovec, of a vector in a call, or -1 */
	bool is_vector; /* a heading: its buffers follow */
	struct dump *next;
};

struct syscall_event {
	struct event base;
	const struct abi *abi;
	const struct syscall_desc *desc; /* NULL: a number no row has */
	int row;	  /* of syscall_descs, -1 for none; desc may be a variant of it */
	int last_row;	  /* of the syscall before: what restart_syscall resumes */
	const char *name; /* "openat", "syscall_0x1d7" */
	uint64_t last_nr; /* the number of the syscall before */
	uint64_t set_nr;  /* its number, or that of a call made by socketcall or ipc: what sets of
			     syscalls  go by */
	uint64_t raw_args[SYSCALL_ARGS_MAX];
	uint64_t sp;
	unsigned nargs;
	struct arg args[EVENT_ARGS_MAX];
	struct arena arena;
	uint64_t saved; /* what a decoder remembers of the entry */

	enum ret_kind ret_kind;
	int64_t ret; /* the raw value; with RET_ERROR and RET_RESTART the positive errno */
	struct value *ret_value; /* how to show ret; NULL: as a signed decimal */
	/*
	 * Shown behind the result in parentheses, or NULL; its name, where set, stands
	 * before it: name "flags", value O_RDONLY gives " (flags O_RDONLY)".
	 */
	struct value *ret_comment;
	const char *tampered; /* "(INJECTED) (DELAYED)": notes behind the result, or NULL */

	struct dump *dumps; /* whole buffers, where asked for */

	struct timespec duration; /* so long it has run: of the whole call, at its exit */
	struct timespec stime; /* system CPU time used by the call, for -c; before its exit: by the
				  thread */
	struct stack *stack;   /* captured at entry, or NULL */
	bool exit_shows;       /* the exit says more than the result, whatever the arguments */
	bool unknown;	  /* which call it is could not be asked: base.nr and base.ip are older */
	bool running;	  /* begun and not yet ended */
	bool blocked;	  /* --blocked has told of it */
	bool entered;	  /* its begin was shown */
	bool hidden;	  /* filters dropped it */
	bool memory_seen; /* a filter read what its arguments point to */
};

struct signal_event {
	struct event base;
	int sig;
	bool has_info;
	siginfo_t info;
	struct value *value; /* {si_signo=…}, or NULL without siginfo */
	struct stack *stack;
};

enum process_kind {
	PROCESS_EXITED,	    /* +++ exited with N +++ */
	PROCESS_KILLED,	    /* +++ killed by SIG (core dumped) +++ */
	PROCESS_STOPPED,    /* --- stopped by SIG --- */
	PROCESS_SUPERSEDED, /* +++ superseded by execve in pid N +++ */
	PROCESS_ATTACHED,
	PROCESS_DETACHED,
	PROCESS_LEFT,	    /* the tracer ends, and it with the tracer: nothing is said */
	PROCESS_FORKED,	    /* code is the new thread */
	PROCESS_EXEC,	    /* execve succeeded; code is the thread that called it */
	PROCESS_PERSONALITY /* its syscalls are another ABI's from here on; code is the abi's index
			     */
};

struct process_event {
	struct event base;
	enum process_kind kind;
	int code; /* exit status, signal, or other pid, after kind */
	bool core_dumped;
	struct stack *stack;
};

/* Events that an engine could not tell; of no thread where it is not known whose they were. */
struct lost_event {
	struct event base;
	uint64_t count;
	const char *cause; /* "the buffer was full": what happened, as part of a sentence */
};

#endif
