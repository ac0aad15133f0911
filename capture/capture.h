/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What every engine of capture has in common: threads (struct tcb), what happens to them (struct
 * stop), and what may be asked of the engine (struct capture_ops). The layers above include this
 * header and none of an engine; only who chooses the engine names it.
 */
#ifndef TRACER_CAPTURE_H
#define TRACER_CAPTURE_H

#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "defs.h"

struct mm_task;
struct arch_regs;
struct capture;
struct facts;
struct memory;
struct procfs;
struct syscall_event;
struct sock_fprog;

/* struct tcb's flags that every engine has. The bits from TCB_ENGINE on are the engine's own. */
enum tcb_flag {
	TCB_ATTACHED = 1 << 0,	  /* was running when tracing began, not started by us */
	TCB_STARTED = 1 << 1,	  /* the command */
	TCB_IN_SYSCALL = 1 << 2,  /* between a syscall's entry and its exit */
	TCB_WAIT_EXECVE = 1 << 3, /* ours until its execve: nothing of it is shown */
	TCB_DETACHING = 1 << 4,	  /* told to go its own way */
	TCB_ENGINE = 1 << 5
};

/* A syscall's entry or exit; what PTRACE_GET_SYSCALL_INFO of ptrace(2) says of it. */
struct syscall_regs {
	uint32_t arch; /* AUDIT_ARCH_* of linux/audit.h */
	uint64_t nr;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp;
	int64_t ret; /* -errno with is_error */
	bool is_error;
};

/* One traced thread. Made and freed by the engine, which may embed it in a struct of its own. */
struct tcb {
	pid_t tid;  /* in our pid namespace */
	pid_t tgid; /* 0 until asked for: tcb_tgid() */
	unsigned flags;
	struct capture *capture;  /* the engine it is of */
	struct memory *memory;	  /* what can be read of its process at a stop; the engine's */
	struct facts *facts;	  /* what can be asked about the world it lives in */
	struct syscall_regs regs; /* of the current or last syscall stop */
	int restart_signal;	  /* with CAPTURE_SIGNALS: to be delivered at the next resume */
	struct timeval cpu_time;  /* system CPU time at the last stop, where it was asked for */

	/* What upper layers keep per thread; made and freed by them. */
	struct mm_task *mm;   /* mmap_cache.c; NULL without stacks */
	uint64_t stack_depth; /* session/stacks.c: see struct unwind_stop */
	uint8_t abi; /* index of the last syscall's, inherited at fork; set by the session */
	struct syscall_event *syscall; /* syscall.c: the event being built */
	char comm[16];		       /* last known name, for -Y and JSON; "" when not known */
	bool failed;	   /* its last call that was not filtered out; set by the session */
	void *tamper_data; /* tamper.c */
};

enum stop_kind {
	/*
	 * With stop.unknown it was killed before the engine could ask which syscall: the tcb's
	 * regs are those of the last one. It cannot be resumed; its end comes next.
	 */
	STOP_SYSCALL_ENTER,
	STOP_SYSCALL_EXIT,
	STOP_SIGNAL, /* delivery of stop.sig; resume delivers it unless told otherwise */
	STOP_GROUP,  /* group-stop by stop.sig */
	STOP_EXEC,   /* execve succeeded; stop.pid is the thread that called it, as it was */
	STOP_FORK,   /* stop.pid is the new thread, stop.child its tcb (NULL without -f) */
	/*
	 * First stop of a thread: from here on it is traced. With TCB_ATTACHED,
	 * stop.in_syscall says whether the stop interrupted a syscall, which is
	 * then in tcb->regs (ret: the kernel's restart code); it goes on as a new
	 * syscall entry, of the same number or of restart_syscall.
	 */
	STOP_NEW,
	STOP_EXITING, /* it is about to end: its memory can still be read */
	STOP_EXITED,  /* stop.status; no resume: the tcb is freed by the next call */
	/*
	 * It is gone without an exit status: stop.pid is the thread whose execve
	 * took its place, or 0. No resume: the tcb is freed by the next call.
	 */
	STOP_VANISHED,
	/*
	 * From an engine that follows mappings by itself: what is mapped at stop.addr, stop.length
	 * bytes, is another file, or nothing any more. An engine that does not tells nothing; the
	 * session sees the syscalls that change mappings then.
	 */
	STOP_MAPPING,
	/*
	 * Events were lost: stop.lost of them, why is in stop.cause. The tcb is the thread that
	 * lost them, or NULL where that is not known. No resume.
	 */
	STOP_LOST,
	STOP_TIMEOUT,	/* the deadline given to capture_wait() passed; no tcb */
	STOP_SIGNALLED, /* the tracer itself got stop.sig; no tcb */
	STOP_NONE	/* no tracees are left; no tcb */
};

/* How tracing is to be done, whichever engine does it. */
struct capture_config {
	const struct procfs *procfs; /* borrowed; NULL: /proc is of our pid namespace */
	struct facts *facts;	     /* borrowed; for struct tcb */
	bool follow;		     /* -f */
	bool kill_on_exit;	     /* --kill-on-exit */
	bool want_mm;		     /* fill in stop.child_shares_mm */
	bool want_cpu_time;	     /* fill in tcb->cpu_time */
	bool want_ip;		     /* tcb->regs.ip is that of signals and group-stops as well */
	bool quiet_attach;	     /* nothing is said of a thread that nobody asked for */
	/*
	 * -I, 1 to 4: with 2, SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM end
	 * capture_wait() with STOP_SIGNALLED; with 1 they end the tracer as if it had
	 * no handlers, 3 ignores them, 4 SIGTSTP as well.
	 */
	int interruptible;
	unsigned
		spin; /* questions whether a tracee has stopped before sleeping, at most; 0: none */
	/*
	 * A seccomp filter for the started command, or NULL; see seccomp_filter.h.
	 * It must trace execve. Implies kill_on_exit; where the kernel refuses it,
	 * a message says so and every syscall stops.
	 */
	const struct sock_fprog *seccomp;
};

struct stop {
	enum stop_kind kind;
	struct tcb *tcb;
	int status; /* of STOP_EXITED, as wait4(2) gives it */
	int sig;
	bool has_info;
	siginfo_t info;	      /* of a signal */
	pid_t pid;	      /* of STOP_EXEC, STOP_FORK and STOP_VANISHED */
	struct tcb *child;    /* of STOP_FORK */
	bool child_shares_mm; /* CLONE_VM or vfork */
	bool in_syscall;      /* of STOP_NEW */
	bool unknown;	      /* of STOP_SYSCALL_ENTER */
	/* With CAPTURE_TIMES: CLOCK_REALTIME and CLOCK_MONOTONIC at the stop; unset without. */
	struct timespec time, mono;
	uint64_t addr, length; /* of STOP_MAPPING, in bytes */
	uint64_t lost;	       /* of STOP_LOST, events */
	const char *cause;     /* of STOP_LOST; valid until the next capture_wait() */
};

/* What an engine can do beyond telling stops. */
enum capture_capability {
	CAPTURE_TAMPER = 1 << 0,    /* set_nr, set_ret, poke_arg and write work at syscall stops */
	CAPTURE_DELAY = 1 << 1,	    /* a stopped tracee stays stopped until it is resumed */
	CAPTURE_SIGNALS = 1 << 2,   /* a tracee can be given signals: restart_signal */
	CAPTURE_REGISTERS = 1 << 3, /* get_regs works at every stop */
	CAPTURE_STACKS = 1 << 4,    /* stacks can be had at stops */
	CAPTURE_DETACH = 1 << 5,    /* tracees can be let go of one by one */
	CAPTURE_KILL = 1 << 6,	    /* tracees can be made to end with the tracer */
	CAPTURE_SECCOMP = 1 << 7,   /* syscalls can be left out by a seccomp filter */
	CAPTURE_TIMES = 1 << 8	    /* stops carry the time at which they happened */
};

/* The order in which capture_next() goes through all tcbs. */
enum capture_order { NEWEST_FIRST, OLDEST_FIRST };

/*
 * One engine's functions; those of a capability that it has not may be NULL. Call them by the
 * inline functions below, which say what each does.
 */
struct capture_ops {
	struct tcb *(*start)(struct capture *c, const char *path, char *const argv[],
			     char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
	int (*attach)(struct capture *c, pid_t pid, unsigned *attached);
	void (*wait)(struct capture *c, struct stop *stop, const struct timespec *deadline);
	void (*resume)(struct tcb *tcb);
	int (*detach)(struct tcb *tcb);
	void (*interrupt)(struct capture *c);
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
	void (*destroy)(struct capture *c);
};

/* Embedded first in each engine's own struct. */
struct capture {
	const struct capture_ops *ops;
	const char *name;	     /* as --engine= and messages say it */
	const struct procfs *procfs; /* of its configuration */
	unsigned capabilities;	     /* of enum capture_capability */
};

/*
 * Starts path with argv and env; run in the child before execve: setup(ctx), which ends the child
 * by _exit() when it fails. The child is traced before its execve: its first stop is STOP_NEW, its
 * next ones (all with TCB_WAIT_EXECVE, which the caller clears) lead to the entry of the execve.
 * NULL: setup ended the child, whose wait status is in *status then, or we could not trace it
 * (*status is 0, errno says why). A failing execve makes the child exit with status 1 after the
 * message.
 */
static inline struct tcb *capture_start(struct capture *c, const char *path, char *const argv[],
					char *const env[], void (*setup)(void *ctx), void *ctx,
					int *status)
{
	return c->ops->start(c, path, argv, env, setup, ctx, status);
}

/*
 * Attaches to a thread, with follow to all threads of its process. 0, or -errno: -ESRCH no such
 * process, -EPERM not ours. attached counts the threads from now on traced, each of which comes
 * with a STOP_NEW.
 */
static inline int capture_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	return c->ops->attach(c, pid, attached);
}

/*
 * Waits for the next stop. deadline: CLOCK_MONOTONIC, or NULL for none. A stop with a tcb must be
 * answered by capture_resume() (or capture_detach()) before that tcb stops again; what stop holds
 * is valid until then.
 */
static inline void capture_wait(struct capture *c, struct stop *stop,
				const struct timespec *deadline)
{
	c->ops->wait(c, stop, deadline);
}

/* Resumes with tcb->restart_signal delivered (and cleared). A vanished tracee is no error. */
static inline void capture_resume(struct tcb *tcb)
{
	tcb->capture->ops->resume(tcb);
}

/*
 * Leaves it running, with the signal it was stopped for delivered and a group-stop kept; stops it
 * first where it runs. The tcb is freed by the next capture_wait() or capture_destroy(). 0, or
 * -ESRCH: it was gone already.
 */
static inline int capture_detach(struct tcb *tcb)
{
	return tcb->capture->ops->detach(tcb);
}

/* All running tracees are to be detached next: asks them to stop, all at once. */
static inline void capture_interrupt(struct capture *c)
{
	c->ops->interrupt(c);
}

/* How many tracees there are. */
static inline size_t capture_count(const struct capture *c)
{
	return c->ops->count(c);
}

/* The tracee tid, or NULL. */
static inline struct tcb *capture_find(const struct capture *c, pid_t tid)
{
	return c->ops->find(c, tid);
}

/* The next of all tcbs after prev (NULL: the first), or NULL. prev may have been detached. */
static inline struct tcb *capture_next(const struct capture *c, const struct tcb *prev,
				       enum capture_order order)
{
	return c->ops->next(c, prev, order);
}

/* Lets every tracee go, running, and frees all. With --kill-on-exit they die with the tracer. */
static inline void capture_destroy(struct capture *c)
{
	c->ops->destroy(c);
}

/* The process that the thread is of, in our pid namespace; its own tid where that cannot be had. */
static inline pid_t tcb_tgid(struct tcb *tcb)
{
	pid_t tgid;

	if (tcb->tgid)
		return tcb->tgid;
	tgid = tcb->capture->ops->tgid(tcb);
	/* Gone: a guess must do, and is not kept. */
	if (tgid <= 0)
		return tcb->tid;
	tcb->tgid = tgid;
	return tgid;
}

/*
 * With CAPTURE_REGISTERS: all registers of a stopped thread, with their mode (linux/arch/arch.h).
 * 0, or -errno (-ESRCH: it is gone).
 */
static inline int tcb_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	return tcb->capture->ops->get_regs(tcb, regs);
}

/*
 * These need CAPTURE_TAMPER and a tcb that is stopped; all return 0 or -errno (-ESRCH: the tracee
 * is gone), and leave tcb->regs as the kernel sees them.
 */

/* At a syscall's entry: another number, -1 skips it. tcb->regs keeps the old one. */
static inline int tcb_set_nr(struct tcb *tcb, uint64_t nr)
{
	return tcb->capture->ops->set_nr(tcb, nr);
}

/* At a syscall's exit: another result, -errno for errors. */
static inline int tcb_set_ret(struct tcb *tcb, int64_t ret)
{
	return tcb->capture->ops->set_ret(tcb, ret);
}

/* At a syscall's entry: another value of argument arg, 0 for the first. */
static inline int tcb_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value)
{
	return tcb->capture->ops->poke_arg(tcb, arg, value);
}

/*
 * Writes n bytes to the thread's memory, or as many as can be written from the first on; how many,
 * or -EFAULT where not even the first can.
 */
static inline ssize_t tcb_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n)
{
	return tcb->capture->ops->write(tcb, addr, buf, n);
}

#endif
