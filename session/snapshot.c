/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "linux/arch/abi.h"
#include "session/emit.h"
#include "session/resume.h"
#include "session/snapshot_waits.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/threads.h"
#include "syscall.h"
#include "util/clock.h"
#include "util/vec.h"

/*
 * Maximum time in nanoseconds to wait for the next thread that stops, and maximum number of waits
 * that may end without a stop.
 */
#define PATIENCE_NS 20000000
#define PATIENCE    500

/* The errno of an interrupted call: ERESTARTSYS from include/linux/errno.h. */
#define INTERRUPTED 512

typedef VEC(struct tcb *) tcb_vec;

/*
 * Begins the event of a thread that has stopped. If the stop did not interrupt a call, the thread
 * was running.
 */
static void on_stopped(struct session *s, struct tcb *tcb, bool in_syscall)
{
	if (s->stacks)
		stacks_attach(s->stacks, tcb);
	/*
	 * If tracer has attached to the thread, the name was read at that time. Otherwise, read it
	 * now.
	 */
	if (!*tcb->comm)
		comm_read(s, tcb);
	begin_interrupted(s, tcb);
	if (!in_syscall)
		syscall_finish(tcb);
	thread_of(tcb)->hidden = true; /* do not show the call before it is decoded */
}

/*
 * Returns true if no more threads will stop, because each thread that has not stopped is in
 * uninterruptible sleep or is about to end.
 */
static bool others_cannot_stop(struct session *s)
{
	for (struct tcb *tcb = capture_next(s->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, OLDEST_FIRST)) {
		if (tcb->syscall)
			continue;
		capture_inspect(tcb);
		if (tcb->state && !strchr("DZX", tcb->state))
			return false;
	}
	return true;
}

/*
 * Waits until each thread has stopped or cannot be stopped, or until PATIENCE is exhausted. Returns
 * false if tracer must end.
 */
static bool stop_all(struct session *s)
{
	unsigned stopped = 0, patience = PATIENCE;
	struct timespec deadline;
	struct stop stop;

	while (stopped < capture_count(s->capture) && patience) {
		deadline = clock_after(PATIENCE_NS);
		capture_wait(s->capture, &stop, &deadline);
		switch (stop.kind) {
		case STOP_NEW:
			on_stopped(s, stop.tcb, stop.in_syscall);
			stopped++;
			break;
		case STOP_EXITED:
		case STOP_VANISHED:
			stopped -= stop.tcb->syscall != NULL;
			thread_forget(s, stop.tcb);
			break;
		case STOP_TIMEOUT:
			if (others_cannot_stop(s))
				return true;
			patience--;
			break;
		case STOP_SIGNALLED:
			s->interrupted = stop.sig;
			return false;
		case STOP_NONE:
			return true;
		default: /* The thread was killed in the meantime. Resume it, so that the next stop
			    reports its end. */
			resume_thread(stop.tcb);
			break;
		}
	}
	return true;
}

static int by_process(const void *a, const void *b)
{
	struct tcb *const *x = a, *const *y = b;
	const pid_t p = tcb_tgid(*x), q = tcb_tgid(*y);

	return p != q ? (p > q) - (p < q) : ((*x)->tid > (*y)->tid) - ((*x)->tid < (*y)->tid);
}

/*
 * Returns true if the thread must be shown. If the options select calls, threads outside of calls
 * are not shown.
 */
static bool is_wanted(const struct session *s, const struct tcb *tcb, bool in_call)
{
	const struct filter *f = &s->o->filter;
	struct syscall_event *ev = tcb->syscall;
	bool memory_seen = false;

	if (!in_call)
		return !f->trace.named && syscall_set_is_full(&f->trace) && !f->fds &&
		       !filter_by_path(f);
	return ev->abi && filter_wants(f, ev->abi, ev->set_nr) &&
	       filter_enter(f, tcb->memory, tcb->facts, ev, &memory_seen);
}

/*
 * Decodes the entry and the exit of the call as if it had been interrupted, so that all arguments
 * are shown.
 */
static void decode(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;

	syscall_decode_enter(tcb, &s->decode);
	tcb->regs.ret = -INTERRUPTED;
	tcb->regs.is_error = true;
	syscall_end(tcb);
	syscall_decode_exit(tcb, &s->decode);
	if (tcb->asleep >= 0)
		ev->base.duration =
			(struct timespec){tcb->asleep / NSEC_PER_SEC, tcb->asleep % NSEC_PER_SEC};
}

/* Collects the data about one thread while all threads are stopped: its event and its snapshot. */
static void examine(struct session *s, struct tcb *tcb, struct snapshot *shot, struct waits *waits)
{
	bool stopped = tcb->syscall != NULL;
	struct syscall_event *ev;

	if (stopped) {
		shot->in_call = syscall_is_running(tcb->syscall);
	} else {
		shot->in_call = capture_inspect(tcb);
		shot->unstoppable = tcb->state == 'D';
		syscall_begin(tcb, s->rows);
	}
	ev = tcb->syscall;
	ev->snapshot = shot;
	shot->state = tcb->state;
	shot->knows_asleep = tcb->asleep >= 0;
	thread_of(tcb)->hidden = !is_wanted(s, tcb, shot->in_call);
	if (tcb->session->hidden)
		return;
	emit_stamp(s, &ev->base, tcb);
	shot->command = waits_command(waits, tcb);
	if (shot->in_call) {
		decode(s, tcb);
		waits_find(waits, tcb, shot);
	} else {
		ev->base.name = tcb->state == 'T' ? "stopped" : "running";
		ev->base.ret_kind = RET_RESTART;
	}
	if (s->stacks && stopped)
		ev->base.stack = stacks_capture(s->stacks, tcb);
}

static void detach_all(tcb_vec *all)
{
	vec_for_each (all, tcb)
		capture_detach(*tcb);
}

static void show(struct session *s, const struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;
	bool open;

	if (!tcb->session->hidden && filter_exit(&s->o->filter, s->unwinder, ev) &&
	    (!s->o->filter.where || filter_where(&s->o->filter, s->unwinder, ev, true, &open)))
		emit_call(s, ev, EVENT_SNAPSHOT);
}

void snapshot_run(struct session *s)
{
	struct snapshot *shots;
	struct waits waits = {.session = s};
	tcb_vec all = {0};

	if (!stop_all(s))
		return;
	for (struct tcb *tcb = capture_next(s->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, OLDEST_FIRST))
		*vec_push(&all) = tcb;
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_process);
	shots = mem_zalloc(all.n * sizeof(*shots) + 1);
	for (size_t i = 0; i < all.n; i++)
		examine(s, all.v[i], &shots[i], &waits);
	detach_all(&all);
	for (size_t i = 0; i < all.n; i++)
		show(s, all.v[i]);
	for (size_t i = 0; i < all.n; i++) {
		stack_release(all.v[i]->syscall->base.stack);
		thread_forget(s, all.v[i]);
	}
	waits_deinit(&waits);
	free(shots);
	vec_deinit(&all);
}
