/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decode/core/plan_types.h"
#include "select/filter.h"
#include "linux/arch/arch.h"
#include "cli/options.h"
#include "session/delays.h"
#include "session/feed.h"
#include "session/progress.h"
#include "cli/start.h"
#include "session/stacks.h"
#include "syscall.h"
#include "tamper/tamper.h"
#include "capture/capture.h"
#include "unwind.h"
#include "util/clock.h"
#include "util/msg.h"
#include "capture/proc/live.h"

/* One run. */
struct session {
	const struct options *o;
	struct decode_config decode; /* the options' one, with plans of ours */
	struct capture *capture;
	struct timespec time, mono; /* of the last stop, where the engine knows them */
	struct stacks *stacks;	    /* NULL: none are needed */
	struct unwinder *unwinder;  /* of stacks, for sinks and filters */
	struct tamper *tamper;	    /* NULL: nothing is injected */
	struct delays delays;
	struct feed feed;
	struct timespec blocked_at; /* when running calls are looked at next, for --blocked */
	uint64_t shown;		    /* syscalls, for --syscall-limit */
	pid_t command;		    /* started by us, 0 with -p alone */
	int status;		    /* of the command, as wait4() gave it */
	int interrupted;	    /* the signal that ended us, or 0 */
	struct progress progress;
	bool ended; /* stop tracing: detach and leave */
	int error;  /* a sink could not write: our status is 1 */
};

/* ---- events ---- */

static void sinks_flush(struct session *s)
{
	if (feed_flush(&s->feed) < 0) {
		s->error = 1;
		s->ended = true;
	}
}

/* Whose event it is: the thread as it is known now. */
static void identify(const struct session *s, struct event *e, struct tcb *tcb)
{
	if (s->feed.wants & WANTS_TGID)
		tcb_tgid(tcb);
	event_identify(e, tcb);
}

static void event_time(const struct session *s, struct event *e)
{
	if (!(s->feed.wants & WANTS_TIMES))
		return;
	e->time = s->time;
	e->mono = s->mono;
	if (s->capture->capabilities & CAPTURE_TIMES)
		return;
	clock_gettime(CLOCK_REALTIME, &e->time);
	clock_gettime(CLOCK_MONOTONIC, &e->mono);
}

/* A call has run for so long when it ends. */
static void event_duration(const struct session *s, struct syscall_event *ev)
{
	struct timespec now = s->mono;

	if (!(s->feed.wants & WANTS_TIMES))
		return;
	if (!(s->capture->capabilities & CAPTURE_TIMES))
		clock_gettime(CLOCK_MONOTONIC, &now);
	ev->duration = timespec_sub(now, ev->base.mono);
}

static void event_stamp(const struct session *s, struct event *e, struct tcb *tcb)
{
	identify(s, e, tcb);
	event_time(s, e);
}

static void process_event(struct session *s, struct tcb *tcb, enum process_kind kind, int code,
			  bool core_dumped, struct stack *stack)
{
	struct process_event e = {
		.kind = kind, .code = code, .core_dumped = core_dumped, .stack = stack};

	event_stamp(s, &e.base, tcb);
	FEED(&s->feed, process, &e);
}

/* The number of that event is the one known so far, which is the previous call's. */
static void personality_event(struct session *s, struct tcb *tcb)
{
	struct process_event e = {.kind = PROCESS_PERSONALITY, .code = tcb->abi};

	event_stamp(s, &e.base, tcb);
	e.base.nr = tcb->syscall->last_nr;
	FEED(&s->feed, process, &e);
}

/* The thread's name, as sinks other than text show it. */
static void comm_read(const struct session *s, struct tcb *tcb)
{
	/* Of one that has vanished the name known so far stays. */
	if (s->feed.wants & WANTS_COMM)
		fact_comm(tcb->facts, tcb->tid, tcb->comm);
}

/* ---- syscalls ---- */

static enum mm_change mm_change_of(const struct syscall_event *ev)
{
	return ev->row >= 0 ? syscall_desc_mm(&syscall_descs[ev->row]) : MM_NONE;
}

static bool is_execve(const struct syscall_event *ev)
{
	return ev->row >= 0 && syscall_descs[ev->row].flags & SYSCALL_F_EXECVE;
}

/*
 * What may have changed the thread's name ends. With -Y it counts as it does in strace 7.2: be it
 * that it failed, but not where the call that was shown before it did.
 */
static void comm_update(const struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	bool sets = is_execve(ev) || (ev->row == ROW_prctl && ev->raw_args[0] == PR_SET_NAME);

	if (sets && !(tcb->failed && s->feed.names_like_strace))
		comm_read(s, tcb);
	if (!ev->hidden)
		tcb->failed = tcb->regs.is_error;
}

static struct timespec cpu_time(const struct tcb *tcb)
{
	return (struct timespec){tcb->cpu_time.tv_sec, tcb->cpu_time.tv_usec * 1000};
}

/* The sinks are told of a call, unless filters want to see its result first. */
static void show_enter(struct session *s, struct syscall_event *ev)
{
	if (filter_holds(&s->o->filter)) {
		FEED(&s->feed, hold, ev);
	} else {
		ev->entered = true;
		FEED(&s->feed, enter, ev);
	}
}

/*
 * The thread was killed while it entered a call, and nobody knows which. It is shown whatever is
 * traced, as strace 7.2 does.
 */
static void on_unknown_enter(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = syscall_begin_unknown(tcb);

	ev->hidden = tcb->flags & TCB_WAIT_EXECVE;
	if (ev->hidden)
		return;
	event_stamp(s, &ev->base, tcb);
	show_enter(s, ev);
}

/* Nanoseconds by which the thread is to be resumed later. */
static uint64_t on_syscall_enter(struct session *s, struct tcb *tcb)
{
	uint64_t delay = 0;
	struct syscall_event *ev;
	enum mm_change change;
	bool first_execve = false;

	if (s->feed.wants & WANTS_TGID)
		tcb_tgid(tcb);
	ev = syscall_begin(tcb);
	change = mm_change_of(ev);
	/* What the child does between fork and execve is ours, not the command's. */
	if (tcb->flags & TCB_WAIT_EXECVE) {
		ev->hidden = !is_execve(ev);
		if (ev->hidden)
			return 0;
		first_execve = true;
	}
	if (s->unwinder && change != MM_NONE)
		stacks_enter(tcb, change, ev->raw_args);
	if (ev->abi && ev->abi->index != tcb->abi) {
		tcb->abi = ev->base.abi = ev->abi->index;
		if (!(s->o->quiet & QUIET_PERSONALITY)) {
			personality_event(s, tcb);
		}
	}
	ev->hidden = !ev->abi || !filter_wants(&s->o->filter, ev->abi, ev->set_nr) ||
		     !filter_enter(&s->o->filter, tcb, ev);
	if (ev->hidden)
		return 0;
	event_time(s, &ev->base);
	if (s->feed.wants & WANTS_CPU_TIMES)
		ev->stime = cpu_time(tcb);
	syscall_decode_enter(tcb, &s->decode);
	/*
	 * Only what is shown is tampered with. The execve that starts the command is ours: a
	 * tampered one would start nothing.
	 */
	if (s->tamper && !first_execve) {
		delay = tamper_enter(s->tamper, tcb);
		/* What the kernel will see is shown, unless -P has looked: then what it saw. */
		if (tamper_poked(tcb) && !ev->memory_seen)
			syscall_decode_enter(tcb, &s->decode);
	}
	/* The command's first execve is made by a copy of us: what follows it is what counts. */
	if (s->unwinder && !first_execve)
		ev->stack = stacks_capture_syscall(s->stacks, tcb, false);
	show_enter(s, ev);
	return delay;
}

/* The call ended, by its exit stop or with its thread. Its stack is the caller's to release. */
static struct stack *syscall_close(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;
	struct stack *stack = ev->stack;

	if (!ev->hidden && filter_exit(&s->o->filter, s->unwinder, ev)) {
		/* An execve may have given it another id, and another name. */
		identify(s, &ev->base, tcb);
		FEED(&s->feed, exit, ev);
		s->shown += ev->ret_kind != RET_NONE;
		if (s->o->syscall_limit && s->shown == s->o->syscall_limit) {
			if (!(s->o->quiet & QUIET_ATTACH))
				msg("System call limit has been reached, detaching tracees");
			s->ended = true;
		}
	}
	ev->stack = NULL;
	syscall_finish(tcb);
	return stack;
}

static uint64_t on_syscall_exit(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;
	enum mm_change change;
	uint64_t delay = 0;

	if (!ev || !ev->running) /* attached inside it, or before the command's execve */
		return 0;
	if (s->tamper && !ev->hidden)
		delay = tamper_exit(s->tamper, tcb);
	syscall_end(tcb);
	comm_update(s, tcb, ev);
	change = mm_change_of(ev);
	if (s->unwinder && change != MM_NONE)
		stacks_exit(tcb, change, ev->raw_args);
	if (!ev->hidden) {
		event_duration(s, ev);
		if (s->feed.wants & WANTS_CPU_TIMES)
			ev->stime = timespec_sub(cpu_time(tcb), ev->stime);
		syscall_decode_exit(tcb, &s->decode);
		if (s->unwinder && !ev->stack)
			ev->stack = stacks_capture_syscall(s->stacks, tcb,
							   is_execve(ev) && !tcb->regs.is_error);
	}
	stack_release(syscall_close(s, tcb));
	return delay;
}

/* ---- signals and processes ---- */

/* What a signal interrupts. NULL where that is not shown. */
static struct stack *signal_stack(struct session *s, struct tcb *tcb)
{
	return s->unwinder && s->o->text.stacks ? stacks_capture(s->stacks, tcb) : NULL;
}

static void on_signal(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct signal_event e = {.sig = stop->sig, .has_info = stop->has_info};
	struct arena arena = {0};

	if (tcb->flags & TCB_WAIT_EXECVE || !filter_signal(&s->o->filter, stop->sig))
		return;
	event_stamp(s, &e.base, tcb);
	if (stop->has_info) {
		e.info = stop->info;
		e.value = syscall_decode_siginfo(tcb, &s->decode, &arena, &stop->info);
	}
	e.stack = signal_stack(s, tcb);
	FEED(&s->feed, signal, &e);
	stack_release(e.stack);
	arena_reset(&arena);
}

static void on_group_stop(struct session *s, struct tcb *tcb, int sig)
{
	struct stack *stack;

	if (!filter_signal(&s->o->filter, sig))
		return;
	stack = signal_stack(s, tcb);
	process_event(s, tcb, PROCESS_STOPPED, sig, false, stack);
	stack_release(stack);
}

static void tcb_forget(struct session *s, struct tcb *tcb)
{
	struct event e = {0};

	identify(s, &e, tcb);
	FEED(&s->feed, thread_end, &e);
	if (s->stacks)
		stacks_forget(s->stacks, tcb);
	if (s->tamper)
		tamper_forget(s->tamper, tcb);
	syscall_forget(tcb);
	delays_forget(&s->delays, tcb);
}

/* The thread is gone, perhaps inside a call; the stack that led there ends its last line. */
static struct stack *syscall_abandon(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;

	if (!ev || !ev->running)
		return NULL;
	ev->ret_kind = RET_NONE;
	if (!ev->hidden) {
		event_duration(s, ev);
		syscall_decode_exit(tcb, &s->decode);
	}
	return syscall_close(s, tcb);
}

/* The call the thread is in will not return: it ends here, its stack with the thread's last line.
 */
static void on_exiting(struct session *s, struct tcb *tcb)
{
	struct stack *stack = syscall_abandon(s, tcb);

	if (stack)
		tcb->syscall->stack = stack;
}

/* The stack of the call that the thread ended in, or NULL; the caller's to release. */
static struct stack *last_stack(struct session *s, struct tcb *tcb)
{
	struct stack *stack = syscall_abandon(s, tcb);

	if (!stack && tcb->syscall) {
		stack = tcb->syscall->stack;
		tcb->syscall->stack = NULL;
	}
	return stack;
}

static void on_exited(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct stack *stack = last_stack(s, tcb);

	if (tcb->tid == s->command)
		s->status = stop->status;
	if (WIFEXITED(stop->status))
		process_event(s, tcb, PROCESS_EXITED, WEXITSTATUS(stop->status), false, stack);
	else if (filter_signal(&s->o->filter, WTERMSIG(stop->status)))
		process_event(s, tcb, PROCESS_KILLED, WTERMSIG(stop->status),
			      WCOREDUMP(stop->status), stack);
	stack_release(stack);
	tcb_forget(s, tcb);
}

/* A call that was held back is left by its thread: with status=detached that shows it. */
static void enter_held(struct session *s, struct syscall_event *ev)
{
	if (!ev || !ev->running || ev->hidden || ev->entered || !filter_detached(&s->o->filter))
		return;
	ev->entered = true;
	FEED(&s->feed, enter, ev);
}

/* The thread that takes tcb's place called execve as stop->pid: the line begins as its own. */
static void on_superseded(struct session *s, struct tcb *tcb, const struct stop *stop,
			  struct stack *stack)
{
	struct process_event e = {.kind = PROCESS_SUPERSEDED, .code = stop->pid, .stack = stack};
	struct tcb *heir = capture_find(s->capture, tcb->tid);

	event_stamp(s, &e.base, tcb);
	if (heir) {
		enter_held(s, heir->syscall);
		e.base.nr = heir->regs.nr;
		e.base.ip = heir->regs.ip;
	}
	FEED(&s->feed, process, &e);
}

static void on_vanished(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct stack *stack = last_stack(s, tcb);

	if (stop->pid)
		on_superseded(s, tcb, stop, stack);
	stack_release(stack);
	tcb_forget(s, tcb);
}

static void thread_begin(struct session *s, struct tcb *tcb)
{
	struct event e = {0};

	identify(s, &e, tcb);
	FEED(&s->feed, thread_begin, &e);
}

static void on_new(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	if (s->stacks)
		stacks_attach(s->stacks, tcb);
	comm_read(s, tcb);
	thread_begin(s, tcb);
	if (tcb->flags & TCB_ATTACHED)
		process_event(s, tcb, PROCESS_ATTACHED, 0, false, NULL);
	if (stop->in_syscall) { /* it goes on as a new entry; restart_syscall names what it was */
		syscall_begin(tcb);
		syscall_finish(tcb);
	}
	if (!(tcb->flags & (TCB_STARTED | TCB_ATTACHED)) && !(s->o->quiet & QUIET_ATTACH)) {
		progress_clear(&s->progress);
		msg("Process %d attached", tcb->tid);
	}
}

/* It was the thread from of its process, and is its leader by now. */
static void thread_moved(struct session *s, struct tcb *tcb, pid_t from)
{
	struct event e = {0};

	identify(s, &e, tcb);
	FEED(&s->feed, thread_moved, &e, from);
}

static void on_lost(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct lost_event e = {.count = stop->lost, .cause = stop->cause};

	if (tcb)
		identify(s, &e.base, tcb);
	event_time(s, &e.base);
	FEED(&s->feed, lost, &e);
}

/* Lets a thread run on untraced. */
static void detach(struct session *s, struct tcb *tcb)
{
	if (capture_detach(tcb) == 0 && !(s->o->quiet & QUIET_ATTACH))
		msg("Process %d detached", tcb->tid);
	enter_held(s, tcb->syscall);
	process_event(s, tcb, PROCESS_DETACHED, 0, false, NULL);
	if (tcb->syscall && tcb->syscall->running) {
		stack_release(tcb->syscall->stack);
		syscall_finish(tcb);
	}
	tcb_forget(s, tcb);
}

/* ---- the loop ---- */

static void on_stop(struct session *s, const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	uint64_t delay = 0;

	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		if (unlikely(stop->unknown))
			on_unknown_enter(s, tcb);
		else
			delay = on_syscall_enter(s, tcb);
		break;
	case STOP_SYSCALL_EXIT:
		delay = on_syscall_exit(s, tcb);
		break;
	case STOP_SIGNAL:
		on_signal(s, tcb, stop);
		break;
	case STOP_GROUP:
		on_group_stop(s, tcb, stop->sig);
		break;
	case STOP_EXEC:
		if (stop->pid != tcb->tid)
			thread_moved(s, tcb, stop->pid);
		if (s->o->detach_on_execve && !(tcb->flags & TCB_WAIT_EXECVE)) {
			detach(s, tcb);
			return;
		}
		tcb->flags &= ~TCB_WAIT_EXECVE;
		if (s->o->format->wants & WANTS_COMM)
			comm_read(s, tcb);
		process_event(s, tcb, PROCESS_EXEC, stop->pid, false, NULL);
		if (s->stacks)
			stacks_exec(s->stacks, tcb);
		break;
	case STOP_FORK:
		if (stop->child)
			stop->child->abi = tcb->abi;
		if (!(tcb->flags & TCB_WAIT_EXECVE))
			process_event(s, tcb, PROCESS_FORKED, stop->pid, false, NULL);
		if (s->stacks && stop->child)
			stacks_fork(s->stacks, tcb, stop->child, stop->child_shares_mm);
		break;
	case STOP_NEW:
		on_new(s, tcb, stop);
		break;
	case STOP_EXITING:
		on_exiting(s, tcb);
		break;
	case STOP_EXITED:
		on_exited(s, tcb, stop);
		return;
	case STOP_VANISHED:
		on_vanished(s, tcb, stop);
		return;
	case STOP_MAPPING:
		if (s->stacks)
			stacks_mapping(tcb, stop->addr, stop->length);
		break;
	case STOP_LOST:
		on_lost(s, tcb, stop);
		return;
	case STOP_TIMEOUT:
	case STOP_NONE:
		return;
	case STOP_SIGNALLED:
		s->ended = true;
		s->interrupted = stop->sig;
		return;
	}
	if (delay)
		delays_add(&s->delays, tcb, delay);
	else
		capture_resume(tcb);
}

/* Reports, once, each call that has been running for longer than --blocked. */
static void blocked_report(struct session *s)
{
	struct timespec now = clock_after(0);

	for (struct tcb *tcb = capture_next(s->capture, NULL, NEWEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, NEWEST_FIRST)) {
		struct syscall_event *ev = tcb->syscall;
		struct timespec age;

		if (!ev || !ev->running || ev->hidden || ev->blocked)
			continue;
		age = timespec_sub(now, ev->base.mono);
		if (timespec_ns(age) < s->o->blocked_ns)
			continue;
		ev->blocked = true;
		ev->duration = age;
		FEED(&s->feed, blocked, ev);
	}
}

/* When something must be done though no tracee stops; NULL: never. */
static const struct timespec *next_deadline(struct session *s, struct timespec *at)
{
	bool any = s->feed.dirty;

	*at = s->feed.flush_at;
	if (s->progress.path) {
		if (!any || timespec_before(s->progress.next, *at))
			*at = s->progress.next;
		any = true;
	}
	if (s->o->blocked_ns) {
		if (!any || timespec_before(s->blocked_at, *at))
			*at = s->blocked_at;
		any = true;
	}
	return delays_deadline(&s->delays, any, at) ? at : NULL;
}

static void loop(struct session *s)
{
	struct timespec deadline;
	struct stop stop;

	do {
		capture_wait(s->capture, &stop, next_deadline(s, &deadline));
		if (stop.kind == STOP_NONE)
			break;
		if (stop.kind == STOP_TIMEOUT) {
			if (s->feed.dirty && !timespec_before(clock_after(0), s->feed.flush_at))
				sinks_flush(s);
			delays_end(&s->delays);
		} else {
			if (s->capture->capabilities & CAPTURE_TIMES) {
				s->time = stop.time;
				s->mono = stop.mono;
			}
			on_stop(s, &stop);
		}
		if (s->progress.path && !timespec_before(clock_after(0), s->progress.next))
			progress_show(&s->progress, s->feed.events, capture_count(s->capture));
		/* A busy tracee leaves no time-outs: the clock is asked where it matters. */
		if (s->o->blocked_ns && !timespec_before(clock_after(0), s->blocked_at)) {
			blocked_report(s);
			s->blocked_at = clock_after(size_min(s->o->blocked_ns, 100000000));
		}
	} while (!s->ended);
}

/* ---- beginning and end ---- */

/* Lets go of what is still traced, and says so. */
static void session_detach(struct session *s)
{
	struct tcb *tcb, *next;

	/* They die with us, and nothing is said of that. */
	if (s->o->capture.kill_on_exit) {
		for (tcb = capture_next(s->capture, NULL, NEWEST_FIRST); tcb;
		     tcb = capture_next(s->capture, tcb, NEWEST_FIRST)) {
			process_event(s, tcb, PROCESS_LEFT, 0, false, NULL);
			tcb_forget(s, tcb);
		}
		return;
	}
	/* In the order in which wait4() would say that they have stopped. */
	capture_interrupt(s->capture);
	tcb = capture_find(s->capture, s->command);
	if (tcb) {
		/* An interrupt is meant for the command we started, too. */
		if (s->interrupted && !s->o->daemonize) {
			kill(tcb->tid, SIGCONT);
			kill(tcb->tid, s->interrupted);
		}
		detach(s, tcb);
	}
	for (tcb = capture_next(s->capture, NULL, NEWEST_FIRST); tcb; tcb = next) {
		next = capture_next(s->capture, tcb, NEWEST_FIRST);
		detach(s, tcb);
	}
}

/* Tells the sinks of all that are traced from the start, before any of them does a thing. */
static void sinks_start(struct session *s)
{
	for (struct tcb *tcb = capture_next(s->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, OLDEST_FIRST))
		thread_begin(s, tcb);
	feed_started(&s->feed);
}

/* The status to exit with; ends by the signal that ended the command. */
static int session_status(const struct session *s)
{
	int sig = s->interrupted;
	sigset_t set;

	if (s->error)
		return 1;
	if (!sig && WIFSIGNALED(s->status))
		sig = WTERMSIG(s->status);
	if (!sig)
		return WEXITSTATUS(s->status);
	/* One core file is enough. */
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(sig, SIG_DFL);
	/* It may have been blocked when we were started. */
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	return 128 + sig;
}

static struct session *dying;

/* die() while tracees are held: let them run on. */
static void last_rites(void)
{
	if (dying && dying->capture)
		capture_destroy(dying->capture);
}

int session_run(const struct options *o)
{
	struct capture_config capture = o->capture;
	struct procfs *procfs;
	struct sock_fprog program = {0};
	struct session s = {.o = o, .decode = o->decode};

	capture.procfs = procfs = procfs_open();
	capture.facts = live_facts_create(procfs);
	if (o->stacks) {
		s.stacks = stacks_create(&o->unwind, procfs, o->capture.follow);
		s.unwinder = stacks_unwinder(s.stacks);
	}
	if (!feed_open(&s.feed, o, s.unwinder))
		return 1;
	if (o->injections.n)
		s.tamper = tamper_create(o->injections.v, o->injections.n);
	capture.want_mm = s.unwinder;
	capture.want_ip = o->text.instruction_pointer;
	capture.quiet_attach = o->quiet & QUIET_ATTACH;
	if (o->seccomp_bpf && start_filter(o, &program))
		capture.seccomp = &program;
	s.capture = o->engine->create(&capture);
	s.decode.plans = plans_create();
	dying = &s;
	msg_set_last_rites(last_rites);

	if (!o->daemonize)
		start_attach(s.capture, o);
	if (o->argv)
		s.command = o->daemonize ? start_daemonized(s.capture, o)
					 : start_command(s.capture, o, &s.status);
	if (o->argv)
		start_leave_stdio();
	if (!capture_count(s.capture) && !o->argv)
		s.error = 1;
	sinks_start(&s);
	if (!(o->quiet & QUIET_ATTACH))
		progress_init(&s.progress, o->text.path, o->pids.n);
	loop(&s);

	progress_clear(&s.progress);
	session_detach(&s);
	dying = NULL;
	capture_destroy(s.capture);
	signal(SIGPIPE, SIG_IGN); /* the logs' last writes report it */
	free(program.filter);
	if (feed_close(&s.feed) < 0)
		s.error = 1;
	if (s.tamper)
		tamper_destroy(s.tamper);
	stacks_destroy(s.stacks);
	live_facts_destroy(capture.facts);
	procfs_close(procfs);
	plans_destroy(s.decode.plans);
	delays_deinit(&s.delays);
	return session_status(&s);
}
