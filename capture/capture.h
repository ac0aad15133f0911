/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What every engine of capture has in common: threads (struct tcb), what happens to them (struct
 * stop), and what may be asked of the engine (struct capture_ops). The layers above include this
 * header and none of an engine; only who chooses the engine names it.
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
 * Flags of struct tcb that mean the same in every engine. An engine uses TCB_ENGINE and the bits
 * above it as it likes.
 */
enum tcb_flag {
	TCB_ATTACHED = 1 << 0,	  /* was running when tracing began, not started by us */
	TCB_STARTED = 1 << 1,	  /* the first thread of the command that we started */
	TCB_IN_SYSCALL = 1 << 2,  /* between a syscall's entry and its exit */
	TCB_WAIT_EXECVE = 1 << 3, /* still runs our code before the command's execve: not shown */
	TCB_DETACHING = 1 << 4,	  /* is being detached */
	TCB_ENGINE = 1 << 5
};

/* A syscall's entry or exit, as PTRACE_GET_SYSCALL_INFO of ptrace(2) describes it. */
struct syscall_regs {
	uint32_t audit; /* AUDIT_ARCH_* of linux/audit.h */
	uint64_t nr;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp;
	int64_t ret; /* -errno if is_error */
	bool is_error;
};

/* One traced thread. Made and freed by the engine, which may embed it in a struct of its own. */
#define CAPTURE_GROUPS_MAX 16 /* a power of two */
#define CAPTURE_GROUP_ANY  CAPTURE_GROUPS_MAX

struct tcb {
	pid_t tid;  /* in our pid namespace */
	pid_t tgid; /* 0 until asked for: tcb_tgid() */
	unsigned flags;
	struct capture *capture;  /* the engine that traces it */
	struct memory *memory;	  /* of its process, readable at a stop; owned by the engine */
	struct facts *facts;	  /* answers questions about its descriptors, ids, …; borrowed */
	struct syscall_regs regs; /* of the current or last syscall stop */
	unsigned group;	    /* index of the control group that it was found in; 0 without groups */
	int restart_signal; /* with CAPTURE_SIGNALS: delivered at the next resume; 0: none */
	struct timeval cpu_time; /* system CPU time at the last stop, if want_cpu_time is set */

	/* Data of the layers above, which make and free it. NULL: there is none yet. */
	struct thread *session;		  /* of session/thread.h */
	struct syscall_event *syscall;	  /* of syscall.c: the event of the current or last call */
	struct mm_task *mm;		  /* of mmap_cache.c */
	struct recorded_thread *recorded; /* of trace/record/recorder.c */
	void *tamper_data;		  /* of tamper/tamper.c */

	char comm[16]; /* last known name, for -Y and JSON; "" if unknown */
	/*
	 * With want_glance, how the thread was when it was attached to, or at the last
	 * capture_look(): the letter of its state in proc_pid_stat(5) (0: unknown), and for how
	 * many nanoseconds it had not run (-1: it ran, or that is unknown). comm is set then too.
	 */
	char state;
	int64_t asleep;
};

enum stop_kind {
	/*
	 * The thread enters the syscall in tcb->regs. If stop.unknown is set, it was killed before
	 * the engine could ask which syscall: tcb->regs are those of the previous one, the thread
	 * cannot be resumed, and a stop that reports its end follows.
	 */
	STOP_SYSCALL_ENTER,
	/*
	 * The syscall in tcb->regs returns. If stop.unknown is set, it did so some time ago: what
	 * it returned was lost.
	 */
	STOP_SYSCALL_EXIT,
	/*
	 * The signal stop.sig is about to be delivered. capture_resume() delivers
	 * tcb->restart_signal, which is stop.sig unless the caller changes it.
	 */
	STOP_SIGNAL,
	STOP_GROUP, /* group-stop by stop.sig, see ptrace(2) */
	STOP_EXEC,  /* execve succeeded; stop.pid is the tid that its caller had before */
	STOP_FORK,  /* stop.pid is the new thread, stop.child its tcb (NULL without -f) */
	/*
	 * First stop of a thread: from here on it is traced. With TCB_ATTACHED,
	 * stop.in_syscall says whether the stop interrupted a syscall. If so, tcb->regs describe
	 * that syscall (ret is the kernel's restart code), and the thread continues it by a new
	 * syscall entry, of the same number or of restart_syscall.
	 */
	STOP_NEW,
	STOP_EXITING, /* the thread is about to end: its memory can still be read */
	/*
	 * The thread ended with stop.status. It is not resumed; the next capture_wait() frees the
	 * tcb.
	 */
	STOP_EXITED,
	/*
	 * The thread is gone without an exit status. stop.pid is the thread that took its place
	 * by execve, or 0. It is not resumed; the next capture_wait() frees the tcb.
	 */
	STOP_VANISHED,
	/*
	 * Only from an engine that follows mappings by itself: the stop.length bytes at stop.addr
	 * were mapped anew or unmapped. With other engines the session watches the syscalls that
	 * change mappings instead.
	 */
	STOP_MAPPING,
	/*
	 * stop.lost events were lost, for the reason stop.cause. The tcb is the thread that they
	 * belonged to, or NULL if that is unknown. It is not resumed.
	 */
	STOP_LOST,
	/*
	 * stop.event happened, an event that is neither a syscall nor a signal, of a source of the
	 * engine's own. The tcb is its thread, or NULL if it belongs to none. It is not resumed.
	 */
	STOP_EVENT,
	STOP_TIMEOUT,	/* the deadline given to capture_wait() passed; tcb is NULL */
	STOP_SIGNALLED, /* the tracer itself got the signal stop.sig; tcb is NULL */
	STOP_NONE	/* no tracees are left; tcb is NULL */
};

/* How to trace: the settings that all engines share. */
struct capture_config {
	bool follow;	    /* -f */
	bool kill_on_exit;  /* --kill-on-exit */
	bool want_stacks;   /* fill in stop.child_shares_mm, and maps and files of struct capture */
	bool want_cpu_time; /* fill in tcb->cpu_time */
	bool want_ip;	    /* fill in tcb->regs.ip at signals and group-stops as well */
	bool want_glance;   /* fill in tcb->state, tcb->asleep and tcb->comm */
	bool want_requests; /* SIGUSR1 ends capture_wait() with STOP_SIGNALLED */
	bool quiet_attach;  /* no message when a thread that we did not ask to trace is detached */
	/*
	 * -I, 1 to 4: with 2, SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM end
	 * capture_wait() with STOP_SIGNALLED; with 1 they end the tracer as if it had
	 * no handlers, 3 ignores them, 4 SIGTSTP as well.
	 */
	int interruptible;
	/* How often, at most, the engine polls for a stop before it sleeps; 0: it sleeps at once.
	 */
	unsigned spin;
	/*
	 * A seccomp filter for the started command, or NULL; see select/seccomp_filter.h.
	 * It must trace execve, and it implies kill_on_exit. If the kernel refuses the filter, a
	 * message says so and tracees stop at every syscall.
	 */
	const struct sock_fprog *seccomp;
	size_t buffer_size; /* --buffer-size: bytes for each CPU and group, 0: the engine chooses */
	/*
	 * --cgroup, --container: the directories of control groups (cgroups(7)) whose processes are
	 * traced, also those that come to be in them; at most CAPTURE_GROUPS_MAX. Needs
	 * CAPTURE_CGROUPS.
	 */
	char *const *cgroups;
	unsigned ncgroups;
	size_t stack_size; /* --stack-size: bytes of a stack, at most, 0: the engine chooses */
	/* What to collect, for engines that collect by themselves; used during creation only. */
	const struct capture_wants *wants;
};

/* What capture_wait() reports. Fields that do not belong to the kind of stop are not set. */
struct stop {
	enum stop_kind kind;
	struct tcb *tcb;
	int status;	      /* STOP_EXITED: as wait4(2) gives it */
	int sig;	      /* STOP_SIGNAL, STOP_GROUP, STOP_SIGNALLED: the signal's number */
	bool has_info;	      /* STOP_SIGNAL: info is set */
	siginfo_t info;	      /* STOP_SIGNAL: see sigaction(2) */
	pid_t pid;	      /* STOP_EXEC, STOP_FORK, STOP_VANISHED: see there */
	struct tcb *child;    /* STOP_FORK: the new thread's, or NULL */
	bool child_shares_mm; /* STOP_FORK: made by CLONE_VM or vfork(2); needs want_stacks */
	bool in_syscall;      /* STOP_NEW: see there */
	bool unknown;	      /* STOP_SYSCALL_ENTER, STOP_SYSCALL_EXIT: see there */
	/*
	 * CLOCK_REALTIME and CLOCK_MONOTONIC at the stop, in nanoseconds; set only with
	 * CAPTURE_TIMES, or by a recorder.
	 */
	int64_t time, mono;
	uint64_t addr, length;	   /* STOP_MAPPING: the range; length in bytes */
	uint64_t lost;		   /* STOP_LOST: how many events */
	struct foreign cause;	   /* STOP_LOST: valid until the next capture_wait() */
	bool already_reported;	   /* STOP_LOST: the engine reports the loss itself */
	const struct event *event; /* STOP_EVENT: valid until the next capture_wait() */
	unsigned group; /* STOP_LOST without a tcb: of which group, or CAPTURE_GROUP_ANY */
	/*
	 * STOP_SYSCALL_EXIT: what was done to the call when it was recorded, as the log says it, if
	 * given. Valid until the next capture_wait().
	 */
	struct foreign tampered;
};

/* All but the siginfo_t, which counts only if has_info says so. */
static inline void stop_clear(struct stop *stop)
{
	const size_t behind = offsetof(struct stop, info) + sizeof(stop->info);

	memset(stop, 0, offsetof(struct stop, info));
	memset((char *)stop + behind, 0, sizeof(*stop) - behind);
}

/* What an engine can do besides reporting stops. */
enum capture_capability {
	CAPTURE_TAMPER = 1 << 0,    /* set_nr, set_ret, poke_arg and write work at syscall stops */
	CAPTURE_DELAY = 1 << 1,	    /* a stopped tracee stays stopped until it is resumed */
	CAPTURE_SIGNALS = 1 << 2,   /* a tracee can be given signals: restart_signal */
	CAPTURE_REGISTERS = 1 << 3, /* get_regs works wherever a stack is captured */
	CAPTURE_STACKS = 1 << 4,    /* stacks can be captured at stops */
	CAPTURE_DETACH = 1 << 5,    /* tracees can be detached one by one */
	CAPTURE_KILL = 1 << 6,	    /* tracees can be made to die with the tracer */
	CAPTURE_SECCOMP = 1 << 7,   /* a seccomp filter can keep syscalls from stopping */
	CAPTURE_TIMES = 1 << 8,	    /* stops carry the time at which they happened */
	CAPTURE_CPU_TIMES = 1 << 9, /* tcb->cpu_time can be known */
	CAPTURE_BECOME = 1 << 10,   /* capture_become works: the tracer can be a grandchild */
	/* Facts are as they were at the stop: the target of a descriptor, the thread with a pid. */
	CAPTURE_EXACT_FACTS = 1 << 11,
	CAPTURE_PIDS = 1 << 15, /* what ids in other pid namespaces mean is known as it was then */
	CAPTURE_CGROUPS = 1 << 14, /* --cgroup, --container */
	CAPTURE_FDS = 1 << 13,	  /* what descriptors refer to is known of the arguments of calls */
	CAPTURE_BUFFERS = 1 << 12 /* what happens is buffered: --buffer-size, --stack-size */
};

/* The order in which capture_next() goes through all tcbs. */
enum capture_order { NEWEST_FIRST, OLDEST_FIRST };

/*
 * The functions of one engine. Those that belong to a capability that the engine lacks may be
 * NULL. Callers use the inline functions below, which document each of them.
 */
struct capture_ops {
	struct tcb *(*start)(struct capture *c, const char *path, char *const argv[],
			     char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
	int (*attach)(struct capture *c, pid_t pid, unsigned *attached);
	void (*wait)(struct capture *c, struct stop *stop, const struct timespec *deadline);
	void (*resume)(struct tcb *tcb);
	int (*detach)(struct tcb *tcb);
	void (*interrupt)(struct capture *c);
	void (*finish)(struct capture *c, bool drop); /* CAPTURE_BUFFERS */
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
	bool (*look)(struct tcb *tcb);
	/*
	 * Returns the recorded stack of a stopped thread, or NULL if there is none; then the stack
	 * is walked, provided get_regs is set. If this op is NULL, stacks are always walked.
	 */
	const struct recorded_stack *(*stack)(const struct tcb *tcb);
	void (*end)(struct capture *c);
	void (*destroy)(struct capture *c);
};

/* The common part of all engines: each engine has it as the first member of its own struct. */
struct capture {
	const struct capture_ops *ops;
	const char *name;      /* as --engine= and messages write it */
	unsigned capabilities; /* bits of enum capture_capability */
	/* What the engine knows of its tracees' world. The engine's own, until capture_destroy().
	 */
	struct procfs
		*procfs;     /* NULL: /proc shows our own pid namespace, or tracees are not live */
	struct facts *facts; /* every tcb points to it; NULL: no facts are known */
	/* With want_stacks, what tracees have mapped where, and the files that they map. */
	struct map_source *maps;
	struct file_source *files;
	unsigned group; /* of what is attached to from now on: see struct tcb */
	/*
	 * With want_stacks, the bits of a return address that belong to the address, as the kernel
	 * tells them; 0: it has told nothing.
	 */
	uint64_t address_mask;
};

/*
 * Starts the program at path with argv and env in a new child. The child calls setup(ctx) before
 * its execve; setup ends the child by _exit() if it fails. The child is traced before its execve:
 * its first stop is STOP_NEW, and the stops up to the entry of the execve have TCB_WAIT_EXECVE,
 * which the caller clears. Returns NULL if setup ended the child (*status is its wait status) or if
 * the child could not be traced (*status is 0, errno says why). If the execve fails, the child
 * prints a message and exits with status 1.
 */
static inline struct tcb *capture_start(struct capture *c, const char *path, char *const argv[],
					char *const env[], void (*setup)(void *ctx), void *ctx,
					int *status)
{
	return c->ops->start(c, path, argv, env, setup, ctx, status);
}

/*
 * Attaches to the thread pid or, if the configuration has follow, to all threads of its process.
 * Returns 0 or -errno: -ESRCH if there is no such process, -EPERM if we may not trace it.
 * *attached is the number of threads that are traced from now on; STOP_NEW will report each.
 */
static inline int capture_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	return c->ops->attach(c, pid, attached);
}

/*
 * Waits for the next stop, until deadline (CLOCK_MONOTONIC; NULL: for ever). The thread of a stop
 * stays stopped until the caller calls capture_resume() or capture_detach() for it; what *stop
 * points to is valid until then.
 */
static inline void capture_wait(struct capture *c, struct stop *stop,
				const struct timespec *deadline)
{
	c->ops->wait(c, stop, deadline);
}

/*
 * Resumes the thread, delivers tcb->restart_signal and clears it. Resuming a thread that has
 * vanished or already runs has no effect.
 */
static inline void capture_resume(struct tcb *tcb)
{
	tcb->capture->ops->resume(tcb);
}

/*
 * Ends the tracing of a thread, which may be running. The thread gets the signal that it was
 * stopped for, and stays in a group-stop if it is in one; otherwise it runs on. The next
 * capture_wait() or capture_destroy() frees the tcb. Returns 0, or -ESRCH if the thread was gone.
 */
static inline int capture_detach(struct tcb *tcb)
{
	return tcb->capture->ops->detach(tcb);
}

/* Asks all running tracees to stop, so that detaching them one by one does not wait for each. */
static inline void capture_interrupt(struct capture *c)
{
	c->ops->interrupt(c);
}

/*
 * Ends the capture of an engine that buffers events (CAPTURE_BUFFERS). Tracees run on untraced.
 * capture_wait() reports the events that were captured before, and then STOP_NONE; with drop it
 * counts them instead, as STOP_LOST. It may be called again, with drop, to stop reporting. Returns
 * false if the engine buffers no events.
 */
static inline bool capture_finish(struct capture *c, bool drop)
{
	if (!(c->capabilities & CAPTURE_BUFFERS))
		return false;
	c->ops->finish(c, drop);
	return true;
}

/* The number of tracees. */
static inline size_t capture_count(const struct capture *c)
{
	return c->ops->count(c);
}

/* The tracee with that tid, or NULL. */
static inline struct tcb *capture_find(const struct capture *c, pid_t tid)
{
	return c->ops->find(c, tid);
}

/*
 * The tcb that follows prev in the given order, or NULL. With prev NULL it is the first one. prev
 * may have been detached.
 */
static inline struct tcb *capture_next(const struct capture *c, const struct tcb *prev,
				       enum capture_order order)
{
	return c->ops->next(c, prev, order);
}

/*
 * Turns this process, which an engine in another process traces already, into the command. Puts
 * signals back as they were before the engine was created, waits until a byte can be read from the
 * descriptor go, calls setup(ctx) as capture_start() does, and executes path. If go ends without a
 * byte, or if execve fails (after a message), the process exits with status 1. Does not return.
 */
static inline void attr_noreturn capture_become(struct capture *c, int go, const char *path,
						char *const argv[], char *const env[],
						void (*setup)(void *ctx), void *ctx)
{
	c->ops->become(c, go, path, argv, env, setup, ctx);
	_exit(1);
}

/*
 * Looks, with want_glance, at a thread that does not stop: sets tcb->state, tcb->asleep and
 * tcb->comm. Returns whether it sleeps in a syscall that is known: then tcb->regs are set, but for
 * its result.
 */
static inline bool capture_look(struct tcb *tcb)
{
	return tcb->capture->ops->look(tcb);
}

/*
 * Detaches every tracee (with --kill-on-exit they are left to die with the tracer) and restores
 * the tracer's own signals. After this there are no more stops, but facts, maps and files can
 * still be used. A second call does nothing.
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

/* The id of the thread's process in our pid namespace, or the tid if the process is unknown. */
static inline pid_t tcb_tgid(struct tcb *tcb)
{
	pid_t tgid;

	if (tcb->tgid)
		return tcb->tgid;
	tgid = tcb->capture->ops->tgid(tcb);
	/* The thread is gone. Its tid is a guess, which must not be remembered. */
	if (tgid <= 0)
		return tcb->tid;
	tcb->tgid = tgid;
	return tgid;
}

/*
 * Reads all registers of a stopped thread, with their mode (linux/arch/arch.h). Needs
 * CAPTURE_REGISTERS. Returns 0, or -errno: -ESRCH if the thread is gone, -ENODATA if they were not
 * captured at this stop.
 */
static inline int tcb_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	return tcb->capture->ops->get_regs(tcb, regs);
}

/*
 * The functions below need CAPTURE_TAMPER and a stopped thread. Those that change a register return
 * 0 or -errno (-ESRCH if the thread is gone).
 */

/*
 * Changes the number of the syscall that is entered; -1 skips the syscall. tcb->regs.nr keeps the
 * old number.
 */
static inline int tcb_set_nr(struct tcb *tcb, uint64_t nr)
{
	return tcb->capture->ops->set_nr(tcb, nr);
}

/* Changes the result of the syscall that returns, in tcb->regs as well; -errno for an error. */
static inline int tcb_set_ret(struct tcb *tcb, int64_t ret)
{
	return tcb->capture->ops->set_ret(tcb, ret);
}

/* Changes argument arg (0 is the first) of the syscall that is entered, in tcb->regs as well. */
static inline int tcb_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value)
{
	return tcb->capture->ops->poke_arg(tcb, arg, value);
}

/*
 * Writes n bytes to the thread's memory. Returns how many were written, which are fewer if some
 * memory cannot be written, or -errno (-EFAULT) if there were none.
 */
static inline ssize_t tcb_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n)
{
	return tcb->capture->ops->write(tcb, addr, buf, n);
}

#endif
