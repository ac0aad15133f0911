/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Definitions that all capture engines share: threads (struct tcb), the stops that engines report
 * (struct stop), and the functions of an engine (struct capture_ops). The layers above include this
 * header. Only the code that chooses the engine (cli/engine.c) includes the headers of the engines.
 */
#ifndef TRACER_CAPTURE_CAPTURE_H
#define TRACER_CAPTURE_CAPTURE_H

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "defs.h"
#include "util/foreign.h"
#include "util/time_sum.h"

struct mm_task;
struct arch_regs;
struct capture;
struct capture_wants;
struct event;
struct facts;
struct file_source;
struct map_source;
struct memory;
struct procfs;
struct recorded_stack;
struct recorded_thread;
struct syscall_event;
struct sock_fprog;

/*
 * Flags of struct tcb that mean the same in every engine. Each engine defines its own flags from
 * TCB_ENGINE upward.
 */
enum tcb_flag {
	TCB_ATTACHED = 1 << 0,	  /* the thread was already running when tracing began */
	TCB_STARTED = 1 << 1,	  /* the first thread of the command that we started */
	TCB_IN_SYSCALL = 1 << 2,  /* the thread is between a syscall's entry and its exit */
	TCB_WAIT_EXECVE = 1 << 3, /* the thread still runs our code before the command's execve; its
				     events are not shown */
	TCB_DETACHING = 1 << 4,	  /* the thread is being detached */
	TCB_ENGINE = 1 << 5
};

/*
 * The registers at a syscall's entry or exit, as PTRACE_GET_SYSCALL_INFO of ptrace(2) reports them.
 */
struct syscall_regs {
	uint32_t audit; /* AUDIT_ARCH_* of linux/audit.h */
	uint64_t nr;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp;
	int64_t ret; /* result of the syscall; -errno if is_error is true */
	bool is_error;
};

/* The maximum number of control groups, a power of two. */
#define CAPTURE_GROUPS_MAX 16
/* Value of stop.group if the lost events may belong to any group. */
#define CAPTURE_GROUP_ANY CAPTURE_GROUPS_MAX

/* One traced thread. The engine creates and frees it, and may embed it in a larger struct. */
struct tcb {
	pid_t tid;  /* id in our pid namespace */
	pid_t tgid; /* thread group id, or 0 if it is not known yet; see tcb_tgid() */
	unsigned flags;
	struct capture *capture;  /* the engine that traces this thread */
	struct memory *memory;	  /* the memory of the thread's process; readable during a stop;
				     owned by the engine */
	struct facts *facts;	  /* answers questions about the thread's descriptors, ids and so on
				     (facts.h); borrowed */
	struct syscall_regs regs; /* registers at the current or the last syscall stop */
	unsigned group; /* index of the control group in which the thread was found; 0 if no groups
			   are traced */
	/* The signal to deliver when the thread is resumed next, or 0. Needs CAPTURE_SIGNALS. */
	int restart_signal;
	/*
	 * CPU time that the thread had used at the last syscall stop, in microseconds; needs
	 * want_cpu_time. Only the difference between the entry and the exit of a syscall is
	 * meaningful. It is the time that the thread spent in the kernel.
	 */
	uint64_t cpu_us;

	/*
	 * Data of higher layers. A member is NULL until its layer allocates it. The layer also
	 * frees it.
	 */
	struct thread *session;	       /* defined in session/thread.h */
	struct syscall_event *syscall; /* set by syscall.c: event of the current or last syscall */
	struct mm_task *mm;	       /* set by mmap_cache.c */
	struct recorded_thread *recorded; /* set by trace/record/recorder.c */
	void *tamper_data;		  /* set by tamper/tamper.c */

	char comm[16]; /* last known name, for -Y and JSON; "" if unknown */
	/*
	 * Set by capture_inspect() and when the thread is attached, but only if want_thread_state
	 * is set. comm is set at the same time. `state` is the letter in proc_pid_stat(5), or 0 if
	 * unknown. `asleep` is the time since the thread last ran, in nanoseconds. It is -1 if the
	 * thread is running or if the time is unknown.
	 */
	char state;
	int64_t asleep;
};

enum stop_kind {
	/*
	 * The thread enters the syscall that tcb->regs describes. If stop.unknown is set, the
	 * thread was killed before the engine could read the syscall. In this case, tcb->regs
	 * contains the previous syscall, and the thread cannot be resumed. The thread's next stop
	 * reports its end.
	 */
	STOP_SYSCALL_ENTER,
	/*
	 * The syscall that tcb->regs describes returns. If stop.unknown is set, the result was
	 * lost, and the syscall may have returned earlier.
	 */
	STOP_SYSCALL_EXIT,
	/*
	 * The signal stop.sig is about to be delivered. capture_resume() delivers
	 * tcb->restart_signal, which equals stop.sig unless the caller changes it.
	 */
	STOP_SIGNAL,
	STOP_GROUP, /* group-stop caused by stop.sig, see ptrace(2) */
	STOP_EXEC,  /* execve succeeded; stop.pid is the tid that the calling thread had before
		       execve */
	STOP_FORK,  /* stop.pid is the tid of the new thread; stop.child is its tcb, or NULL without
		       -f */
	/*
	 * The first stop of a thread. If the thread has TCB_ATTACHED and was in a syscall,
	 * stop.in_syscall is true, and tcb->regs describes that syscall. `ret` is then the kernel's
	 * restart code. The next syscall that the thread enters is the same syscall again, or
	 * restart_syscall.
	 */
	STOP_NEW,
	STOP_EXITING, /* the thread is about to end; its memory is still readable */
	/*
	 * The thread ended with stop.status, and cannot be resumed. The next capture_wait() frees
	 * the tcb.
	 */
	STOP_EXITED,
	/*
	 * The thread vanished without an exit status. If another thread took over its tid by
	 * execve, stop.pid is the old tid of that other thread. Otherwise stop.pid is 0. The
	 * vanished thread cannot be resumed. The next capture_wait() frees the tcb.
	 */
	STOP_VANISHED,
	/*
	 * The stop.length bytes at stop.addr were mapped or unmapped. Only engines that record
	 * mapping changes report this stop. With other engines, the session observes the syscalls
	 * that change mappings.
	 */
	STOP_MAPPING,
	/*
	 * Events were lost. stop.lost is their number, and stop.cause is the reason. tcb is the
	 * thread whose events were lost, or NULL if that is unknown. The thread must not be
	 * resumed.
	 */
	STOP_LOST,
	/*
	 * stop.event is an event of --events, such as a context switch or a page fault. tcb is the
	 * event's thread, or NULL if the event belongs to no thread. The thread is not stopped, so
	 * it must not be resumed.
	 */
	STOP_EVENT,
	/*
	 * A thread submitted the io_uring request stop.request, the kernel passed the request to a
	 * worker thread, or the request completed. Only engines with reports_requests report these
	 * stops. The thread may be outside of syscalls, and must not be resumed.
	 */
	STOP_REQUEST_SUBMITTED,
	STOP_REQUEST_PUNTED,
	STOP_REQUEST_COMPLETED,
	/*
	 * stop.counts contains the calls that the engine counted instead of reporting each of them.
	 * Reported before STOP_NONE. tcb is NULL.
	 */
	STOP_COUNTS,
	STOP_TIMEOUT,	/* the deadline given to capture_wait() passed; tcb is NULL */
	STOP_SIGNALLED, /* tracer itself received the signal stop.sig; tcb is NULL */
	STOP_NONE	/* no tracees are left; tcb is NULL */
};

/* The settings that all engines share. */
struct capture_config {
	bool follow;	    /* -f: also trace new threads and child processes */
	bool kill_on_exit;  /* --kill-on-exit: kill the tracees when tracer ends */
	bool want_stacks;   /* stacks will be captured: set stop.child_shares_mm, and set `maps` and
			       `files` in struct capture */
	bool want_cpu_time; /* set tcb->cpu_us */
	bool want_ip;	    /* also set tcb->regs.ip at signals and group-stops */
	bool want_thread_state; /* set tcb->state, tcb->asleep and tcb->comm */
	bool want_requests;	/* let SIGUSR1 end capture_wait() with STOP_SIGNALLED */
	/* print no message when a thread that the user did not ask to trace is detached */
	bool quiet_attach;
	/*
	 * The value of -I, 1 to 4. With 1, SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM end tracer
	 * as if it had no handlers. With 2, these signals end capture_wait() with STOP_SIGNALLED.
	 * With 3, these signals are ignored. With 4, these signals and SIGTSTP are ignored.
	 */
	int interruptible;
	/*
	 * The maximum number of times that the engine polls for a stop before it sleeps; 0 disables
	 * polling.
	 */
	unsigned spin;
	/*
	 * A seccomp filter for the command that is started, or NULL; see select/seccomp_filter.h.
	 * The filter must trace execve. A filter implies kill_on_exit. If the kernel refuses the
	 * filter, a message is printed and tracees stop at every syscall.
	 */
	const struct sock_fprog *seccomp;
	size_t buffer_size; /* size in bytes of the event buffer of each CPU and control group
			       (--buffer-size); 0 means the engine's default */
	/*
	 * The directories of the control groups (cgroups(7)) whose processes are traced (--cgroup,
	 * --container), including processes that join these groups later. At most
	 * CAPTURE_GROUPS_MAX. Needs CAPTURE_CGROUPS.
	 */
	char *const *cgroups;
	unsigned ncgroups;
	/* The maximum number of bytes per stack (--stack-size); 0 means the engine's default. */
	size_t stack_size;
	/*
	 * The calls to record, and the memory to read at each of them. For engines that do not stop
	 * tracees, so that the session cannot request data at each stop. Used only while the engine
	 * is created.
	 */
	const struct capture_wants *wants;
};

/* A request of an io_uring (io_uring(7)). */
struct capture_request {
	uint64_t ring[2]; /* identifies the ring, even if several processes use it */
	uint64_t number;  /* number of the request in its ring, starting at 1; 0 for a completion of
			     an unknown request */
	/* Members for STOP_REQUEST_SUBMITTED */
	const void *sqe; /* the first 64 bytes of the request's struct io_uring_sqe */
	uint32_t audit;	 /* AUDIT_ARCH_* of linux/audit.h */
	int fd;		 /* descriptor or index of the ring, like `ring` in struct ring_request */
	uint64_t chain;	 /* number of the first request of the same chain; 0 if the request is not
			    linked */
	/*
	 * number of an earlier request of the ring that succeeded without posting a completion, or
	 * 0
	 */
	uint64_t silent;
	bool polled; /* true if a kernel thread fetched the request from the queue
			(IORING_SETUP_SQPOLL) */
	/* Members for STOP_REQUEST_COMPLETED */
	uint64_t user_data;
	int32_t result;	    /* -errno for an error */
	uint32_t cqe_flags; /* IORING_CQE_F_* of linux/io_uring.h */
};

/*
 * Statistics about counted calls with the same number. If the session requests it (enum
 * wanted_counts), the calls of each thread or with each result are counted separately. Times are in
 * nanoseconds.
 */
struct capture_counts {
	unsigned abi;	 /* index in abis[] of linux/arch/abi.h */
	unsigned nr;	 /* number in a struct syscall_set */
	pid_t tgid, tid; /* 0 if the counts include the calls of all threads */
	/*
	 * With WANTED_BY_PROGRAM: the number of times that the process called execve between the
	 * start of its tracing and these calls.
	 */
	unsigned execs;
	/* errno of the calls; 0 if they succeeded, or if the counts include all results */
	int error;
	/*
	 * Histogram of the elapsed times with `noctaves` elements. octaves[0] counts zeros,
	 * octaves[i] counts times from 2^(i-1) to 2^i - 1. NULL if no histogram is wanted.
	 */
	const uint64_t *octaves;
	unsigned noctaves;
	uint64_t calls, errors;
	/*
	 * With WANTED_BYTES: the number of bytes that the calls have transferred. Counts only calls
	 * with the flag `bytes` of struct wanted_call.
	 */
	uint64_t bytes;
	/*
	 * elapsed times and system CPU times; the CPU time of a call that has not returned yet is 0
	 */
	struct time_sum wall, cpu;
};

/*
 * A traced thread, and the call that it is executing. If calls are not counted, only calls that
 * began before the thread was traced are described, because the engine reports all later calls.
 */
struct capture_running {
	pid_t tid, tgid;
	char comm[16]; /* ends at a NUL or at the end of the array; "" if unknown */
	pid_t waker;  /* the thread that last woke this thread while this thread was in a call; 0 if
			 unknown */
	bool kernel;  /* true if this is a kernel thread or a worker of an io_uring, which makes no
			 calls */
	bool in_call; /* true if the thread is in a call that can be described, and the filters
			 select the call's number */
	unsigned abi, nr; /* ABI and number of the call, as in struct capture_counts */
	bool old;	  /* true if the call began before the thread was traced */
	int64_t since; /* time of the entry, or of the attachment if that is later (CLOCK_MONOTONIC
			  in nanoseconds) */
};

/*
 * A stop, as reported by capture_wait(). Members that do not apply to the stop's kind are not set.
 */
struct stop {
	enum stop_kind kind;
	struct tcb *tcb;
	int status;	      /* STOP_EXITED: wait status, as returned by wait4(2) */
	int sig;	      /* STOP_SIGNAL, STOP_GROUP, STOP_SIGNALLED: the signal's number */
	bool has_info;	      /* STOP_SIGNAL: `info` is set */
	siginfo_t info;	      /* STOP_SIGNAL: the signal's details, see sigaction(2) */
	pid_t pid;	      /* STOP_EXEC, STOP_FORK, STOP_VANISHED: see enum stop_kind */
	struct tcb *child;    /* STOP_FORK: the tcb of the new thread, or NULL without -f */
	bool child_shares_mm; /* STOP_FORK: true if the child was created with CLONE_VM or by
				 vfork(2); needs want_stacks */
	bool in_syscall;      /* STOP_NEW: see enum stop_kind */
	bool unknown;	      /* STOP_SYSCALL_ENTER, STOP_SYSCALL_EXIT: see enum stop_kind */
	/*
	 * CLOCK_REALTIME and CLOCK_MONOTONIC at the stop, in nanoseconds. Set by engines with
	 * CAPTURE_TIMES, or by a recorder.
	 */
	int64_t time, mono;
	uint64_t addr, length; /* STOP_MAPPING: start of the range, and its length in bytes */
	uint64_t lost;	       /* STOP_LOST: the number of lost events */
	struct foreign cause;  /* STOP_LOST: the reason; valid until the next capture_wait() */
	/* STOP_LOST: true if the engine itself has printed a message about the loss. */
	bool already_reported;
	const struct event *event; /* STOP_EVENT: the event; valid until the next capture_wait() */
	/*
	 * STOP_EVENT: true if the current stack of tcb belongs to the event. event->stack is always
	 * NULL.
	 */
	bool has_stack;
	const struct capture_counts *counts; /* STOP_COUNTS: valid until the next capture_wait() */
	/* STOP_REQUEST_*: the request; valid until the next capture_wait() */
	const struct capture_request *request;
	unsigned group; /* STOP_LOST with a NULL tcb: index of the control group, or
			   CAPTURE_GROUP_ANY */
	/*
	 * STOP_SYSCALL_EXIT from a trace: describes how tracer changed the call (-e inject=) when
	 * the trace was recorded. Empty if the call was not changed. Valid until the next
	 * capture_wait().
	 */
	struct foreign tampered;
};

/* Clears all members except info, which is valid only if has_info is set. */
static inline void stop_clear(struct stop *stop)
{
	const size_t behind = offsetof(struct stop, info) + sizeof(stop->info);

	memset(stop, 0, offsetof(struct stop, info));
	memset((char *)stop + behind, 0, sizeof(*stop) - behind);
}

/* The abilities that only some engines have. */
enum capture_capability {
	/* tcb_set_nr(), tcb_set_ret(), tcb_poke_arg() and tcb_write() work at syscall stops. */
	CAPTURE_TAMPER = 1 << 0,
	CAPTURE_DELAY = 1 << 1,	    /* a stopped tracee stays stopped until it is resumed */
	CAPTURE_SIGNALS = 1 << 2,   /* signals in restart_signal are delivered to tracees */
	CAPTURE_REGISTERS = 1 << 3, /* tcb_get_regs() works at all stops at which a stack is
				       captured */
	CAPTURE_STACKS = 1 << 4,    /* stacks can be captured at stops */
	CAPTURE_DETACH = 1 << 5,    /* tracees can be detached one by one */
	CAPTURE_KILL = 1 << 6,	    /* tracees can be killed when the tracer ends */
	CAPTURE_SECCOMP = 1 << 7,   /* a seccomp filter can let syscalls run without a stop */
	CAPTURE_TIMES = 1 << 8,	    /* stops contain the time at which they happened */
	CAPTURE_CPU_TIMES = 1 << 9, /* the engine can set tcb->cpu_us */
	CAPTURE_BECOME = 1 << 10,   /* capture_become() works, so tracer can run as a grandchild of
				       the command */
	/*
	 * Facts describe the state at the time of the stop, for example the file that a descriptor
	 * refers to.
	 */
	CAPTURE_EXACT_FACTS = 1 << 11,
	/*
	 * The ids that threads have in other pid namespaces are recorded, so they can be translated
	 * even if the process has ended since the stop.
	 */
	CAPTURE_PIDS = 1 << 15,
	/* The requests of io_urings can be traced (--io-uring=on). */
	CAPTURE_REQUESTS = 1 << 16,
	CAPTURE_SCHED = 1 << 17,   /* context switches and wake-ups can be reported */
	CAPTURE_CGROUPS = 1 << 14, /* --cgroup and --container are supported */
	/*
	 * for each descriptor in a call's arguments, the engine knows the file or socket that it
	 * refers to
	 */
	CAPTURE_FDS = 1 << 13,
	CAPTURE_BUFFERS = 1 << 12 /* events are buffered, so --buffer-size and --stack-size are
				     supported */
};

/* The order in which capture_next() returns the tcbs. */
enum capture_order { NEWEST_FIRST, OLDEST_FIRST };

/*
 * The functions of one engine. A function may be NULL if it needs a capability that the engine
 * lacks. Callers use the inline functions below, where each function is documented.
 */
struct capture_ops {
	struct tcb *(*start)(struct capture *c, const char *path, char *const argv[],
			     char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
	int (*attach)(struct capture *c, pid_t pid, unsigned *attached);
	void (*wait)(struct capture *c, struct stop *stop, const struct timespec *deadline);
	void (*resume)(struct tcb *tcb);
	int (*detach)(struct tcb *tcb);
	void (*interrupt)(struct capture *c);
	void (*finish)(struct capture *c, bool drop); /* needs CAPTURE_BUFFERS */
	size_t (*count)(const struct capture *c);
	struct tcb *(*find)(const struct capture *c, pid_t tid);
	struct tcb *(*next)(const struct capture *c, const struct tcb *prev,
			    enum capture_order order);
	pid_t (*tgid)(const struct tcb *tcb);
	int (*get_regs)(const struct tcb *tcb, struct arch_regs *regs);
	int (*set_nr)(struct tcb *tcb, uint64_t nr);
	int (*set_ret)(struct tcb *tcb, int64_t ret);
	int (*poke_arg)(struct tcb *tcb, unsigned arg, uint64_t value);
	ssize_t (*write)(struct tcb *tcb, uint64_t addr, const void *buf, size_t n);
	void (*become)(struct capture *c, int go, const char *path, char *const argv[],
		       char *const env[], void (*setup)(void *ctx), void *ctx);
	bool (*inspect)(struct tcb *tcb);
	/*
	 * Returns the recorded stack of a stopped thread. Returns NULL if no stack was recorded;
	 * then the stack is walked if get_regs is set. If this op is NULL, stacks are always
	 * walked.
	 */
	const struct recorded_stack *(*stack)(const struct tcb *tcb);
	bool (*next_running)(struct capture *c, struct capture_running *r); /* may be NULL */
	bool (*next_count)(struct capture *c, struct capture_counts *counts);
	void (*end)(struct capture *c);
	void (*destroy)(struct capture *c);
};

/* The part that all engines share. The struct of each engine begins with it. */
struct capture {
	const struct capture_ops *ops;
	const char *name;      /* the engine's name for --engine= and messages */
	unsigned capabilities; /* bits of enum capture_capability */
	/*
	 * Sources of data about the tracees. Owned by the engine and valid until capture_destroy().
	 */
	struct procfs *procfs; /* translates process ids for /proc (procfs.h); NULL if /proc shows
				  our own pid namespace, or if tracees are not live */
	struct facts *facts;   /* answers for all tcbs; NULL if no facts are known */
	/* The tracees' mappings and the files that are mapped, if want_stacks is set. */
	struct map_source *maps;
	struct file_source *files;
	/*
	 * index of the control group for the next capture_attach(), which stores it in `group` of
	 * each new tcb
	 */
	unsigned group;
	/*
	 * True if the engine reports io_uring requests (STOP_REQUEST_*). If false, the session must
	 * read the queues from the memory of the tracees.
	 */
	bool reports_requests;
	/*
	 * True if the engine reports context switches and wake-ups (event/sched.h), at least those
	 * of threads that are in a call.
	 */
	bool reports_sched;
	bool counts_calls; /* true if the engine counts calls (WANTED_COUNTS) */
	/*
	 * Mask of the bits of a return address that are not part of a pointer signature; 0 if
	 * unknown. Needs want_stacks.
	 */
	uint64_t address_mask;
};

/*
 * Starts the program at `path` with argv and env in a new child. The child calls setup(ctx) before
 * its execve; setup must call _exit() if it fails. The child is traced before its execve, and its
 * first stop is STOP_NEW. The child has the flag TCB_WAIT_EXECVE. The caller must clear this flag
 * at the entry of the execve. Returns NULL on failure. If setup ended the child, *status is the
 * child's wait status. If the child could not be traced, *status is 0 and errno is set. If the
 * execve fails, the child prints a message and exits with status 1.
 */
static inline struct tcb *capture_start(struct capture *c, const char *path, char *const argv[],
					char *const env[], void (*setup)(void *ctx), void *ctx,
					int *status)
{
	return c->ops->start(c, path, argv, env, setup, ctx, status);
}

/*
 * Attaches to the thread `pid` or, with -f, to all threads of its process. Returns 0 or -errno:
 * -ESRCH if the thread does not exist, -EPERM if we may not trace it. Sets *attached to the number
 * of threads that are traced from now on. Each of these threads will be reported with a STOP_NEW.
 */
static inline int capture_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	return c->ops->attach(c, pid, attached);
}

/*
 * Waits for the next stop. If there is none until `deadline` (CLOCK_MONOTONIC; NULL means no
 * deadline), reports STOP_TIMEOUT. The stop's thread stays stopped until the caller calls
 * capture_resume() or capture_detach(). All data that *stop points to is valid until then or, for a
 * stop that must not be resumed, until the next capture_wait().
 */
static inline void capture_wait(struct capture *c, struct stop *stop,
				const struct timespec *deadline)
{
	c->ops->wait(c, stop, deadline);
}

/*
 * Resumes the thread, delivers tcb->restart_signal to it, and clears tcb->restart_signal. Has no
 * effect if the thread has vanished or is already running.
 */
static inline void capture_resume(struct tcb *tcb)
{
	tcb->capture->ops->resume(tcb);
}

/*
 * Stops tracing a thread, which may be running. If the thread was stopped by a signal, the signal
 * is delivered. A thread in a group-stop stays stopped. Any other thread continues to run. The next
 * capture_wait() or capture_destroy() frees the tcb. Returns 0, or -ESRCH if the thread was gone.
 */
static inline int capture_detach(struct tcb *tcb)
{
	return tcb->capture->ops->detach(tcb);
}

/*
 * Asks all running tracees to stop. Should be called before several tracees are detached, because a
 * tracee must stop before it can be detached, and stopping them one by one could take long.
 */
static inline void capture_interrupt(struct capture *c)
{
	c->ops->interrupt(c);
}

/*
 * Stops capturing new events if the engine buffers events (CAPTURE_BUFFERS). Tracees continue to
 * run untraced. capture_wait() then reports the buffered events, followed by STOP_NONE. With
 * `drop`, capture_wait() discards the buffered events and reports their number as STOP_LOST. May be
 * called a second time, with `drop`, to stop reporting. Returns false if the engine buffers no
 * events.
 */
static inline bool capture_finish(struct capture *c, bool drop)
{
	if (!(c->capabilities & CAPTURE_BUFFERS))
		return false;
	c->ops->finish(c, drop);
	return true;
}

/* Returns the number of traced threads. */
static inline size_t capture_count(const struct capture *c)
{
	return c->ops->count(c);
}

/* Returns the traced thread with this tid, or NULL. */
static inline struct tcb *capture_find(const struct capture *c, pid_t tid)
{
	return c->ops->find(c, tid);
}

/*
 * Returns the tcb after `prev` in the given order, or NULL if `prev` is the last one. If `prev` is
 * NULL, returns the first tcb. The thread of `prev` may have been detached.
 */
static inline struct tcb *capture_next(const struct capture *c, const struct tcb *prev,
				       enum capture_order order)
{
	return c->ops->next(c, prev, order);
}

/*
 * Executes the command in this process. An engine in another process must already trace this
 * process. Restores the signal handling from before the engine was created. Waits until a byte can
 * be read from the descriptor `go`. Then calls setup(ctx) as capture_start() does, and executes the
 * program at `path`. Exits with status 1 if the other end of `go` is closed, or if execve fails
 * (after printing a message). Does not return.
 */
static inline void attr_noreturn capture_become(struct capture *c, int go, const char *path,
						char *const argv[], char *const env[],
						void (*setup)(void *ctx), void *ctx)
{
	c->ops->become(c, go, path, argv, env, setup, ctx);
	_exit(1);
}

/*
 * Reads the state of a thread without stopping it, and sets tcb->state, tcb->asleep and tcb->comm.
 * Returns true if the thread sleeps in a known syscall. In this case, it also sets tcb->regs,
 * except for the result. Needs want_thread_state.
 */
static inline bool capture_inspect(struct tcb *tcb)
{
	return tcb->capture->ops->inspect(tcb);
}

/*
 * Sets *r to the next traced thread. Returns false after the last thread; then the next call of
 * this function begins again with the first thread. Always returns false if the engine stops its
 * tracees, or if `running` in struct capture_wants is not set.
 */
static inline bool capture_next_running(struct capture *c, struct capture_running *r)
{
	return c->ops->next_running && c->ops->next_running(c, r);
}

/*
 * Used with WANTED_REPEATED. Sets *counts to the next count. It contains only the calls that have
 * returned since the count was last read. Returns false after the last count; then the next call of
 * this function begins again with the first count.
 */
static inline bool capture_next_count(struct capture *c, struct capture_counts *counts)
{
	return c->ops->next_count && c->ops->next_count(c, counts);
}

/*
 * Detaches every tracee and restores the tracer's own signal handling. With --kill-on-exit, tracees
 * are not detached, and die when tracer exits. Afterwards, no more stops are reported, but facts,
 * maps and files can still be used. Calling this function again has no effect.
 */
static inline void capture_end(struct capture *c)
{
	c->ops->end(c);
}

/* Ends tracing as capture_end() does, and frees the engine. */
static inline void capture_destroy(struct capture *c)
{
	c->ops->destroy(c);
}

/*
 * Returns the id (tgid) in our pid namespace of the thread's process. If the process is unknown,
 * returns the thread's tid.
 */
static inline pid_t tcb_tgid(struct tcb *tcb)
{
	pid_t tgid;

	if (tcb->tgid)
		return tcb->tgid;
	tgid = tcb->capture->ops->tgid(tcb);
	/* The thread is gone, so the result is a guess. Do not store it. */
	if (tgid <= 0)
		return tcb->tid;
	tcb->tgid = tgid;
	return tgid;
}

/*
 * Reads all registers of a stopped thread, and the processor mode that determines their layout
 * (linux/arch/arch.h). Needs CAPTURE_REGISTERS. Returns 0 or -errno: -ESRCH if the thread is gone,
 * -ENOENT if the thread's call began before tracing, so that its registers were not captured,
 * -ENODATA if they were not captured for another reason.
 */
static inline int tcb_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	return tcb->capture->ops->get_regs(tcb, regs);
}

/*
 * The functions below need CAPTURE_TAMPER and a stopped thread. The functions that change a
 * register return 0 or -errno: -ESRCH if the thread is gone.
 */

/*
 * Changes the number of the syscall that is being entered; nr -1 skips the syscall. tcb->regs.nr
 * keeps the old number.
 */
static inline int tcb_set_nr(struct tcb *tcb, uint64_t nr)
{
	return tcb->capture->ops->set_nr(tcb, nr);
}

/*
 * Changes the result of the syscall that is returning, and also tcb->regs. ret is -errno to return
 * an error.
 */
static inline int tcb_set_ret(struct tcb *tcb, int64_t ret)
{
	return tcb->capture->ops->set_ret(tcb, ret);
}

/*
 * Changes the syscall argument with index arg (0 is the first) at the syscall's entry, and also
 * tcb->regs.
 */
static inline int tcb_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value)
{
	return tcb->capture->ops->poke_arg(tcb, arg, value);
}

/*
 * Writes n bytes to the thread's memory. Returns the number of bytes written, which is less than n
 * if part of the range is not writable. Returns -errno (-EFAULT) if no byte could be written.
 */
static inline ssize_t tcb_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n)
{
	return tcb->capture->ops->write(tcb, addr, buf, n);
}

#endif
