/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts wait statuses to stops. */
#include <linux/kcmp.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/proc/cpu_clock.h"
#include "capture/ptrace/tracee_set.h"
#include "util/msg.h"

/*
 * Maximum number of polls for a stop that is expected immediately. These polls take a few
 * microseconds in total.
 */
#define POLLS 20

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

/*
 * Polls for the next stop of a running tracee. Returns true if the tracee has stopped and its stop
 * is in the queue.
 */
static bool poll_tracee(struct tracees *set, struct tracee *t)
{
	for (int i = 0; i < POLLS && !(t->tcb.flags & (TCB_QUEUED | TCB_DEAD)); i++) {
		if (tracees_wait_for(set, t->tcb.tid, WNOHANG) < 0)
			break;
	}
	return t->tcb.flags & TCB_QUEUED;
}

/*
 * If a thread was resumed from its exit event and wait4() already reports its end, fetches the
 * status of that end. Other threads can notice the end (the parent of a vfork, or waiters for
 * clear_child_tid) a few microseconds before wait4() reports it. The output is easier to read if
 * the end comes first. The kernel does not guarantee this order, so no other code may depend on it.
 */
static void fetch_dying(struct tracees *set)
{
	poll_tracee(set, set->dying);
	set->dying = NULL;
}

/*
 * Called at the exit event of thread t. If t is in a syscall that does not end t, another thread
 * has ended t, most likely with the syscall that was entered last (exit_group, kill). The threads
 * stop at about the same time. The output is easier to read if the other thread's stop comes before
 * the end of t. Returns true if the other thread's stop is in the queue now, followed by t.
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

/*
 * Updates tcb.cpu_us. If wait4(2) returned the thread's earlier times, the first call only
 * determines the difference between the two clocks.
 */
static void fetch_cpu_time(struct tracee *t)
{
	uint64_t us;

	if (!t->set->cpu_clock || !cpu_clock_read(t->set->cpu_clock, t->tcb.tid, &us))
		return;
	if (!t->cpu_offset)
		t->cpu_offset = t->tcb.cpu_us - us;
	t->tcb.cpu_us = us + t->cpu_offset;
}

static bool report_syscall(struct tracee *t, struct stop *stop)
{
	struct __ptrace_syscall_info info;

	if (fetch_syscall(t, &info)) {
		/*
		 * The thread was killed during this stop. Its end will be reported later. If it was
		 * entering a call, report the entry of an unknown call now.
		 */
		t->tcb.flags &= ~TCB_STOPPED;
		if (t->tcb.flags & TCB_IN_SYSCALL)
			return false;
		t->tcb.flags |= TCB_IN_SYSCALL;
		stop->kind = STOP_SYSCALL_ENTER;
		stop->unknown = true;
		return true;
	}
	fetch_cpu_time(t);
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
	/* The child may be the second thread, so this may be the first use of the clock. */
	fetch_cpu_time(t);
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

bool tracee_report_stop(struct tracees *set, struct tracee *t, struct stop *stop)
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
