/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tracees: the only caller of ptrace(2) and wait4(2). Attaches, starts, waits,
 * restarts and detaches threads; says what happened as a struct stop. What a
 * stop means is for the layers above.
 */
#ifndef TRACER_TRACEE_H
#define TRACER_TRACEE_H

#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "capture/memory.h"
#include "defs.h"

struct address_space;
struct syscall_event;
struct tracees;

enum tcb_flag {
	TCB_ATTACHED = 1 << 0,	  /* seized by us, not started by us */
	TCB_STARTED = 1 << 1,	  /* the command */
	TCB_IN_SYSCALL = 1 << 2,  /* between a syscall's entry and its exit */
	TCB_WAIT_EXECVE = 1 << 3, /* ours until its execve: nothing of it is shown */
	TCB_STOPPED = 1 << 4,	  /* in a ptrace stop: registers and memory may be read */
	TCB_GROUP_STOP = 1 << 5,  /* in a group-stop, listening for SIGCONT */
	TCB_DETACHING = 1 << 6,	  /* told to go its own way */
	TCB_SECCOMP = 1 << 7,	  /* a seccomp filter of ours sees its syscalls first */
	TCB_SKIP_EXIT = 1 << 8,	  /* the exit stop of the current syscall is not asked for */
	TCB_NEW = 1 << 9,	  /* its first stop is still to come */
	TCB_DEAD = 1 << 10,	  /* no longer exists, or vanished mid-stop */
	TCB_PEEK = 1 << 11,	  /* process_vm_readv() is not permitted: its memory is peeked */
	TCB_QUEUED = 1 << 12,	  /* a stop of it is fetched and still to be told */
	TCB_ORPHAN = 1 << 13	  /* seen before its parent's fork event: not told yet */
};

/* A syscall's entry or exit, from PTRACE_GET_SYSCALL_INFO. */
struct syscall_regs {
	uint32_t arch; /* AUDIT_ARCH_* */
	uint64_t nr;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp;
	int64_t ret;
	bool is_error;
};

/* One traced thread. */
struct tcb {
	pid_t tid;  /* in our pid namespace */
	pid_t tgid; /* 0 until asked for: tcb_tgid() */
	unsigned flags;
	struct tracees *set;
	struct memory *memory;	   /* of its process, to be read while it is stopped: live_memory */
	struct memory live_memory; /* see tracee_mem.h */
	struct syscall_regs regs;  /* of the current or last syscall stop */
	int restart_signal;	   /* to inject at the next resume */
	struct timeval cpu_time;   /* system CPU time at the last stop, with want_cpu_time */

	/* What upper layers keep per thread; made and freed by them. */
	struct address_space *mm;	/* mmap_cache.c */
	uint64_t mmap_cache_generation; /* of the view of mm that unwind_data holds */
	void *unwind_data;		/* unwind.c */
	uint8_t abi; /* index of the last syscall's, inherited at fork; set by session.c */
	struct syscall_event *syscall; /* syscall.c: the event being built */
	void *sink_data;	       /* the text sink: its log, its unfinished line */
	char comm[16];		       /* last known name, for -Y and JSON; "" when not known */
	bool failed;		       /* its last call that was not filtered out; session.c */
	void *tamper_data;	       /* tamper.c */

	struct timespec entry_mono; /* when the current syscall began */
	struct timespec stime;	    /* system CPU time at entry, for -c */

	/* tracee.c's own. */
	struct tcb *hash_next, *all_next, *all_prev, *queue_next, *queue_prev;
	struct tcb *run_next, *run_prev;
	struct run_list *run_list; /* NULL: not running */
	uint8_t spin_score[2];
	unsigned spin_misses;
	int wait_status;	  /* of the stop that is queued */
	int deferred;		  /* of a stop to be told instead of the next resume, or 0 */
	unsigned long ptrace_msg; /* PTRACE_GETEVENTMSG, where the event has one */
};

enum stop_kind {
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
	STOP_EXITING, /* PTRACE_EVENT_EXIT: its memory can still be read */
	STOP_EXITED,  /* stop.status; no resume: the tcb is freed by the next call */
	/*
	 * It is gone without an exit status: stop.pid is the thread whose execve
	 * took its place, or 0. No resume: the tcb is freed by the next call.
	 */
	STOP_VANISHED,
	STOP_TIMEOUT,	/* the deadline given to tracees_wait() passed; no tcb */
	STOP_SIGNALLED, /* the tracer itself got stop.sig; no tcb */
	STOP_NONE	/* no tracees are left; no tcb */
};

struct stop {
	enum stop_kind kind;
	struct tcb *tcb;
	int status; /* as wait4() gave it */
	int sig;
	bool has_info;
	siginfo_t info;	      /* of a signal */
	pid_t pid;	      /* of STOP_EXEC and STOP_FORK */
	struct tcb *child;    /* of STOP_FORK */
	bool child_shares_mm; /* CLONE_VM or vfork */
	bool in_syscall;      /* of STOP_NEW */
};

struct tracees_config {
	bool follow;	       /* -f */
	bool detach_on_execve; /* -b execve */
	bool kill_on_exit;     /* --kill-on-exit */
	bool want_mm;	       /* fill in stop.child_shares_mm */
	bool want_cpu_time;    /* fill in tcb->cpu_time */
	/*
	 * -I, 1 to 4: with 2, SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM end
	 * tracees_wait() with STOP_SIGNALLED; with 1 they end the tracer as if it had
	 * no handlers, 3 ignores them, 4 SIGTSTP as well.
	 */
	int interruptible;
	unsigned spin; /* tries of wait4(WNOHANG) before blocking, at most; 0 never spins */
	/*
	 * A seccomp filter for the started command, or NULL; see seccomp_filter.h.
	 * It must trace execve. Implies kill_on_exit; where the kernel refuses it,
	 * a message says so and every syscall stops.
	 */
	const struct sock_fprog *seccomp;
};

struct arch_regs;

/*
 * One set at a time: it owns the process's signal handlers (the five of -I,
 * SIGALRM for deadlines; SIGCHLD's default), which tracees_destroy() restores.
 * System calls of ours may so return EINTR.
 */
struct tracees *tracees_create(const struct tracees_config *config);
/* Lets every tracee go, running, and frees all. With kill_on_exit they die with the tracer. */
void tracees_destroy(struct tracees *set);
size_t tracees_count(const struct tracees *set);
struct tcb *tracees_find(const struct tracees *set, pid_t tid);
/* The next of all tcbs after prev (NULL: the first), newest first. prev may have been detached. */
struct tcb *tracees_next(const struct tracees *set, const struct tcb *prev);
/* The same, oldest first. */
struct tcb *tracees_by_age(const struct tracees *set, const struct tcb *prev);

/*
 * Starts path with argv and env; run in the child before execve: setup(ctx),
 * which ends the child by _exit() when it fails. The child is seized before its
 * execve: its first stop is STOP_NEW, its next ones (all with TCB_WAIT_EXECVE,
 * which the caller clears) lead to the entry of the execve.
 * NULL: setup ended the child, whose wait status is in *status then, or we
 * could not trace it (*status is 0, errno says why). A failing execve makes the
 * child exit with status 1 after the message.
 */
struct tcb *tracees_start(struct tracees *set, const char *path, char *const argv[],
			  char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
/*
 * For a process that is traced already and about to become the command: installs
 * the filter of the set's configuration, if there is one.
 */
void tracees_filter_self(const struct tracees *set);
/*
 * Attaches to a thread, with follow to all threads of its process. 0, or -errno:
 * -ESRCH no such process, -EPERM not ours. attached counts the threads seized.
 * Each of them comes with a STOP_NEW.
 */
int tracees_attach(struct tracees *set, pid_t pid, unsigned *attached);

/*
 * Waits for the next stop. deadline: CLOCK_MONOTONIC, or NULL for none. A stop
 * with a tcb must be answered by tracee_resume() (or tracee_detach()) before
 * that tcb stops again; what stop holds is valid until then.
 */
void tracees_wait(struct tracees *set, struct stop *stop, const struct timespec *deadline);

/* How a tracee goes on. */
enum resume { RESUME_SYSCALL, RESUME_NEXT_ENTER /* no exit stop wanted, with seccomp */ };
/* Resumes with tcb->restart_signal injected (and cleared). A vanished tracee is no error. */
void tracee_resume(struct tcb *tcb, enum resume how);
/* All running tracees are to be detached next: asks them to stop, all at once. */
void tracees_interrupt(struct tracees *set);
/*
 * Leaves it running, with the signal it was stopped for delivered and a
 * group-stop kept; stops it first where it runs. The tcb is freed by the next
 * tracees_wait() or tracees_destroy(). -ESRCH: it was gone already.
 */
int tracee_detach(struct tcb *tcb);

pid_t tcb_tgid(struct tcb *tcb);
/* All of these return 0 or -errno (-ESRCH: the tracee is gone); the tcb must be stopped. */
/* All registers, with their mode: linux/arch/arch.h. */
int tracee_get_regs(const struct tcb *tcb, struct arch_regs *regs);
/* At a syscall's entry: another number (-1 skips it). At its exit: another result (-errno for
 * errors). */
int tracee_set_nr(struct tcb *tcb, uint64_t nr);
int tracee_set_ret(struct tcb *tcb, int64_t ret);
int tracee_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value);
/* One word of memory, at any address. For tracee_mem.c. */
int tracee_peek(const struct tcb *tcb, uint64_t addr, unsigned long *word);
int tracee_poke(const struct tcb *tcb, uint64_t addr, unsigned long word);

#endif
