/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fetches the wait statuses of tracees, and resumes tracees. */
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/proc/tasks.h"
#include "capture/ptrace/tracee_set.h"
#include "util/clock.h"
#include "util/msg.h"

/*
 * Handles an execve by a thread of the process tid. The calling thread now has the id tid, and the
 * thread that had this id before is gone. Returns the calling thread, or NULL if the set contains
 * neither of the two threads.
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

static uint64_t timeval_us(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_usec;
}

/*
 * Queues the status that wait4() returned for tid. `usage` is the process's resource usage, or
 * NULL.
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
		 * The status belongs to another child of ours, to a new thread whose parent's fork
		 * event has not arrived yet, or to a thread that we did not ask to trace.
		 * CLONE_PTRACE creates such threads.
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
	/*
	 * Only the sum of both times is exact. The kernel divides it in the ratio of the clock
	 * ticks that it counted in each mode.
	 */
	if (usage)
		t->tcb.cpu_us = timeval_us(&usage->ru_utime) + timeval_us(&usage->ru_stime);
	if (unlikely(t->tcb.flags & TCB_ORPHAN))
		return;
	spin_stopped(t);
	/*
	 * If an earlier stop of the thread is still queued, only the new status is reported,
	 * because it has replaced the status of that stop.
	 */
	if (likely(!(t->tcb.flags & TCB_QUEUED)))
		tracees_queue(set, t);
}

/*
 * Makes the system call directly. The C library's function is a cancellation point. In a process
 * with several threads, this costs two locked instructions per call.
 */
pid_t tracees_wait_for(struct tracees *set, pid_t tid, int options)
{
	struct rusage usage, *u = set->config.want_cpu_time && !set->cpu_clock ? &usage : NULL;
	int status;
	pid_t r = (pid_t)syscall(SYS_wait4, tid, &status, __WALL | options, u);

	if (r > 0)
		queue_status(set, r, status, u);
	return r;
}

/*
 * If set->policy has selected WAIT_FOLLOW, moves tracer to the CPU of the stopped tracee tid
 * (cpu_follow.h). Otherwise, stops following a tracee.
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
		wait_policy_disable_follow(policy, timespec_ns(clock_after(0)),
					   err == -EPERM ? FOLLOW_FORBIDDEN : FOLLOW_NOT_NOW);
}

/*
 * The machine counts as loaded if the number of runnable threads exceeds the number of CPUs by more
 * than LOADED_BEYOND. The margin accounts for the tracer and for a thread that was just woken.
 */
#define LOADED_BEYOND 2

/*
 * If a measurement is due, measures the machine's load. Returns true if the method of waiting for
 * stops has changed as a result.
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
	const uint64_t now = timespec_ns(clock_after(0));

	return check_load(set, now) || wait_policy_update(&set->policy, now);
}

void tracee_resume(struct tcb *tcb)
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
