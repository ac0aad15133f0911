/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/syscalls.h"

#include <sys/prctl.h>

#include "capture/capture.h"
#include "event/find.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "select/filter.h"
#include "session/blocked.h"
#include "session/emit.h"
#include "session/record.h"
#include "session/resume.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/wakeups.h"
#include "session/watch.h"
#include "syscall.h"
#include "tamper/tamper.h"
#include "util/clock.h"
#include "util/msg.h"
#include "wake/wakes.h"

/*
 * Returns how the call changes the mappings of its process. Returns MM_NONE if it does not change
 * them, or if stacks are not needed.
 */
static enum mm_change mm_change_of(const struct session *s, const struct syscall_event *ev)
{
	return s->unwinder && ev->row >= 0 ? syscall_desc_mm(&syscall_descs[ev->row]) : MM_NONE;
}

/*
 * Reads the thread's name at the end of a call that may have changed the name. With -Y, reads it
 * after the same calls as strace 7.2: also after a failed call, but not if the previous call that
 * was shown failed.
 */
static void comm_update(const struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	bool sets = event_is_execve(ev) || (ev->row == ROW_prctl && ev->raw_args[0] == PR_SET_NAME);

	if (sets && !(tcb->session->failed && s->feed.names_like_strace))
		comm_read(s, tcb);
	if (!tcb->session->hidden)
		tcb->session->failed = tcb->regs.is_error;
}

/*
 * Reports that the ABI of the thread's calls has changed. The event contains the number of the
 * previous call.
 */
static attr_noinline void personality_event(struct session *s, struct tcb *tcb)
{
	struct process_event e = {.kind = PROCESS_PERSONALITY, .code = tcb->session->abi};

	emit_stamp(s, &e.base, tcb);
	e.base.nr = tcb->session->last_nr;
	emit_process_event(s, &e);
}

/*
 * Resumes the thread before the sinks receive its call, if s->resumes_first allows that. The thread
 * then runs while the sinks write. Resuming the thread again at the end of the stop has no effect.
 */
static void resume_before_sinks(const struct session *s, struct tcb *tcb)
{
	if (s->resumes_first)
		resume_thread(tcb);
}

/*
 * Passes the entry of a call to the sinks: as EVENT_HOLD if filters must see the result first,
 * otherwise as EVENT_ENTER. `open` is true if --where must see the result.
 */
static void show_enter(struct session *s, struct tcb *tcb, bool open)
{
	struct syscall_event *ev = tcb->syscall;

	if (unlikely(s->holds || open)) {
		emit_call(s, ev, EVENT_HOLD);
	} else {
		tcb->session->entered = true;
		emit_call(s, ev, EVENT_ENTER);
	}
}

/*
 * Returns true if a call with these decoded arguments may match --where. If this cannot be decided
 * before the exit, sets *open to true.
 */
static bool matches_enter(const struct session *s, const struct syscall_event *ev, bool *open)
{
	*open = false;
	return likely(!s->o->filter.where) ||
	       filter_where(&s->o->filter, s->unwinder, ev, false, open);
}

/*
 * Returns true if a call that has ended matches --where. Does not evaluate --where again if the
 * entry was sufficient.
 */
static bool matches_exit(const struct session *s, const struct tcb *tcb)
{
	bool open;

	return likely(!s->o->filter.where) || tcb->session->entered ||
	       filter_where(&s->o->filter, s->unwinder, tcb->syscall, true, &open);
}

void on_unknown_enter(struct session *s, struct tcb *tcb)
{
	struct thread *t = thread_begins_call(tcb);
	struct syscall_event *ev = syscall_begin_unknown(tcb);
	bool open;

	emit_stamp(s, &ev->base, tcb);
	if (s->o->blocked_ns)
		blocked_enter(tcb);
	t->hidden = tcb->flags & TCB_WAIT_EXECVE || !matches_enter(s, ev, &open);
	if (!t->hidden)
		show_enter(s, tcb, open);
}

/* Handles the thread's first known ABI, or a change of its ABI. */
static void abi_update(struct session *s, struct tcb *tcb, struct syscall_event *ev)
{
	uint8_t *abi = &tcb->session->abi;

	ev->base.abi = *abi;
	if (!ev->abi || likely(ev->abi->index == *abi))
		return;
	/* Before its first call, a thread is assumed to use the standard ABI of its machine. */
	if (abis[*abi].arch != ev->abi->arch)
		*abi = ev->base.abi = ev->abi->arch->abi;
	if (ev->abi->index == *abi)
		return;
	*abi = ev->base.abi = ev->abi->index;
	if (!(s->o->quiet & QUIET_PERSONALITY))
		personality_event(s, tcb);
}

static bool is_selected(const struct session *s, const struct tcb *tcb)
{
	const struct syscall_event *ev = tcb->syscall;

	return ev->abi && filter_wants(&s->o->filter, ev->abi, ev->set_nr) &&
	       filter_enter(&s->o->filter, tcb->memory, tcb->facts, ev, &tcb->session->memory_seen);
}

/*
 * Tampers with a call at its entry. Returns the delay in nanoseconds after which the thread must be
 * resumed.
 */
static uint64_t tamper(struct session *s, struct tcb *tcb)
{
	uint64_t delay = tamper_enter(s->tamper, tcb);

	/*
	 * Show the arguments that the kernel will see. Memory that has already been read for path
	 * filtering (-P) is not read again.
	 */
	if (tamper_poked(tcb)) {
		record_poked(s, tcb);
		if (!tcb->session->hidden && !tcb->session->memory_seen)
			syscall_decode_enter(tcb, &s->decode);
	}
	return delay;
}

/*
 * Records the stack of a call that is not shown. Keeps the stack of io_uring_enter(), because the
 * requests that it submits have the same stack.
 */
static void record_hidden(struct session *s, struct tcb *tcb, bool first_execve)
{
	struct stack *stack;

	if (!s->recorder || !s->unwinder || first_execve)
		return;
	stack = record_stack_syscall(s, tcb, false);
	if (s->requests && tcb->syscall->row == ROW_io_uring_enter)
		tcb->syscall->base.stack = stack;
	else
		stack_release(stack);
}

/* Returns true if the call that tcb enters may create a thread that must be traced. */
static bool must_follow(const struct session *s, const struct tcb *tcb)
{
	const int row = tcb->syscall->row;

	return unlikely(row == ROW_clone || row == ROW_clone3) && s->o->capture.follow &&
	       s->capture->capabilities & CAPTURE_TAMPER;
}

/*
 * Decodes the entry of a call, and hides the call if it cannot match --where. If this cannot be
 * decided before the exit, sets *open to true.
 */
static void decode_enter(struct session *s, struct tcb *tcb, bool *open)
{
	struct syscall_event *ev = tcb->syscall;

	emit_time(s, &ev->base);
	emit_program(s, &ev->base, tcb);
	if (s->o->blocked_ns)
		blocked_enter(tcb);
	if (s->feed.wants & WANTS_CPU_TIMES)
		ev->cpu_ns = tcb->cpu_us * 1000;
	syscall_decode_enter(tcb, &s->decode);
	tcb->session->hidden |= !matches_enter(s, ev, open);
	if (s->wakes && watch_was_decoded(s, ev))
		wakes_enter(s->wakes, &tcb->session->wake, ev);
}

/*
 * Captures the stack of a call. Does nothing if stacks are needed only for --fail-on and --stop-on,
 * and these options do not check the call.
 */
static void capture_stack(struct session *s, struct tcb *tcb, bool watched)
{
	if (watched || s->recorder || !s->o->watch_stacks_only)
		tcb->syscall->base.stack = record_stack_syscall(s, tcb, false);
}

uint64_t on_syscall_enter(struct session *s, struct tcb *tcb)
{
	uint64_t delay = 0;
	struct syscall_event *ev;
	enum mm_change change;
	/*
	 * `first_execve` is true between fork and execve, while the child runs tracer's code and
	 * not the command.
	 */
	bool first_execve = tcb->flags & TCB_WAIT_EXECVE, open = false, filtered, watched;
	struct thread *t = thread_begins_call(tcb);

	if (unlikely(t->waker_stack || t->ended_stack))
		wakeups_forget(tcb);
	if (s->feed.wants & WANTS_TGID)
		tcb_tgid(tcb);
	ev = syscall_begin(tcb, s->rows);
	t->untraced.state = must_follow(s, tcb) ? UNTRACED_PENDING : UNTRACED_NOT;
	change = mm_change_of(s, ev);
	t->hidden = first_execve && !event_is_execve(ev);
	if (t->hidden)
		return 0;
	if (change != MM_NONE)
		stacks_enter(tcb, change, ev->raw_args);
	abi_update(s, tcb, ev);
	filtered = !is_selected(s, tcb);
	watched = watch_wants(s, ev);
	t->hidden = filtered || s->o->record_only;
	if (!t->hidden || watched || (!filtered && s->o->conditions)) {
		decode_enter(s, tcb, &open);
		filtered |= t->hidden && !s->o->record_only;
	}
	/*
	 * Tamper only with calls that pass the filters, whether they are shown or only recorded.
	 * Never tamper with the execve that starts the command, because the command would not
	 * start.
	 */
	if (s->tamper && !filtered && !first_execve)
		delay = tamper(s, tcb);
	if (t->hidden && !watched) {
		record_hidden(s, tcb, first_execve);
		return delay;
	}
	/*
	 * A copy of tracer makes the first execve of the command, so the stack of that call is of
	 * no interest.
	 */
	if (s->unwinder && !first_execve)
		capture_stack(s, tcb, watched);
	if (!t->hidden) {
		resume_before_sinks(s, tcb);
		show_enter(s, tcb, open);
	}
	return delay;
}

/* Counts a call that was shown. Ends tracing if --syscall-limit has been reached. */
static void count_shown(struct session *s)
{
	if (++s->shown != s->o->syscall_limit)
		return;
	if (!(s->o->quiet & QUIET_ATTACH))
		msg("System call limit has been reached, detaching tracees");
	s->ended = s->discards_rest = true;
}

/*
 * Returns true if a call passes the filters that need its result. If there are no such filters,
 * every call passes.
 */
static bool passes(const struct session *s, const struct tcb *tcb)
{
	if (unlikely(s->holds) && !filter_exit(&s->o->filter, s->unwinder, tcb->syscall))
		return false;
	return matches_exit(s, tcb);
}

/* Passes a call that has ended to the sinks. */
static void show_exit(struct session *s, struct tcb *tcb, struct syscall_event *ev)
{
	/* Set the thread's id and name again, because an execve may have changed them. */
	emit_identify(s, &ev->base, tcb);
	if (ev->base.ret_kind != RET_NONE)
		resume_before_sinks(s, tcb);
	emit_call(s, ev, EVENT_SYSCALL);
	if (ev->base.ret_kind != RET_NONE)
		count_shown(s);
}

/*
 * Ends a call that has returned, or whose thread has ended. Returns the stack of the call, which
 * may be NULL. The caller releases the stack.
 */
static struct stack *syscall_close(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;
	struct stack *stack = ev->base.stack;

	emit_program(s, &ev->base, tcb);
	if (!tcb->session->hidden && passes(s, tcb))
		show_exit(s, tcb, ev);
	if (s->watch && watch_was_decoded(s, ev)) {
		emit_identify(s, &ev->base, tcb);
		watch_event(s, &ev->base);
	}
	ev->base.stack = NULL;
	syscall_finish(tcb);
	return stack;
}

/* Completes the event of a call that has returned, but does not pass the event to the sinks. */
static void complete(struct session *s, struct tcb *tcb, struct syscall_event *ev)
{
	emit_duration(s, ev);
	if (s->feed.wants & WANTS_CPU_TIMES) {
		const uint64_t now = tcb->cpu_us * 1000;

		ev->cpu_ns = now < ev->cpu_ns ? 0 : now - ev->cpu_ns;
	}
	syscall_decode_exit(tcb, &s->decode);
	if (unlikely(s->off_cpu))
		wakeups_divide_time(tcb, ev);
	if (s->wakes)
		wakeups_end_call(s, tcb, ev);
	/* The stacks of other calls were captured at their entry. */
	if (s->unwinder && !ev->base.stack && event_is_execve(ev))
		ev->base.stack = record_stack_syscall(s, tcb, !tcb->regs.is_error);
}

uint64_t on_syscall_exit(struct session *s, struct tcb *tcb, struct foreign tampered)
{
	struct syscall_event *ev = tcb->syscall;
	struct thread *t = thread_of(tcb);
	enum mm_change change;
	uint64_t delay = 0;

	if (unlikely(t->untraced.state))
		untraced_exit(tcb, &t->untraced);
	/*
	 * The entry was not seen: tracer attached during the call, or the call was made before the
	 * command's execve.
	 */
	if (!syscall_is_running(ev)) {
		record_tampered(s, tcb, foreign(NULL));
		return 0;
	}
	if (s->tamper && (!t->hidden || s->o->record_only))
		delay = tamper_exit(s->tamper, tcb);
	else if (unlikely(foreign_given(tampered)))
		ev->tampered = foreign_copy(&ev->arena, tampered);
	record_tampered(s, tcb, ev->tampered);
	syscall_end(tcb);
	comm_update(s, tcb, ev);
	change = mm_change_of(s, ev);
	if (change != MM_NONE)
		stacks_exit(tcb, change, ev->raw_args);
	if (!t->hidden || watch_was_decoded(s, ev))
		complete(s, tcb, ev);
	else if (s->recorder && s->unwinder && event_is_execve(ev))
		stack_release(record_stack_syscall(s, tcb, !tcb->regs.is_error));
	wakeups_keep_stack(s, tcb, syscall_close(s, tcb));
	return delay;
}

/*
 * Ends the thread's current call without a result. Returns the call's stack, or NULL if there is
 * none. The caller releases the stack.
 */
static struct stack *syscall_abandon(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;

	if (!syscall_is_running(ev))
		return NULL;
	ev->base.ret_kind = RET_NONE;
	if (!tcb->session->hidden || watch_was_decoded(s, ev)) {
		emit_duration(s, ev);
		syscall_decode_exit(tcb, &s->decode);
	}
	return syscall_close(s, tcb);
}

void on_unknown_exit(struct session *s, struct tcb *tcb)
{
	stack_release(syscall_abandon(s, tcb));
}

void on_exiting(struct session *s, struct tcb *tcb)
{
	struct stack *stack = syscall_abandon(s, tcb);

	if (stack)
		tcb->syscall->base.stack = stack;
	/*
	 * Read the command line again, because a program may have changed it, see setproctitle(3).
	 */
	command_read(s, tcb);
}

struct stack *last_stack(struct session *s, struct tcb *tcb)
{
	struct stack *stack = syscall_abandon(s, tcb);

	if (!stack && tcb->syscall) {
		stack = tcb->syscall->base.stack;
		tcb->syscall->base.stack = NULL;
	}
	return stack;
}

void enter_held(struct session *s, struct tcb *tcb)
{
	struct thread *t = tcb->session;

	if (!syscall_is_running(tcb->syscall) || t->hidden || t->entered ||
	    !filter_detached(&s->o->filter) || !matches_exit(s, tcb))
		return;
	t->entered = true;
	emit_call(s, tcb->syscall, EVENT_ENTER);
}
