/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/loop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "capture/capture.h"
#include "event/sched.h"
#include "linux/arch/abi.h"
#include "select/filter.h"
#include "session/blocked.h"
#include "session/counts.h"
#include "session/emit.h"
#include "session/live.h"
#include "session/lock_board.h"
#include "session/record.h"
#include "session/reported.h"
#include "session/requests.h"
#include "session/resume.h"
#include "session/signals.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/syscalls.h"
#include "session/thread.h"
#include "session/threads.h"
#include "session/wakeups.h"
#include "syscall.h"
#include "trace/play/trace.h"
#include "trace/record/recorder.h"
#include "unwind.h"
#include "util/clock.h"
#include "util/msg.h"

void loop_log_failed(struct session *s, int err)
{
	s->discards_rest = true;
	if (err != -EPIPE) {
		s->error = 1;
		s->ended = true;
	} else if (!s->o->text.path) {
		s->interrupted = SIGPIPE;
		s->ended = true;
	} else if (!s->o->argv) {
		s->ended = true;
	}
}

static void sinks_flush(struct session *s)
{
	int err = feed_flush(&s->feed);

	if (err < 0)
		loop_log_failed(s, err);
}

static void on_lost(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct arena arena = {0};
	struct lost_event e = {.base = {.kind = EVENT_LOST,
					.name = "lost",
					.nargs = 2,
					.args = {{.name = "count"}, {.name = "cause"}}},
			       .count = stop->lost,
			       .cause = stop->cause};

	if (s->discards_rest && s->o->syscall_limit) {
		s->discarded += stop->lost;
		return;
	}
	e.base.args[0].in = value_uint(&arena, stop->lost);
	e.base.args[1].in = value_foreign(&arena, stop->cause);
	if (tcb)
		emit_identify(s, &e.base, tcb);
	emit_time(s, &e.base);
	if (!stop->already_reported)
		s->lost += stop->lost;
	feed_event(&s->feed, &e.base);
	arena_reset(&arena);
}

/*
 * Handles an event from the engine's own sources. Takes the event's thread, time and stack from the
 * stop.
 */
static void on_event(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	struct event e = *stop->event;
	const bool shown =
		filter_source(&s->o->filter, e.source) && strcmp(e.name, SCHED_WAKING) != 0;

	e.kind = EVENT_OTHER;
	if (tcb && (s->wakes || s->off_cpu))
		wakeups_event(s, tcb, &e, stop->mono);
	if (stop->has_stack && s->unwinder && (shown || s->recorder))
		e.stack = record_stack(s, tcb);
	if (shown) {
		/* If the event has no stack, show the stack of the call in which it happened. */
		if (tcb && !e.stack && s->unwinder && syscall_is_running(tcb->syscall))
			e.stack = stack_share(tcb->syscall->base.stack);
		if (tcb)
			emit_identify(s, &e, tcb);
		emit_time(s, &e);
		/*
		 * The engine reports an event with a duration when the event ends, but an event
		 * contains the time at which it started. Therefore subtract the duration.
		 */
		if (e.has_duration) {
			e.time = timespec_sub(e.time, e.duration);
			e.mono = timespec_sub(e.mono, e.duration);
		}
		if (filter_event(&s->o->filter, s->unwinder, &e))
			feed_event(&s->feed, &e);
	}
	stack_release(e.stack);
}

/* Handles all stops except syscall stops. Returns true if the thread must be resumed. */
static attr_noinline bool on_other_stop(struct session *s, const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;

	switch (stop->kind) {
	case STOP_SIGNAL:
		on_signal(s, tcb, stop);
		return true;
	case STOP_GROUP:
		on_group_stop(s, tcb, stop->sig);
		return true;
	case STOP_EXEC:
		if (s->requests)
			requests_exec(s, tcb);
		return on_exec(s, tcb, stop);
	case STOP_FORK:
		on_fork(s, tcb, stop);
		return true;
	case STOP_NEW:
		on_new(s, tcb, stop);
		return true;
	case STOP_EXITING:
		if (s->requests)
			requests_exiting(s, tcb);
		on_exiting(s, tcb);
		return true;
	case STOP_EXITED:
		on_exited(s, tcb, stop);
		return false;
	case STOP_VANISHED:
		on_vanished(s, tcb, stop);
		return false;
	case STOP_MAPPING:
		if (s->stacks)
			stacks_mapping(tcb, stop->addr, stop->length);
		return true;
	case STOP_LOST:
		on_lost(s, tcb, stop);
		return false;
	case STOP_EVENT:
		on_event(s, tcb, stop);
		return false;
	case STOP_COUNTS:
		on_counts(s, stop->counts);
		return false;
	case STOP_REQUEST_SUBMITTED:
	case STOP_REQUEST_PUNTED:
	case STOP_REQUEST_COMPLETED:
		reported_stop(s, stop);
		return false;
	case STOP_SIGNALLED:
		if (stop->sig == SIGUSR1) {
			feed_write_kept(&s->feed, s->o->quiet & QUIET_EXIT, "SIGUSR1");
			record_write_kept(s, "SIGUSR1");
			return false;
		}
		/* After a second signal, buffered events are not shown any more. */
		s->discards_rest |= s->ended;
		s->ended = true;
		s->interrupted = stop->sig;
		return false;
	case STOP_SYSCALL_ENTER:
	case STOP_SYSCALL_EXIT:
	case STOP_TIMEOUT:
	case STOP_NONE:
		return false;
	}
	return false;
}

/*
 * Handles a stop. Returns true if the thread must be resumed. Sets *delay to the time in
 * nanoseconds after which it must be resumed.
 */
static bool handle_stop(struct session *s, const struct stop *stop, uint64_t *delay)
{
	struct tcb *tcb = stop->tcb;

	*delay = 0;
	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		if (unlikely(stop->unknown))
			on_unknown_enter(s, tcb);
		else
			*delay = on_syscall_enter(s, tcb);
		if (unlikely(s->requests) && !stop->unknown)
			requests_enter(s, tcb);
		return true;
	case STOP_SYSCALL_EXIT:
		if (unlikely(stop->unknown))
			on_unknown_exit(s, tcb);
		else
			*delay = on_syscall_exit(s, tcb, stop->tampered);
		if (unlikely(s->requests) && !stop->unknown)
			requests_exit(s, tcb);
		return true;
	default:
		return on_other_stop(s, stop);
	}
}

static void on_stop(struct session *s, struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	uint64_t delay;
	bool resumes;

	if (unlikely(s->recorder != NULL))
		record_stop(s, stop);
	resumes = handle_stop(s, stop, &delay);
	/*
	 * Record the stop before the thread is resumed. Otherwise, the thread would wait for the
	 * CPU that tracer uses to record, the scheduler would move the thread to another CPU, and
	 * each stop would take longer.
	 */
	if (unlikely(s->recorder != NULL))
		record_done(s, stop);
	if (!resumes)
		return;
	if (unlikely(delay))
		delays_add(&s->delays, tcb, delay);
	else
		resume_thread(tcb);
}

/* Returns the current time (CLOCK_MONOTONIC), or the time of the last stop when a trace is read. */
static struct timespec now_of(const struct session *s)
{
	return s->o->trace ? timespec_of(s->stop.mono) : clock_after(0);
}

/*
 * Returns the earliest time at which an action is due even if no tracee stops, or NULL if there is
 * none. *at is storage for the result.
 */
static const struct timespec *first_deadline(struct session *s, struct timespec *at)
{
	const struct timespec *flush = s->recorder ? recorder_deadline(s->recorder) : NULL;
	bool any = s->feed.dirty;

	*at = s->feed.flush_at;
	if (s->progress.path)
		timespec_lower(at, &any, s->progress.next);
	if (s->o->blocked_ns)
		timespec_lower(at, &any, s->blocked_at);
	if (s->locks)
		timespec_lower(at, &any, lock_watch_deadline(s->locks));
	if (s->live)
		timespec_lower(at, &any, live_watch_deadline(s->live));
	if (flush)
		timespec_lower(at, &any, *flush);
	if (s->o->stop_after_ns)
		timespec_lower(at, &any, s->stop_at);
	return delays_deadline(&s->delays, any, at) ? at : NULL;
}

/* Like first_deadline(), but faster if only the sinks or only the recorder have a deadline. */
static const struct timespec *next_deadline(struct session *s, struct timespec *at)
{
	if (unlikely(s->has_times) || (s->recorder && s->feed.dirty))
		return first_deadline(s, at);
	if (unlikely(s->recorder != NULL))
		return recorder_deadline(s->recorder);
	return s->feed.dirty ? &s->feed.flush_at : NULL;
}

/* Handles s->stop. After STOP_TIMEOUT, flushes the sinks and resumes delayed threads if due. */
static void step(struct session *s)
{
	struct stop *stop = &s->stop;

	if (stop->kind == STOP_TIMEOUT) {
		if (s->feed.dirty && !timespec_before(clock_after(0), s->feed.flush_at))
			sinks_flush(s);
		delays_end(&s->delays);
		record_flush(s);
		return;
	}
	on_stop(s, stop);
	if (unlikely(s->recorder != NULL))
		record_flush(s);
}

/* Returns the percentage of the traces that has been read, or -1 if it is unknown. */
static int percent_read(const struct session *s)
{
	uint64_t position = 0, size = 0;

	vec_for_each (&s->o->traces, t) {
		position += trace_position(*t);
		size += trace_size(*t);
	}
	return size ? (int)(position * 100 / size) : -1;
}

/*
 * Performs all actions whose deadline has passed, except those that step() performs. Must be called
 * at every stop if an action has a deadline: while tracees are busy, no wait lasts until its
 * deadline.
 */
static void handle_deadlines(struct session *s)
{
	if (s->progress.path && !timespec_before(clock_after(0), s->progress.next))
		progress_show(&s->progress, s->feed.events, capture_count(s->capture),
			      percent_read(s), feed_unwritten(&s->feed));
	if (s->o->blocked_ns && !timespec_before(now_of(s), s->blocked_at)) {
		blocked_report(s, now_of(s));
		s->blocked_at = timespec_add(
			now_of(s),
			(struct timespec){.tv_nsec = (long)size_min(s->o->blocked_ns, 100000000)});
	}
	if (s->locks)
		lock_watch_update(s->locks);
	if (s->live)
		live_watch_update(s->live);
	if (s->o->stop_after_ns && !timespec_before(clock_after(0), s->stop_at)) {
		if (!s->ended && !(s->o->quiet & QUIET_ATTACH))
			msg("--stop-after time reached, detaching");
		s->ended = true;
	}
}

/* Returns true if anything other than the sinks and the recorder may have a deadline. */
static bool has_times(const struct session *s)
{
	return s->progress.path || s->locks || s->live || s->o->blocked_ns || s->o->stop_after_ns ||
	       s->tamper; /* tampering can delay threads, and each delay has a deadline */
}

/*
 * When tracing ends, reports the events that the engine has buffered, or only counts them if
 * s->discards_rest is set.
 */
static void drain(struct session *s)
{
	bool drop = s->discards_rest;

	if (!capture_finish(s->capture, drop))
		return;
	for (;;) {
		capture_wait(s->capture, &s->stop, NULL);
		if (s->stop.kind == STOP_NONE)
			return;
		step(s);
		if (s->discards_rest && !drop)
			capture_finish(s->capture, drop = true);
	}
}

void loop_run(struct session *s)
{
	struct timespec deadline;

	if (s->o->stop_after_ns)
		s->stop_at = clock_after(s->o->stop_after_ns);
	if (s->o->lock_board)
		s->locks = lock_watch_create(s);
	if (s->o->live_ns)
		s->live = live_watch_create(s);
	s->has_times = has_times(s);
	do {
		capture_wait(s->capture, &s->stop, next_deadline(s, &deadline));
		if (s->stop.kind == STOP_NONE)
			break;
		/*
		 * For a trace, deadlines before the stop's time are handled before the stop is
		 * shown.
		 */
		if (s->has_times && s->o->trace)
			handle_deadlines(s);
		step(s);
		if (s->has_times && !s->o->trace)
			handle_deadlines(s);
	} while (!s->ended);
	lock_watch_destroy(s->locks);
	s->locks = NULL;
	live_watch_destroy(s->live);
	s->live = NULL;
	if (s->ended)
		drain(s);
}
