/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <linux/kcmp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/proc/thread_state.h"
#include "capture/proc/live_sources.h"
#include "capture/proc/tasks.h"
#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_mem.h"
#include "capture/ptrace/tracee_set.h"
#include "capture/own_signals.h"
#include "util/mem.h"
#include "util/msg.h"

/*
 * Maximum number of polls for a stop that is expected immediately. These polls take a few
 * microseconds in total.
 */
#define POLLS 20
/*
 * Maximum number of polls for the fork event of an orphan's parent: first ORPHAN_POLLS polls
 * without sleeping, then ORPHAN_SLEEPS polls, each after a sleep of ORPHAN_SLEEP_US microseconds.
 * Stops of other tracees are not handled during this time.
 */
#define ORPHAN_POLLS	50
#define ORPHAN_SLEEPS	100
#define ORPHAN_SLEEP_US 100
/* Maximum time in seconds to wait until all running tracees have stopped for detaching. */
#define DETACH_SECONDS 1

/* -- evaluating stops ----------------------------------------------------------- */

static void tracee_resume(struct tcb *tcb);

/* Resumes a tracee from a stop that is not reported to the layers above. */
static void resume_unreported(struct tracee *t, int sig)
{
	t->tcb.restart_signal = sig;
	tracee_resume(&t->tcb);
}

static void attr_noreturn die_of_old_kernel(void)
{
	die("PTRACE_GET_SYSCALL_INFO is not available: Linux 5.3 or later is needed");
}

static int fetch_syscall(struct tracee *t, struct __ptrace_syscall_info *info)
{
	if (unlikely(ptrace(PTRACE_GET_SYSCALL_INFO, t->tcb.tid, sizeof(*info), info) <= 0)) {
		if (errno == EIO || errno == EINVAL)
			die_of_old_kernel();
		return -errno;
	}
	t->tcb.regs.audit = info->arch;
	t->tcb.regs.ip = info->instruction_pointer;
	t->tcb.regs.sp = info->stack_pointer;
	return 0;
}

static bool report_new(struct tracee *t, struct stop *stop, int status)
{
	const struct syscall_regs before = t->tcb.regs;
	struct __ptrace_syscall_info info;

	t->tcb.flags &= ~TCB_NEW;
	if (t->set->filtered)
		t->tcb.flags |= TCB_SECCOMP;
	stop->kind = STOP_NEW;
	stop->in_syscall = false;
	if (status != STATUS_STOPPED(SIGTRAP, PTRACE_EVENT_STOP))
		t->deferred = status;
	if (t->tcb.flags & TCB_ATTACHED && !(t->tcb.flags & TCB_STARTED)) {
		if (fetch_syscall(t, &info)) {
			t->tcb.flags &= ~TCB_STOPPED;
			return false;
		}
		stop->in_syscall = tracee_regs_of_interrupted(&t->tcb, t->slept ? &before : NULL);
	}
	return true;
}

static pid_t wait_for(struct tracees *set, pid_t tid, int options);

/* Polls for the next stop of a running tracee. Returns true if its stop is in the queue now. */
static bool poll_tracee(struct tracees *set, struct tracee *t)
{
	for (int i = 0; i < POLLS && !(t->tcb.flags & (TCB_QUEUED | TCB_DEAD)); i++) {
		if (wait_for(set, t->tcb.tid, WNOHANG) < 0)
			break;
	}
	return t->tcb.flags & TCB_QUEUED;
}

/*
 * If wait4() already reports the end of a thread that was resumed from its exit event, fetches that
 * status. Other threads can notice the end (the parent of a vfork, or waiters for clear_child_tid)
 * a few microseconds before wait4() reports it. The output is easier to read if the end comes
 * first. Nothing depends on this order, because the kernel does not guarantee it.
 */
static void fetch_dying(struct tracees *set)
{
	poll_tracee(set, set->dying);
	set->dying = NULL;
}

/*
 * Called when thread t has ended inside a syscall. Another thread ended t, most likely with the
 * syscall that was entered last (exit_group, kill). Both threads stop at about the same time. The
 * output is easier to read if that syscall returns before t ends. Returns true if the other
 * thread's stop is in the queue now, followed by t.
 */
static bool fetch_cause(struct tracees *set, struct tracee *t)
{
	struct tracee *cause = set->entered ? tracees_find(set, set->entered) : NULL;

	set->entered = 0;
	if (!cause || cause == t || !cause->run_list || !(t->tcb.flags & TCB_IN_SYSCALL) ||
	    tracee_regs_of_exit(&t->tcb) || !poll_tracee(set, cause))
		return false;
	tracees_queue(set, t);
	return true;
}

static bool report_syscall(struct tracee *t, struct stop *stop)
{
	struct __ptrace_syscall_info info;

	if (fetch_syscall(t, &info)) {
		/* The thread was killed during this stop, so its end will be reported later. */
		t->tcb.flags &= ~TCB_STOPPED;
		if (t->tcb.flags & TCB_IN_SYSCALL)
			return false;
		t->tcb.flags |= TCB_IN_SYSCALL;
		stop->kind = STOP_SYSCALL_ENTER;
		stop->unknown = true;
		return true;
	}
	switch (info.op) {
	case PTRACE_SYSCALL_INFO_ENTRY:
		t->tcb.regs.nr = info.entry.nr;
		memcpy(t->tcb.regs.args, info.entry.args, sizeof(t->tcb.regs.args));
		break;
	case PTRACE_SYSCALL_INFO_SECCOMP:
		t->tcb.regs.nr = info.seccomp.nr;
		memcpy(t->tcb.regs.args, info.seccomp.args, sizeof(t->tcb.regs.args));
		break;
	case PTRACE_SYSCALL_INFO_EXIT:
		if (!(t->tcb.flags & TCB_IN_SYSCALL)) {
			resume_unreported(t, 0);
			return false;
		}
		t->tcb.flags &= ~TCB_IN_SYSCALL;
		t->tcb.regs.ret = info.exit.rval;
		t->tcb.regs.is_error = info.exit.is_error;
		stop->kind = STOP_SYSCALL_EXIT;
		stop->unknown = false;
		stop->tampered = foreign(NULL);
		if (unlikely(t->set->dying != NULL))
			fetch_dying(t->set);
		return true;
	default:
		resume_unreported(t, 0);
		return false;
	}
	t->tcb.flags |= TCB_IN_SYSCALL;
	if (!t->set->guard.on)
		guard_on_call(&t->set->guard, &t->tcb);
	stop->kind = STOP_SYSCALL_ENTER;
	stop->unknown = false;
	return true;
}

/* Reads the thread's pc into tcb.regs.ip at a stop that is not a syscall stop. */
static void fetch_ip(struct tracee *t)
{
	struct __ptrace_syscall_info info;

	fetch_syscall(t, &info);
}

static bool report_signal(struct tracee *t, struct stop *stop, int sig)
{
	stop->kind = STOP_SIGNAL;
	stop->sig = sig;
	stop->has_info = !ptrace(PTRACE_GETSIGINFO, t->tcb.tid, 0L, &stop->info);
	if (!stop->has_info && errno == ESRCH) {
		t->tcb.flags &= ~TCB_STOPPED;
		return false;
	}
	t->tcb.restart_signal = sig;
	if (t->set->config.want_ip)
		fetch_ip(t);
	return true;
}

static bool shares_mm(const struct tracee *parent, pid_t child, unsigned event)
{
	long r = syscall(SYS_kcmp, parent->tcb.tid, child, KCMP_VM, 0L, 0L);

	/* If kcmp(2) is not available, assume the usual result for this syscall. */
	return r >= 0 ? !r : event != PTRACE_EVENT_FORK;
}

static bool report_fork(struct tracees *set, struct tracee *t, struct stop *stop, unsigned event)
{
	pid_t pid = (pid_t)t->ptrace_msg;
	struct tracee *child = tracees_find(set, pid);

	stop->kind = STOP_FORK;
	stop->pid = pid;
	stop->child_shares_mm = set->config.want_stacks && shares_mm(t, pid, event);
	if (!child) {
		child = tracee_create(set, pid, TCB_NEW);
		spin_running(&set->spin, child);
	} else if (child->tcb.flags & TCB_ORPHAN) {
		child->tcb.flags &= ~TCB_ORPHAN;
		set->orphans--;
		tracees_queue(set, child);
	}
	child->tcb.flags |= t->tcb.flags & TCB_PEEK;
	stop->child = &child->tcb;
	return true;
}

static void report_vanished(struct tracees *set, struct tracee *t, struct stop *stop)
{
	struct __ptrace_syscall_info info;
	struct tracee *heir;

	stop->kind = STOP_VANISHED;
	stop->pid = (pid_t)t->ptrace_msg;
	tracee_remove(set, t);
	if (t->tcb.tid < 0)
		t->tcb.tid = -t->tcb.tid;
	/* The thread that took over the id is now at the start of the new program. */
	heir = stop->pid ? tracees_find(set, t->tcb.tid) : NULL;
	if (heir)
		fetch_syscall(heir, &info);
}

/* Fills in stop from the queued status of a tracee. Returns false if there is nothing to report. */
static bool report_stop(struct tracees *set, struct tracee *t, struct stop *stop)
{
	int status = t->wait_status;
	unsigned event = STATUS_EVENT(status);

	stop->tcb = &t->tcb;
	stop->status = status;
	t->tcb.flags &= ~TCB_GROUP_STOP;
	t->tcb.restart_signal = 0;
	if (status == STATUS_VANISHED) {
		report_vanished(set, t, stop);
		return true;
	}
	if (!WIFSTOPPED(status)) {
		set->parent_gone = true;
		stop->kind = STOP_EXITED;
		tracee_remove(set, t);
		return true;
	}
	t->tcb.flags |= TCB_STOPPED;
	if (unlikely(t->tcb.flags & TCB_NEW))
		return report_new(t, stop, status);
	if (unlikely(event == PTRACE_EVENT_SECCOMP && !(t->tcb.flags & TCB_SECCOMP))) {
		/*
		 * The child installed the filter itself. The entry of this execve has already been
		 * reported.
		 */
		set->filtered = true;
		t->tcb.flags |= TCB_SECCOMP;
		if (t->tcb.flags & TCB_IN_SYSCALL) {
			resume_unreported(t, 0);
			return false;
		}
	}
	if (likely(WSTOPSIG(status) == (SIGTRAP | 0x80) || event == PTRACE_EVENT_SECCOMP))
		return report_syscall(t, stop);
	switch (event) {
	case 0:
		return report_signal(t, stop, WSTOPSIG(status));
	case PTRACE_EVENT_STOP:
		if (WSTOPSIG(status) == SIGTRAP)
			break;
		t->tcb.flags |= TCB_GROUP_STOP;
		stop->kind = STOP_GROUP;
		stop->sig = WSTOPSIG(status);
		if (set->config.want_ip)
			fetch_ip(t);
		return true;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		if (ptrace(PTRACE_GETEVENTMSG, t->tcb.tid, 0L, &t->ptrace_msg)) {
			t->tcb.flags &= ~TCB_STOPPED;
			return false;
		}
		return report_fork(set, t, stop, event);
	case PTRACE_EVENT_EXEC:
		set->parent_gone = set->exec_happened = true;
		guard_on_execve(&set->guard, t->tcb.tid);
		stop->kind = STOP_EXEC;
		stop->pid = (pid_t)t->ptrace_msg;
		return true;
	case PTRACE_EVENT_EXIT:
		if (fetch_cause(set, t))
			return false;
		set->dying = t;
		stop->kind = STOP_EXITING;
		return true;
	default:
		break;
	}
	resume_unreported(t, 0);
	return false;
}

/* -- waiting ---------------------------------------------------------------- */

/*
 * Handles an execve by a thread of the process tid. The calling thread now has the id tid, and the
 * thread that had this id before is gone. Returns the calling thread.
 */
static struct tracee *handle_exec(struct tracees *set, pid_t tid)
{
	struct tracee *leader = tracees_find(set, tid), *t;
	unsigned long former = 0;

	if (ptrace(PTRACE_GETEVENTMSG, tid, 0L, &former) || !former)
		former = (unsigned long)tid;
	t = (pid_t)former == tid ? leader : tracees_find(set, (pid_t)former);
	if (!t)
		t = leader;
	if (!t)
		return NULL;
	if (leader && leader != t) {
		tracees_unqueue(set, leader);
		leader->ptrace_msg = former;
		leader->wait_status = STATUS_VANISHED;
		if (leader->tcb.flags & TCB_ORPHAN) {
			leader->tcb.flags &= ~TCB_ORPHAN;
			set->orphans--;
		}
		tracees_queue(set, leader);
	}
	if (t->tcb.tid != tid) {
		/* From now on, tracees_find() must find t under this tid, not the leader. */
		if (leader)
			tracee_rekey(leader, -tid);
		tracee_rekey(t, tid);
		tracees_unqueue(set, t);
	}
	t->ptrace_msg = former;
	t->deferred = 0;
	return t;
}

/*
 * Queues the status that wait4() returned for tid. `usage` is the thread's resource usage, or NULL.
 */
static void queue_status(struct tracees *set, pid_t tid, int status, const struct rusage *usage)
{
	struct tracee *t;

	if (unlikely(STATUS_EVENT(status) == PTRACE_EVENT_EXEC))
		t = handle_exec(set, tid);
	else
		t = tracees_find(set, tid);
	if (unlikely(!t)) {
		/*
		 * The status belongs to another child of ours, or to a thread that we did not ask
		 * to trace. CLONE_PTRACE creates such threads.
		 */
		if (!WIFSTOPPED(status))
			return;
		if (!set->config.follow) {
			ptrace(PTRACE_DETACH, tid, 0L, 0L);
			if (!set->config.quiet_attach)
				msg("Detached unknown pid %d", tid);
			return;
		}
		t = tracee_create(set, tid, TCB_NEW | TCB_ORPHAN);
		set->orphans++;
	}
	t->wait_status = status;
	if (usage)
		t->tcb.cpu_time = usage->ru_stime;
	/* The new status replaces the status of an earlier stop that is still queued. */
	if (unlikely(t->tcb.flags & TCB_ORPHAN))
		return;
	spin_stopped(t);
	if (likely(!(t->tcb.flags & TCB_QUEUED)))
		tracees_queue(set, t);
}

/* Reports orphans whose parents' fork events will never arrive. */
static void release_orphans(struct tracees *set)
{
	for (struct tracee *t = set->newest; t && set->orphans; t = t->all_next) {
		if (!(t->tcb.flags & TCB_ORPHAN))
			continue;
		t->tcb.flags &= ~TCB_ORPHAN;
		set->orphans--;
		tracees_queue(set, t);
	}
}

/*
 * Calls wait4(2) for tid (-1 means any tracee) and queues the status that it returns. Returns the
 * result of wait4(). Makes the system call directly. The C library's function is a cancellation
 * point, which costs two locked instructions per call in a process with several threads.
 */
static pid_t wait_for(struct tracees *set, pid_t tid, int options)
{
	struct rusage usage, *u = set->config.want_cpu_time ? &usage : NULL;
	int status;
	pid_t r = (pid_t)syscall(SYS_wait4, tid, &status, __WALL | options, u);

	if (r > 0)
		queue_status(set, r, status, u);
	return r;
}

/*
 * Called if wait4() found no child although tracees are left. Reports that all of them have
 * vanished.
 */
static void all_vanished(struct tracees *set)
{
	release_orphans(set);
	for (struct tracee *t = set->newest; t; t = t->all_next) {
		if (t->tcb.flags & TCB_QUEUED)
			continue;
		t->wait_status = STATUS_VANISHED;
		t->ptrace_msg = 0;
		tracees_queue(set, t);
	}
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * Polls the tracees that are likely to have stopped, or to stop soon. Returns true if a stop was
 * found.
 */
static bool fetch_likely(struct tracees *set)
{
	struct spin *spin = &set->spin;
	struct tracee *t;
	pid_t tid;

	if (set->follow.following) {
		enum follow_state news = cpu_follow_count_stop(&set->follow);

		if (unlikely(news == FOLLOW_STARVED))
			wait_policy_disable_follow(&set->policy, now_ns(), FOLLOW_STARVES);
		else if (unlikely(news == FOLLOW_ENDED))
			wait_policy_follow_ended(&set->policy);
	}
	/*
	 * wait4(-1) and the order of polls favour some tracees, so spin_fair() gives the others a
	 * turn.
	 */
	spin_begin(spin, set->count, set->policy.now == WAIT_POLL);
	t = spin_fair(spin);
	if (t && wait_for(set, t->tcb.tid, WNOHANG) > 0)
		return true;
	while ((tid = spin_next(spin)) && !own_signals_pending()) {
		pid_t r = wait_for(set, tid, WNOHANG);

		if (r > 0) {
			spin_hit(spin, tracees_find(set, r));
			return true;
		}
		spin_missed(spin);
	}
	return false;
}

/*
 * Waits for the fork event of an orphan's parent. This event never arrives if the parent is gone.
 * The event arrives late if the parent could not run yet, for example because the child is using
 * the only CPU.
 */
static void fetch_parent(struct tracees *set)
{
	for (int i = 0; i < ORPHAN_POLLS + ORPHAN_SLEEPS; i++) {
		if (own_signals_pending() || wait_for(set, -1, WNOHANG) > 0)
			return;
		if (i < ORPHAN_POLLS)
			sched_yield();
		else
			usleep(ORPHAN_SLEEP_US);
	}
	set->parent_gone = false;
	release_orphans(set);
}

/* Fetches at least one stop, unless a signal arrives first. */
static void fetch(struct tracees *set)
{
	if (unlikely(set->orphans && set->parent_gone)) {
		fetch_parent(set);
		return;
	}
	if (fetch_likely(set))
		return;
	if (wait_for(set, -1, 0) < 0 && errno == ECHILD)
		all_vanished(set);
}

static void tracees_wait(struct capture *c, struct stop *stop, const struct timespec *deadline)
{
	struct tracees *set = (struct tracees *)c;

	if (unlikely(set->dead != NULL))
		tracees_free_dead(set);
	for (;;) {
		/*
		 * Report signals before stops that have already been fetched, because Ctrl-C stops
		 * the tracees as well as us.
		 */
		stop->sig = own_signals_take();
		if (unlikely(stop->sig)) {
			stop->tcb = NULL;
			stop->kind = STOP_SIGNALLED;
			return;
		}
		while (set->queue_first) {
			struct tracee *t = set->queue_first;

			tracees_unqueue(set, t);
			if (likely(report_stop(set, t, stop)))
				return;
		}
		stop->tcb = NULL;
		if (unlikely(!set->count)) {
			stop->kind = STOP_NONE;
			return;
		}
		if (unlikely(own_signals_deadline(deadline))) {
			stop->kind = STOP_TIMEOUT;
			return;
		}
		fetch(set);
	}
}

/* -- resuming and detaching ----------------------------------------------------- */

/*
 * Moves to the CPU of the stopped tracee tid to follow it, or stops following, depending on
 * set->policy.
 */
static void apply_follow(struct tracees *set, pid_t tid)
{
	struct wait_policy *policy = &set->policy;
	int cpu = set->follow.cpu, err;

	if (policy->now != WAIT_FOLLOW) {
		cpu_follow_stop(&set->follow);
		return;
	}
	if (set->follow.following && set->follow.tid == tid && !policy->check_cpu &&
	    !set->exec_happened)
		return;
	set->exec_happened = false;
	err = cpu_follow_start(&set->follow, tid);
	if (policy->check_cpu && set->follow.cpu == cpu)
		wait_policy_same_cpu(policy);
	if (err)
		wait_policy_disable_follow(policy, now_ns(),
					   err == -EPERM ? FOLLOW_FORBIDDEN : FOLLOW_NOT_NOW);
}

/*
 * The machine counts as loaded if the number of runnable threads exceeds the number of CPUs by more
 * than this. The margin accounts for the tracer and for a thread that was just woken.
 */
#define LOADED_BEYOND 2

/*
 * Measures the machine's load if it is time for a measurement. Returns true if the wait method has
 * changed as a result.
 */
static bool check_load(struct tracees *set, uint64_t now)
{
	const enum wait_method before = set->policy.now;

	if (likely(now < set->measure_at))
		return false;
	set->measure_at = now + WAIT_MEASURE_NS;
	if (proc_runnable() > set->cpus + LOADED_BEYOND)
		wait_policy_loaded(&set->policy, now);
	return set->policy.now != before;
}

/* Called once every few stops. Returns true if apply_follow() must be called. */
static bool policy_update(struct tracees *set)
{
	const uint64_t now = now_ns();

	return check_load(set, now) || wait_policy_update(&set->policy, now);
}

static void tracee_resume(struct tcb *tcb)
{
	struct tracee *t = tracee_of(tcb);
	struct tracees *set = t->set;
	int sig = t->tcb.restart_signal;
	int request;

	if (unlikely(!(t->tcb.flags & TCB_STOPPED)))
		return;
	tracees_unqueue(set, t);
	if (unlikely(t->deferred)) {
		t->wait_status = t->deferred;
		t->deferred = 0;
		tracees_queue(set, t);
		return;
	}
	if (unlikely(t->tcb.flags & TCB_GROUP_STOP)) {
		request = PTRACE_LISTEN;
		sig = 0;
	} else if (!(t->tcb.flags & TCB_SECCOMP)) {
		request = PTRACE_SYSCALL;
	} else {
		/*
		 * With a filter, the tracee stops at syscall entries in any case. Only a stop at
		 * the exit must be requested.
		 */
		request = t->tcb.flags & TCB_IN_SYSCALL ? PTRACE_SYSCALL : PTRACE_CONT;
	}
	if ((unlikely(wait_policy_count_stop(&set->policy)) && policy_update(set)) ||
	    unlikely(set->exec_happened && set->follow.following))
		apply_follow(set, t->tcb.tid);
	spin_running(&set->spin, t);
	if (t->tcb.flags & TCB_IN_SYSCALL && t != set->dying)
		set->entered = t->tcb.tid;
	t->tcb.flags &= ~TCB_STOPPED;
	t->tcb.restart_signal = 0;
	/* If this fails, the tracee was killed, and wait4() will report its end. */
	ptrace(request, t->tcb.tid, 0L, (long)sig);
}

static void tracees_interrupt(struct capture *c)
{
	struct tracees *set = (struct tracees *)c;

	for (struct tracee *t = set->newest; t; t = t->all_next) {
		if (!(t->tcb.flags & (TCB_STOPPED | TCB_QUEUED | TCB_ORPHAN)))
			ptrace(PTRACE_INTERRUPT, t->tcb.tid, 0L, 0L);
	}
}

/*
 * Stops a running tracee so that it can be detached, and sets *status to its wait status. Returns
 * 0, -ESRCH if the tracee is gone, or -EBUSY if it does not stop in time.
 */
static int stop_running(struct tracee *t, int *status)
{
	struct tracees *set = t->set;

	if (t->tcb.flags & TCB_QUEUED || t->tcb.flags & TCB_ORPHAN) {
		*status = t->wait_status;
		return WIFSTOPPED(*status) ? 0 : -ESRCH;
	}
	if (ptrace(PTRACE_INTERRUPT, t->tcb.tid, 0L, 0L))
		return -ESRCH;
	/*
	 * A tracee in uninterruptible sleep (such as the parent of a vfork) stops only after that
	 * sleep. All tracees share one deadline. A tracee that misses it stays attached until we
	 * exit and the kernel detaches it.
	 */
	if (!set->detach_deadline.tv_sec) {
		clock_gettime(CLOCK_MONOTONIC, &set->detach_deadline);
		set->detach_deadline.tv_sec += DETACH_SECONDS;
	}
	while (!own_signals_deadline(&set->detach_deadline)) {
		pid_t r = wait4(t->tcb.tid, status, __WALL, NULL);

		if (r > 0)
			return WIFSTOPPED(*status) ? 0 : -ESRCH;
		if (r < 0 && errno != EINTR)
			return -ESRCH;
	}
	return wait4(t->tcb.tid, status, __WALL | WNOHANG, NULL) > 0 && WIFSTOPPED(*status)
		       ? 0
		       : -EBUSY;
}

static int tracee_detach(struct tcb *tcb)
{
	struct tracee *t = tracee_of(tcb);
	int sig = t->tcb.restart_signal, status = 0, err = 0;

	if (t->tcb.flags & TCB_DEAD)
		return -ESRCH;
	t->tcb.flags |= TCB_DETACHING;
	if (!(t->tcb.flags & TCB_STOPPED)) {
		err = stop_running(t, &status);
		sig = STATUS_EVENT(status) ? 0 : WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80))
			sig = 0;
	} else if (t->deferred && !STATUS_EVENT(t->deferred)) {
		sig = WSTOPSIG(t->deferred) & ~0x80;
	}
	if (!err && ptrace(PTRACE_DETACH, t->tcb.tid, 0L, (long)sig))
		err = -errno;
	tracee_remove(t->set, t);
	return err == -EBUSY ? 0 : err;
}

/* -- the engine ----------------------------------------------------------------- */

static void tracees_end(struct capture *c)
{
	struct tracees *set = (struct tracees *)c;

	if (set->ended)
		return;
	set->ended = true;
	if (!set->config.kill_on_exit) {
		tracees_interrupt(c);
		while (set->newest)
			tracee_detach(&set->newest->tcb);
	}
	guard_deinit(&set->guard);
	cpu_follow_deinit(&set->follow);
	own_signals_restore();
}

static void tracees_destroy(struct capture *c)
{
	struct tracees *set = (struct tracees *)c;

	tracees_end(c);
	tracees_table_deinit(set);
	thread_states_destroy(set->thread_states);
	live_sources_close(c);
	free(set);
}

static const struct capture_ops tracees_ops = {
	.start = tracees_start,
	.attach = tracees_attach,
	.wait = tracees_wait,
	.resume = tracee_resume,
	.detach = tracee_detach,
	.interrupt = tracees_interrupt,
	.count = tracees_count,
	.find = tracees_find_tcb,
	.next = tracees_next,
	.tgid = tracee_tgid,
	.get_regs = tracee_get_regs,
	.set_nr = tracee_set_nr,
	.set_ret = tracee_set_ret,
	.poke_arg = tracee_poke_arg,
	.write = tracee_write,
	.become = tracees_become,
	.inspect = tracee_inspect,
	.end = tracees_end,
	.destroy = tracees_destroy,
};

struct capture *tracees_create(const struct capture_config *config)
{
	struct tracees *set = mem_zalloc(sizeof(*set));

	set->capture = (struct capture){
		.ops = &tracees_ops, .name = "ptrace", .capabilities = TRACEES_CAPABILITIES};
	live_sources_open(&set->capture, config->want_stacks);
	if (config->want_stacks)
		set->capture.address_mask = tracee_query_mask();
	set->follow.procfs = set->capture.procfs;
	set->config = *config;
	guard_init(&set->guard, config, set->capture.procfs, &set->follow);
	set->thread_states =
		config->want_thread_state ? thread_states_create(set->capture.procfs) : NULL;
	tracees_table_init(set);
	spin_init(&set->spin, config->spin);
	wait_policy_init(&set->policy, config->spin == 0);
	set->cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	set->options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
	if (config->follow)
		set->options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	/* Without a tracer, the filter would make the filtered syscalls fail with ENOSYS. */
	if (config->seccomp)
		set->config.kill_on_exit = true;
	if (set->config.kill_on_exit)
		set->options |= PTRACE_O_EXITKILL;
	if (config->seccomp)
		set->options |= PTRACE_O_TRACESECCOMP;
	own_signals_install(config->interruptible, config->want_requests);
	return &set->capture;
}
