/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "select/filter.h"
#include "session/emit.h"
#include "session/programs.h"
#include "session/record.h"
#include "session/requests.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/syscalls.h"
#include "session/thread.h"
#include "session/wakeups.h"
#include "syscall.h"
#include "tamper/tamper.h"
#include "tamper/vdso.h"
#include "util/msg.h"
#include "util/names.h"

void thread_begin(struct session *s, struct tcb *tcb)
{
	struct event e = {0};

	emit_identify(s, &e, tcb);
	for (size_t i = 0; s->pids_seen && i < s->o->pids.n; i++)
		s->pids_seen[i] |= s->o->pids.v[i] == tcb->tid || s->o->pids.v[i] == tcb_tgid(tcb);
	feed_thread_begin(&s->feed, &e);
	programs_look_up(s, tcb, false);
}

void thread_forget(struct session *s, struct tcb *tcb)
{
	struct event e = {0};

	if (s->requests)
		requests_gone(s, tcb);
	emit_identify(s, &e, tcb);
	feed_thread_end(&s->feed, &e);
	if (s->stacks)
		stacks_forget(s->stacks, tcb);
	if (s->tamper)
		tamper_forget(s->tamper, tcb);
	record_forget(s, tcb);
	syscall_forget(tcb);
	delays_forget(&s->delays, tcb);
	if (tcb->session) {
		wakeups_forget(tcb);
		free(tcb->session->exe);
		free(tcb->session->cgroup);
	}
	free(tcb->session);
	tcb->session = NULL;
}

/*
 * Returns the number of the call that a thread in restart_syscall(2) resumes, or UINT64_MAX if it
 * is unknown. The kernel does not report this number, but the code before the pc may contain it.
 */
static uint64_t find_resumed(struct tcb *tcb)
{
	const struct abi *abi = tcb->syscall->abi;
	uint8_t code[ARCH_CALL_CODE];
	uint64_t nr;

	if (!abi || !abi->arch->find_call_number ||
	    memory_read(tcb->memory, tcb->regs.ip - sizeof(code), code, sizeof(code)) ||
	    !abi->arch->find_call_number(code, &nr))
		return UINT64_MAX;
	/* These are the only calls that the kernel resumes with restart_syscall(2). */
	switch (abi_row(abi, nr)) {
	case ROW_poll:
	case ROW_nanosleep:
	case ROW_clock_nanosleep:
	case ROW_futex:
		return nr;
	default:
		return UINT64_MAX;
	}
}

void begin_interrupted(struct session *s, struct tcb *tcb)
{
	uint64_t nr;

	syscall_begin(tcb, s->rows);
	if (likely(tcb->syscall->row != ROW_restart_syscall))
		return;
	nr = find_resumed(tcb);
	if (nr == UINT64_MAX)
		return;
	/*
	 * The registers still contain the arguments of the resumed call, so only the number must be
	 * replaced.
	 */
	tcb->regs.nr = nr;
	syscall_finish(tcb);
	syscall_begin(tcb, s->rows);
}

void on_new(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct thread *t = thread_of(tcb);

	if (unlikely(t->untraced.state))
		untraced_begin(tcb, &t->untraced);
	if (s->stacks)
		stacks_attach(s->stacks, tcb);
	comm_read(s, tcb);
	thread_begin(s, tcb);
	command_read(s, tcb);
	if (tcb->flags & TCB_ATTACHED)
		emit_process(s, tcb, PROCESS_ATTACHED, 0, false, NULL);
	/*
	 * The thread will enter the interrupted call again, perhaps as restart_syscall(2). This
	 * event then identifies the call that restart_syscall(2) resumes.
	 */
	if (stop->in_syscall) {
		begin_interrupted(s, tcb);
		syscall_finish(tcb);
		tcb->syscall->base.ret_kind = RET_RESTART;
	}
	if (!(tcb->flags & (TCB_STARTED | TCB_ATTACHED)) && !(s->o->quiet & QUIET_ATTACH)) {
		progress_clear(&s->progress);
		msg("Process %d attached", tcb->tid);
	}
}

/*
 * Notifies the sinks that the thread that had the id `from` has become the leader of its process
 * and now has the leader's id.
 */
static void thread_moved(struct session *s, struct tcb *tcb, pid_t from)
{
	struct event e = {0};

	emit_identify(s, &e, tcb);
	feed_thread_moved(&s->feed, &e, from);
}

void thread_detach(struct session *s, struct tcb *tcb)
{
	command_read(s, tcb);
	if (capture_detach(tcb) == 0 && !(s->o->quiet & QUIET_ATTACH))
		msg("Process %d detached", tcb->tid);
	enter_held(s, tcb);
	emit_unfinished(s, tcb);
	emit_process(s, tcb, PROCESS_DETACHED, 0, false, NULL);
	if (syscall_is_running(tcb->syscall)) {
		stack_release(tcb->syscall->base.stack);
		syscall_finish(tcb);
	}
	thread_forget(s, tcb);
}

/*
 * Returns true if -b execve detaches the thread at this execve. The execve that starts the command
 * never detaches the thread.
 */
static bool leaves_at_execve(const struct session *s, const struct tcb *tcb)
{
	return s->o->detach_on_execve && !(tcb->flags & TCB_WAIT_EXECVE);
}

bool on_exec(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	if (stop->pid != tcb->tid)
		thread_moved(s, tcb, stop->pid);
	if (leaves_at_execve(s, tcb)) {
		thread_detach(s, tcb);
		return false;
	}
	/*
	 * Do not store the name before the first execve of the command. It is the name of tracer,
	 * because a copy of tracer makes this execve.
	 */
	if (syscall_is_running(tcb->syscall) && !(tcb->flags & TCB_WAIT_EXECVE))
		memcpy(tcb->syscall->called_by, tcb->comm, sizeof(tcb->comm));
	tcb->flags &= ~TCB_WAIT_EXECVE;
	thread_of(tcb)->knows_program = false;
	programs_look_up(s, tcb, true);
	if (s->o->hide_vdso && !vdso_hide(tcb))
		msg("--vdso=off: the vDSO of process %d could not be hidden", tcb->tid);
	if (s->o->format->wants & WANTS_COMM || s->feed.live)
		comm_read(s, tcb);
	command_read(s, tcb);
	emit_process(s, tcb, PROCESS_EXEC, stop->pid, false, NULL);
	if (s->stacks)
		stacks_exec(s->stacks, tcb);
	return true;
}

void on_fork(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct thread *t = thread_of(tcb), *child;

	if (stop->child) {
		child = thread_of(stop->child);
		child->abi = t->abi;
		child->wake.parent = tcb->tgid;
		if (unlikely(t->untraced.state))
			untraced_fork(tcb, &t->untraced, stop->child, &child->untraced);
	}
	if (!(tcb->flags & TCB_WAIT_EXECVE))
		emit_process(s, tcb, PROCESS_FORKED, stop->pid, false, NULL);
	if (s->requests && stop->child)
		requests_fork(s, tcb, stop->child);
	if (s->stacks && stop->child)
		stacks_fork(s->stacks, tcb, stop->child, stop->child_shares_mm);
}

/* Returns true if the default action of a signal is to dump core, see signal(7). */
static bool is_crash(int sig)
{
	static const int crashes[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE,
				      SIGSEGV, SIGBUS, SIGSYS,	SIGXCPU, SIGXFSZ};

	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		if (crashes[i] == sig)
			return true;
	return false;
}

/*
 * With --last: writes the kept events if the default action of the fatal signal `sig` is a core
 * dump. Called at the end of each thread of the process. Waits for the end of the leader, if it is
 * traced, because the leader always ends last.
 */
static void on_crashed(struct session *s, struct tcb *tcb, int sig)
{
	pid_t process = tcb_tgid(tcb);
	const char *name = signal_name(sig);

	if (!is_crash(sig) || (tcb->tid != process && capture_find(s->capture, process)))
		return;
	/* The recording is written later, because this stop must be part of it. */
	snprintf(s->crashed, sizeof(s->crashed), "process %d was killed by %s", process,
		 name ? name : "a signal");
	feed_write_kept(&s->feed, s->o->quiet & QUIET_EXIT, s->crashed);
}

/* Records the end of a thread, which may have ended the waits of other threads. */
static void record_exit(struct session *s, struct tcb *tcb)
{
	struct event e = {0};

	emit_stamp(s, &e, tcb);
	wakes_exit(s->wakes, &thread_of(tcb)->wake, &e);
}

void on_exited(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct stack *stack = last_stack(s, tcb);

	if (tcb->tid == s->command)
		s->status = stop->status;
	if (WIFEXITED(stop->status))
		emit_process(s, tcb, PROCESS_EXITED, WEXITSTATUS(stop->status), false, stack);
	else if (filter_signal(&s->o->filter, WTERMSIG(stop->status)))
		emit_process(s, tcb, PROCESS_KILLED, WTERMSIG(stop->status),
			     WCOREDUMP(stop->status), stack);
	if (s->o->text.limits.last && WIFSIGNALED(stop->status))
		on_crashed(s, tcb, WTERMSIG(stop->status));
	stack_release(stack);
	if (s->wakes)
		record_exit(s, tcb);
	thread_forget(s, tcb);
}

/*
 * Handles the end of a thread whose id now belongs to another thread of the process, because that
 * thread has called execve. stop->pid is the former id of the caller of execve. The event contains
 * the execve.
 */
static void on_superseded(struct session *s, struct tcb *tcb, const struct stop *stop,
			  struct stack *stack)
{
	struct process_event e = {
		.base.stack = stack, .kind = PROCESS_SUPERSEDED, .code = stop->pid};
	struct tcb *heir = capture_find(s->capture, tcb->tid);

	emit_stamp(s, &e.base, tcb);
	if (heir) {
		enter_held(s, heir);
		e.base.nr = heir->regs.nr;
		e.base.ip = heir->regs.ip;
	}
	emit_process_event(s, &e);
}

void on_vanished(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct stack *stack = last_stack(s, tcb);

	if (stop->pid)
		on_superseded(s, tcb, stop, stack);
	stack_release(stack);
	thread_forget(s, tcb);
}
