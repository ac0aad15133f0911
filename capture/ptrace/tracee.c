/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <linux/kcmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_set.h"
#include "capture/ptrace/tracee_signals.h"
#include "util/mem.h"
#include "util/msg.h"

/* Questions for a stop that may be about to come: some microseconds, never a sleep. */
#define QUESTIONS 20
/* So long at most, for all running tracees together, until they have stopped to be detached. */
#define DETACH_SECONDS 1

struct tracees *tracees_create(const struct tracees_config *config)
{
	struct tracees *set = mem_zalloc(sizeof(*set));

	set->config = *config;
	tracees_table_init(set);
	spin_init(&set->spin, config->spin);
	ways_init(&set->ways, config->spin == 0);
	set->options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
	if (config->follow)
		set->options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	/* A filter without its tracer would make the filtered syscalls fail. */
	if (config->seccomp)
		set->config.kill_on_exit = true;
	if (set->config.kill_on_exit)
		set->options |= PTRACE_O_EXITKILL;
	if (config->seccomp)
		set->options |= PTRACE_O_TRACESECCOMP;
	tracee_signals_install(config->interruptible);
	return set;
}

void tracees_destroy(struct tracees *set)
{
	if (!set->config.kill_on_exit) {
		tracees_interrupt(set);
		while (set->newest)
			tracee_detach(set->newest);
	}
	near_deinit(&set->near);
	tracees_table_deinit(set);
	tracee_signals_restore();
	free(set);
}

/* -- what stops mean -------------------------------------------------------- */

/* An internal stop: goes on without being told. */
static void go_on(struct tcb *tcb, int sig)
{
	tcb->restart_signal = sig;
	tracee_resume(tcb, RESUME_SYSCALL);
}

static void attr_noreturn die_of_old_kernel(void)
{
	die("PTRACE_GET_SYSCALL_INFO is not available: Linux 5.3 or later is needed");
}

static int fetch_syscall(struct tcb *tcb, struct __ptrace_syscall_info *info)
{
	if (unlikely(ptrace(PTRACE_GET_SYSCALL_INFO, tcb->tid, sizeof(*info), info) <= 0)) {
		if (errno == EIO || errno == EINVAL)
			die_of_old_kernel();
		return -errno;
	}
	tcb->regs.arch = info->arch;
	tcb->regs.ip = info->instruction_pointer;
	tcb->regs.sp = info->stack_pointer;
	return 0;
}

static bool tell_new(struct tcb *tcb, struct stop *stop, int status)
{
	struct __ptrace_syscall_info info;

	tcb->flags &= ~TCB_NEW;
	if (tcb->set->filtered)
		tcb->flags |= TCB_SECCOMP;
	stop->kind = STOP_NEW;
	stop->in_syscall = false;
	if (status != STATUS_STOPPED(SIGTRAP, PTRACE_EVENT_STOP))
		tcb->deferred = status;
	if (tcb->flags & TCB_ATTACHED && !(tcb->flags & TCB_STARTED)) {
		if (fetch_syscall(tcb, &info)) {
			tcb->flags &= ~TCB_STOPPED;
			return false;
		}
		stop->in_syscall = tracee_regs_of_interrupted(tcb);
	}
	return true;
}

static pid_t wait_for(struct tracees *set, pid_t tid, int options);

/* Asks for a running tracee's next stop, without waiting for it; true: it is in line. */
static bool ask_for(struct tracees *set, struct tcb *tcb)
{
	for (int i = 0; i < QUESTIONS && !(tcb->flags & (TCB_QUEUED | TCB_DEAD)); i++) {
		if (wait_for(set, tcb->tid, WNOHANG) < 0)
			break;
	}
	return tcb->flags & TCB_QUEUED;
}

/*
 * A thread tells others that it ends (who vforked it, who waits for its clear_child_tid) a few
 * microseconds before it can be waited for. Where its end is there by now it is told next, close
 * to what came of it. Nothing depends on that: both orders are true.
 */
static void take_dying(struct tracees *set)
{
	ask_for(set, set->dying);
	set->dying = NULL;
}

/*
 * A thread that is ended inside a call was ended by another one, most likely by the call that was
 * let go on last: exit_group, kill. Both stop at about the same time, and the call that returned
 * reads better before the end that it caused. true: its stop is in line now, and tcb after it.
 */
static bool take_cause(struct tracees *set, struct tcb *tcb)
{
	struct tcb *cause = set->entered ? tracees_find(set, set->entered) : NULL;

	set->entered = 0;
	if (!cause || cause == tcb || !cause->run_list || !(tcb->flags & TCB_IN_SYSCALL) ||
	    tracee_regs_of_exit(tcb) || !ask_for(set, cause))
		return false;
	tracees_queue(set, tcb);
	return true;
}

static bool tell_syscall(struct tcb *tcb, struct stop *stop)
{
	struct __ptrace_syscall_info info;

	if (tcb->flags & TCB_SKIP_EXIT) {
		tcb->flags &= ~(TCB_IN_SYSCALL | TCB_SKIP_EXIT);
		go_on(tcb, 0);
		return false;
	}
	if (fetch_syscall(tcb, &info)) {
		/* Killed mid-stop: its end is still to come. */
		tcb->flags &= ~TCB_STOPPED;
		return false;
	}
	switch (info.op) {
	case PTRACE_SYSCALL_INFO_ENTRY:
		tcb->regs.nr = info.entry.nr;
		memcpy(tcb->regs.args, info.entry.args, sizeof(tcb->regs.args));
		break;
	case PTRACE_SYSCALL_INFO_SECCOMP:
		tcb->regs.nr = info.seccomp.nr;
		memcpy(tcb->regs.args, info.seccomp.args, sizeof(tcb->regs.args));
		break;
	case PTRACE_SYSCALL_INFO_EXIT:
		if (!(tcb->flags & TCB_IN_SYSCALL)) {
			go_on(tcb, 0);
			return false;
		}
		tcb->flags &= ~TCB_IN_SYSCALL;
		tcb->regs.ret = info.exit.rval;
		tcb->regs.is_error = info.exit.is_error;
		stop->kind = STOP_SYSCALL_EXIT;
		if (unlikely(tcb->set->dying != NULL))
			take_dying(tcb->set);
		return true;
	default:
		go_on(tcb, 0);
		return false;
	}
	tcb->flags |= TCB_IN_SYSCALL;
	stop->kind = STOP_SYSCALL_ENTER;
	return true;
}

static bool tell_signal(struct tcb *tcb, struct stop *stop, int sig)
{
	stop->kind = STOP_SIGNAL;
	stop->sig = sig;
	stop->has_info = !ptrace(PTRACE_GETSIGINFO, tcb->tid, 0L, &stop->info);
	if (!stop->has_info && errno == ESRCH) {
		tcb->flags &= ~TCB_STOPPED;
		return false;
	}
	tcb->restart_signal = sig;
	return true;
}

static bool shares_mm(const struct tcb *parent, pid_t child, unsigned event)
{
	long r = syscall(SYS_kcmp, parent->tid, child, KCMP_VM, 0L, 0L);

	/* Where kcmp is not to be had, the usual use of each call. */
	return r >= 0 ? !r : event != PTRACE_EVENT_FORK;
}

static bool tell_fork(struct tracees *set, struct tcb *tcb, struct stop *stop, unsigned event)
{
	pid_t pid = (pid_t)tcb->ptrace_msg;
	struct tcb *child = tracees_find(set, pid);

	stop->kind = STOP_FORK;
	stop->pid = pid;
	stop->child_shares_mm = set->config.want_mm && shares_mm(tcb, pid, event);
	if (!child) {
		child = tcb_create(set, pid, TCB_NEW);
		spin_running(&set->spin, child);
	} else if (child->flags & TCB_ORPHAN) {
		child->flags &= ~TCB_ORPHAN;
		set->orphans--;
		tracees_queue(set, child);
	}
	child->flags |= tcb->flags & TCB_PEEK;
	stop->child = child;
	return true;
}

static void tell_vanished(struct tracees *set, struct tcb *tcb, struct stop *stop)
{
	struct __ptrace_syscall_info info;
	struct tcb *heir;

	stop->kind = STOP_VANISHED;
	stop->pid = (pid_t)tcb->ptrace_msg;
	tcb_remove(set, tcb);
	if (tcb->tid < 0)
		tcb->tid = -tcb->tid;
	/* What took its place stands at the start of the new program. */
	heir = stop->pid ? tracees_find(set, tcb->tid) : NULL;
	if (heir)
		fetch_syscall(heir, &info);
}

/* Says what the queued status of a tcb means; false: nothing that is to be told. */
static bool tell(struct tracees *set, struct tcb *tcb, struct stop *stop)
{
	int status = tcb->wait_status;
	unsigned event = STATUS_EVENT(status);

	stop->tcb = tcb;
	stop->status = status;
	tcb->flags &= ~TCB_GROUP_STOP;
	tcb->restart_signal = 0;
	if (status == STATUS_VANISHED) {
		tell_vanished(set, tcb, stop);
		return true;
	}
	if (!WIFSTOPPED(status)) {
		set->parent_gone = true;
		stop->kind = STOP_EXITED;
		tcb_remove(set, tcb);
		return true;
	}
	tcb->flags |= TCB_STOPPED;
	if (unlikely(tcb->flags & TCB_NEW))
		return tell_new(tcb, stop, status);
	if (unlikely(event == PTRACE_EVENT_SECCOMP && !(tcb->flags & TCB_SECCOMP))) {
		/* The command has installed it by itself. The call was told of at its entry. */
		set->filtered = true;
		tcb->flags |= TCB_SECCOMP;
		if (tcb->flags & TCB_IN_SYSCALL) {
			go_on(tcb, 0);
			return false;
		}
	}
	if (likely(WSTOPSIG(status) == (SIGTRAP | 0x80) || event == PTRACE_EVENT_SECCOMP))
		return tell_syscall(tcb, stop);
	switch (event) {
	case 0:
		return tell_signal(tcb, stop, WSTOPSIG(status));
	case PTRACE_EVENT_STOP:
		if (WSTOPSIG(status) == SIGTRAP)
			break;
		tcb->flags |= TCB_GROUP_STOP;
		stop->kind = STOP_GROUP;
		stop->sig = WSTOPSIG(status);
		return true;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		if (ptrace(PTRACE_GETEVENTMSG, tcb->tid, 0L, &tcb->ptrace_msg)) {
			tcb->flags &= ~TCB_STOPPED;
			return false;
		}
		return tell_fork(set, tcb, stop, event);
	case PTRACE_EVENT_EXEC:
		set->parent_gone = true;
		stop->kind = STOP_EXEC;
		stop->pid = (pid_t)tcb->ptrace_msg;
		return true;
	case PTRACE_EVENT_EXIT:
		if (take_cause(set, tcb))
			return false;
		set->dying = tcb;
		stop->kind = STOP_EXITING;
		return true;
	default:
		break;
	}
	go_on(tcb, 0);
	return false;
}

/* -- waiting ---------------------------------------------------------------- */

/*
 * The thread former of the process tid has exec'd: it goes on as tid, and what
 * was known as tid is no more.
 */
static struct tcb *note_exec(struct tracees *set, pid_t tid)
{
	struct tcb *leader = tracees_find(set, tid), *tcb;
	unsigned long former = 0;

	if (ptrace(PTRACE_GETEVENTMSG, tid, 0L, &former) || !former)
		former = (unsigned long)tid;
	tcb = (pid_t)former == tid ? leader : tracees_find(set, (pid_t)former);
	if (!tcb)
		tcb = leader;
	if (!tcb)
		return NULL;
	if (leader && leader != tcb) {
		tracees_unqueue(set, leader);
		leader->ptrace_msg = former;
		leader->wait_status = STATUS_VANISHED;
		if (leader->flags & TCB_ORPHAN) {
			leader->flags &= ~TCB_ORPHAN;
			set->orphans--;
		}
		tracees_queue(set, leader);
	}
	if (tcb->tid != tid) {
		/* Only one is to be found by this tid from now on. */
		if (leader)
			tcb_rekey(leader, -tid);
		tcb_rekey(tcb, tid);
		tracees_unqueue(set, tcb);
	}
	tcb->ptrace_msg = former;
	tcb->deferred = 0;
	return tcb;
}

/* Takes in what wait4() said of tid. */
static void note(struct tracees *set, pid_t tid, int status, const struct rusage *usage)
{
	struct tcb *tcb;

	if (unlikely(STATUS_EVENT(status) == PTRACE_EVENT_EXEC))
		tcb = note_exec(set, tid);
	else
		tcb = tracees_find(set, tid);
	if (unlikely(!tcb)) {
		/* Some other child of ours ended, or a tracee nobody asked for: CLONE_PTRACE. */
		if (!WIFSTOPPED(status))
			return;
		if (!set->config.follow) {
			ptrace(PTRACE_DETACH, tid, 0L, 0L);
			msg("Detached unknown pid %d", tid);
			return;
		}
		tcb = tcb_create(set, tid, TCB_NEW | TCB_ORPHAN);
		set->orphans++;
	}
	tcb->wait_status = status;
	if (usage)
		tcb->cpu_time = usage->ru_stime;
	/* Of a stop fetched earlier nothing is left when it is followed by another. */
	if (unlikely(tcb->flags & TCB_ORPHAN))
		return;
	spin_stopped(tcb);
	if (likely(!(tcb->flags & TCB_QUEUED)))
		tracees_queue(set, tcb);
}

/* The fork events that orphans wait for will not come: told without them. */
static void release_orphans(struct tracees *set)
{
	for (struct tcb *tcb = set->newest; tcb && set->orphans; tcb = tcb->all_next) {
		if (!(tcb->flags & TCB_ORPHAN))
			continue;
		tcb->flags &= ~TCB_ORPHAN;
		set->orphans--;
		tracees_queue(set, tcb);
	}
}

/* tid -1: any. */
static pid_t wait_for(struct tracees *set, pid_t tid, int options)
{
	struct rusage usage, *u = set->config.want_cpu_time ? &usage : NULL;
	int status;
	pid_t r = wait4(tid, &status, __WALL | options, u);

	if (r > 0)
		note(set, r, status, u);
	return r;
}

/* There is nothing to wait for, and yet tcbs are left: they went without a word. */
static void all_vanished(struct tracees *set)
{
	release_orphans(set);
	for (struct tcb *tcb = set->newest; tcb; tcb = tcb->all_next) {
		if (tcb->flags & TCB_QUEUED)
			continue;
		tcb->wait_status = STATUS_VANISHED;
		tcb->ptrace_msg = 0;
		tracees_queue(set, tcb);
	}
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Asks for those tracees that are likely to have stopped, or soon will. */
static bool fetch_likely(struct tracees *set)
{
	struct spin *spin = &set->spin;
	struct tcb *tcb;
	pid_t tid;

	if (set->near.following) {
		enum near_news news = near_stopped(&set->near);

		if (unlikely(news == NEAR_STARVED))
			ways_not_near(&set->ways, now_ns(), NEAR_STARVES);
		else if (unlikely(news == NEAR_ENDED))
			ways_near_ended(&set->ways);
	}
	/* wait4(-1) and the likely ones favour some: the others get their turn here. */
	spin_begin(spin, set->count, set->ways.now == WAY_ASK);
	tcb = spin_fair(spin);
	if (tcb && wait_for(set, tcb->tid, WNOHANG) > 0)
		return true;
	while ((tid = spin_next(spin)) && !tracee_signals_pending()) {
		pid_t r = wait_for(set, tid, WNOHANG);

		if (r > 0) {
			spin_hit(spin, tracees_find(set, r));
			return true;
		}
		spin_missed(spin);
	}
	return false;
}

/* Fetches at least one stop, unless a signal comes first. */
static void fetch(struct tracees *set)
{
	if (unlikely(set->orphans && set->parent_gone)) {
		if (wait_for(set, -1, WNOHANG) > 0)
			return;
		set->parent_gone = false;
		release_orphans(set);
		return;
	}
	if (fetch_likely(set))
		return;
	if (wait_for(set, -1, 0) < 0 && errno == ECHILD)
		all_vanished(set);
}

void tracees_wait(struct tracees *set, struct stop *stop, const struct timespec *deadline)
{
	if (unlikely(set->dead != NULL))
		tracees_free_dead(set);
	for (;;) {
		/* Before the stops that came along: ^C is for us and for our tracees. */
		stop->sig = tracee_signals_take();
		if (unlikely(stop->sig)) {
			stop->tcb = NULL;
			stop->kind = STOP_SIGNALLED;
			return;
		}
		while (set->queue_first) {
			struct tcb *tcb = set->queue_first;

			tracees_unqueue(set, tcb);
			if (likely(tell(set, tcb, stop)))
				return;
		}
		stop->tcb = NULL;
		if (unlikely(!set->count)) {
			stop->kind = STOP_NONE;
			return;
		}
		if (unlikely(tracee_signals_deadline(deadline))) {
			stop->kind = STOP_TIMEOUT;
			return;
		}
		fetch(set);
	}
}

/* -- going on, and letting go ------------------------------------------------- */

/* Follows the tracee that makes the stops, or lets go of it, as the ways say. It is stopped now. */
static void be_near(struct tracees *set, pid_t tid)
{
	struct ways *ways = &set->ways;
	int cpu = set->near.cpu, err;

	if (ways->now != WAY_NEAR) {
		near_leave(&set->near);
		return;
	}
	if (set->near.following && set->near.tid == tid && !ways->look)
		return;
	err = near_follow(&set->near, tid);
	if (ways->look && set->near.cpu == cpu)
		ways_in_place(ways);
	if (err)
		ways_not_near(ways, now_ns(), err == -EPERM ? NEAR_NEVER : NEAR_NOT_YET);
}

void tracee_resume(struct tcb *tcb, enum resume how)
{
	struct tracees *set = tcb->set;
	int sig = tcb->restart_signal;
	int request;

	if (unlikely(!(tcb->flags & TCB_STOPPED)))
		return;
	tracees_unqueue(set, tcb);
	if (unlikely(tcb->deferred)) {
		tcb->wait_status = tcb->deferred;
		tcb->deferred = 0;
		tracees_queue(set, tcb);
		return;
	}
	if (unlikely(tcb->flags & TCB_GROUP_STOP)) {
		request = PTRACE_LISTEN;
		sig = 0;
	} else if (!(tcb->flags & TCB_SECCOMP)) {
		request = PTRACE_SYSCALL;
		if (how == RESUME_NEXT_ENTER && (tcb->flags & TCB_IN_SYSCALL))
			tcb->flags |= TCB_SKIP_EXIT;
	} else if ((tcb->flags & TCB_IN_SYSCALL) && how == RESUME_SYSCALL) {
		request = PTRACE_SYSCALL;
	} else {
		request = PTRACE_CONT;
		tcb->flags &= ~TCB_IN_SYSCALL;
	}
	if (unlikely(ways_stop(&set->ways)) && ways_glance(&set->ways, now_ns()))
		be_near(set, tcb->tid);
	spin_running(&set->spin, tcb);
	if (tcb->flags & TCB_IN_SYSCALL && tcb != set->dying)
		set->entered = tcb->tid;
	tcb->flags &= ~TCB_STOPPED;
	tcb->restart_signal = 0;
	/* A failure means that it was killed meanwhile: wait4() will say so. */
	ptrace(request, tcb->tid, 0L, (long)sig);
}

void tracees_interrupt(struct tracees *set)
{
	for (struct tcb *tcb = set->newest; tcb; tcb = tcb->all_next) {
		if (!(tcb->flags & (TCB_STOPPED | TCB_QUEUED | TCB_ORPHAN)))
			ptrace(PTRACE_INTERRUPT, tcb->tid, 0L, 0L);
	}
}

/* Stops a running tracee for detaching. 0; -ESRCH: it is gone; -EBUSY: it does not stop. */
static int stop_running(struct tcb *tcb, int *status)
{
	struct tracees *set = tcb->set;

	if (tcb->flags & TCB_QUEUED || tcb->flags & TCB_ORPHAN) {
		*status = tcb->wait_status;
		return WIFSTOPPED(*status) ? 0 : -ESRCH;
	}
	if (ptrace(PTRACE_INTERRUPT, tcb->tid, 0L, 0L))
		return -ESRCH;
	/*
	 * One that sleeps uninterruptibly (a vfork parent) stops when it can. All of them together
	 * are waited for until one deadline, and then left to the kernel, which lets go of them
	 * when we exit.
	 */
	if (!set->let_go_by.tv_sec) {
		clock_gettime(CLOCK_MONOTONIC, &set->let_go_by);
		set->let_go_by.tv_sec += DETACH_SECONDS;
	}
	while (!tracee_signals_deadline(&set->let_go_by)) {
		pid_t r = wait4(tcb->tid, status, __WALL, NULL);

		if (r > 0)
			return WIFSTOPPED(*status) ? 0 : -ESRCH;
		if (r < 0 && errno != EINTR)
			return -ESRCH;
	}
	return wait4(tcb->tid, status, __WALL | WNOHANG, NULL) > 0 && WIFSTOPPED(*status) ? 0
											  : -EBUSY;
}

int tracee_detach(struct tcb *tcb)
{
	int sig = tcb->restart_signal, status = 0, err = 0;

	if (tcb->flags & TCB_DEAD)
		return -ESRCH;
	tcb->flags |= TCB_DETACHING;
	if (!(tcb->flags & TCB_STOPPED)) {
		err = stop_running(tcb, &status);
		sig = STATUS_EVENT(status) ? 0 : WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80))
			sig = 0;
	} else if (tcb->deferred && !STATUS_EVENT(tcb->deferred)) {
		sig = WSTOPSIG(tcb->deferred) & ~0x80;
	}
	if (!err && ptrace(PTRACE_DETACH, tcb->tid, 0L, (long)sig))
		err = -errno;
	tcb_remove(tcb->set, tcb);
	return err == -EBUSY ? 0 : err;
}
