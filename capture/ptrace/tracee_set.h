/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The set of all tracees, private to tracee*.c. The set has a hash table by tid, a list by age, and
 * a queue of threads whose stops were fetched but not reported yet.
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_SET_H
#define TRACER_CAPTURE_PTRACE_TRACEE_SET_H

#include <sys/wait.h>

#include "capture/capture.h"
#include "capture/ptrace/tracee_guard.h"
#include "capture/ptrace/cpu_follow.h"
#include "capture/ptrace/tracee_spin.h"
#include "capture/ptrace/tracee_thread.h"
#include "capture/ptrace/wait_policy.h"

#ifndef __WALL
#define __WALL 0x40000000
#endif

/*
 * Wait statuses. Only this engine reports STATUS_VANISHED; wait4(2) never returns it. The other two
 * macros build the status of a ptrace stop, and get the PTRACE_EVENT_* from a status.
 */
#define STATUS_VANISHED		   0xffff
#define STATUS_STOPPED(sig, event) ((event) << 16 | (sig) << 8 | 0x7f)
#define STATUS_EVENT(status)	   ((unsigned)(status) >> 16)

struct tracees {
	struct capture capture; /* must be first, because the layers above have a pointer to this
				   member */
	struct capture_config config;
	long options;				 /* PTRACE_O_* options of ptrace(2) for new
						    tracees */
	struct tracee **hash;			 /* hash table by tid; buckets are linked by
						    hash_next */
	size_t hash_mask, count;		 /* number of buckets - 1, and number of tracees */
	struct tracee *newest, *oldest;		 /* list of all tracees, linked by all_next and
						    all_prev */
	struct tracee *queue_first, *queue_last; /* queue of threads with stops to report, linked by
						    queue_next and queue_prev */
	/* list of threads that were removed but have not been freed, linked by hash_next */
	struct tracee *dead;
	unsigned orphans;     /* number of threads with TCB_ORPHAN */
	struct tracee *dying; /* the thread that was last resumed from its exit event, or NULL */
	pid_t entered;	      /* tid of the thread that was last resumed into a syscall, or 0 */
	/*
	 * Time (CLOCK_MONOTONIC) until which detaching waits for running tracees to stop. 0 until
	 * the first running tracee is detached.
	 */
	struct timespec detach_deadline;
	struct spin spin;
	struct wait_policy policy;
	struct cpu_follow follow;
	uint64_t measure_at; /* next time to measure the machine's load, in nanoseconds */
	int cpus;	     /* number of the machine's CPUs */
	bool exec_happened;  /* true if an execve has succeeded since the last apply_follow(), and
				may have moved the tracee to another CPU */
	struct guard guard;
	struct thread_states *thread_states; /* used if want_thread_state is set, otherwise NULL */
	/* NULL until it is needed, see tracee_create() */
	struct cpu_clock *cpu_clock;
	bool filtered;	  /* true if the command is running with the seccomp filter from the
			     configuration */
	bool parent_gone; /* true if a thread ended that may have been the parent of an orphan */
	bool ended;	  /* true if tracees_end() has been called */
};

/*
 * These functions initialize and free the hash table. tracees_table_deinit() also frees all
 * tracees.
 */
void tracees_table_init(struct tracees *set);
void tracees_table_deinit(struct tracees *set);

/*
 * Adds a thread with these flags (enum tcb_flag, enum tracee_flag). The set owns the result. Never
 * returns NULL.
 */
struct tracee *tracee_create(struct tracees *set, pid_t tid, unsigned flags);
/* Returns the thread with this tid, or NULL. */
struct tracee *tracees_find(const struct tracees *set, pid_t tid);
/*
 * Removes a thread from the set. Its struct, including all_next, stays valid until
 * tracees_free_dead().
 */
void tracee_remove(struct tracees *set, struct tracee *t);
/* Frees all threads that were removed. */
void tracees_free_dead(struct tracees *set);
/* Changes the tid of a thread, and moves the thread to the bucket of the new tid. */
void tracee_rekey(struct tracee *t, pid_t tid);

/*
 * tracees_queue() appends a thread to the queue of stops to report. The thread must not be in the
 * queue yet. tracees_unqueue() removes a thread from the queue if it is there.
 */
void tracees_queue(struct tracees *set, struct tracee *t);
void tracees_unqueue(struct tracees *set, struct tracee *t);

/*
 * Puts the registers of the syscall that the current stop interrupted into tcb->regs, in which
 * audit, ip and sp are already set. Returns false if the thread was not in a syscall, or if its
 * registers cannot be read. `before` is the call in which the thread slept before we attached, or
 * NULL if there was none. `before` is used on machines whose registers do not show whether a thread
 * is in a syscall (see shows_calls in struct arch_mode). Defined in tracee_regs.c.
 */
bool tracee_regs_of_interrupted(struct tcb *tcb, const struct syscall_regs *before);
/* Returns true if the syscall in tcb->regs ends its thread. Defined in tracee_regs.c. */
bool tracee_regs_of_exit(const struct tcb *tcb);

/*
 * Calls wait4(2) for tid (-1 means any tracee) and queues the status that it returns. Returns the
 * result of wait4(). Defined in tracee_run.c.
 */
pid_t tracees_wait_for(struct tracees *set, pid_t tid, int options);
/*
 * Fills in stop from the queued status of a tracee. Returns false if there is nothing to report.
 * Defined in tracee_stop.c.
 */
bool tracee_report_stop(struct tracees *set, struct tracee *t, struct stop *stop);
/* Resumes a stopped tracee, see capture/capture.h. Defined in tracee_run.c. */
void tracee_resume(struct tcb *tcb);

/*
 * Functions of struct capture_ops that are defined outside of tracee.c. capture/capture.h documents
 * them.
 */
struct tcb *tracees_start(struct capture *c, const char *path, char *const argv[],
			  char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
int tracees_attach(struct capture *c, pid_t pid, unsigned *attached);
void tracees_become(struct capture *c, int go, const char *path, char *const argv[],
		    char *const env[], void (*setup)(void *ctx), void *ctx);
size_t tracees_count(const struct capture *c);
struct tcb *tracees_find_tcb(const struct capture *c, pid_t tid);
struct tcb *tracees_next(const struct capture *c, const struct tcb *prev, enum capture_order order);
/*
 * Returns the value for address_mask of struct capture, or 0 if it is unknown. Creates a temporary
 * child process and asks the kernel for the mask of that child.
 */
uint64_t tracee_query_mask(void);
pid_t tracee_tgid(const struct tcb *tcb);
int tracee_get_regs(const struct tcb *tcb, struct arch_regs *regs);
int tracee_set_nr(struct tcb *tcb, uint64_t nr);
int tracee_set_ret(struct tcb *tcb, int64_t ret);
int tracee_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value);
bool tracee_inspect(struct tcb *tcb);
struct thread_state;
/* Copies `seen`, which thread_state_read() returned, to the members of tcb. */
void tracee_store_thread_state(struct tcb *tcb, const struct thread_state *seen);

#endif
