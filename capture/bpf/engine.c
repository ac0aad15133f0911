/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/bpf/engine_state.h"
#include "capture/bpf/order.h"
#include "capture/bpf/privilege.h"
#include "capture/own_signals.h"
#include "capture/proc/live_sources.h"
#include "capture/proc/procfs.h"
#include "capture/wants.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/msg.h"

/*
 * Durations of the sleep between two polls of the buffers, in microseconds. While events arrive, a
 * sleep lasts PAUSE_FIRST. If no events arrive, sleeps become longer, up to PAUSE_LAST. If very
 * many events arrive, sleeps also become longer, up to PAUSE_BUSY, because reading data that
 * another CPU has just written slows down both CPUs.
 */
#define PAUSE_FIRST 200
#define PAUSE_BUSY  2000
#define PAUSE_LAST  10000
/* The engine is busy if it reads at least one record every RECORD_US microseconds. */
#define RECORD_US 10
/* If the fill level of a buffer, in 256ths, is above this value, the engine does not sleep. */
#define FILL_MAX 32
/* Interval at which to check whether threads without events still exist, in nanoseconds. */
#define CHECK_NS NSEC_PER_SEC
/*
 * Maximum time for reading both clocks, in nanoseconds. If reading takes longer, the two values do
 * not belong to the same moment and are not used.
 */
#define CLOCKS_NS 2000
/* Default for the maximum number of stack bytes recorded per call. */
#define STACK_DEFAULT (32u << 10)

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return timespec_ns(t);
}

/*
 * Updates e->real, the difference between CLOCK_REALTIME and CLOCK_MONOTONIC, if it has changed by
 * more than CLOCKS_NS. Except for the first measurement, ignores a measurement that took longer
 * than CLOCKS_NS, because tracer was interrupted meanwhile.
 */
static void compare_clocks(struct bpf_engine *e, uint64_t mono)
{
	int64_t ahead = (int64_t)(now_ns(CLOCK_REALTIME) - mono);

	if (now_ns(CLOCK_MONOTONIC) - mono > CLOCKS_NS && e->real)
		return;
	if (llabs(ahead - e->real) > CLOCKS_NS)
		e->real = ahead;
}

/*
 * Reads the records that the kernel has written. Returns true if there were any. Otherwise, all
 * records from before e->settled have been returned.
 */
static bool refill(struct bpf_engine *e)
{
	const uint64_t mono = now_ns(CLOCK_MONOTONIC);
	bool any;

	e->settled = e->finished ? UINT64_MAX : kernel_settled(e->kernel, mono);
	compare_clocks(e, mono);
	any = order_refill(e->order, e->settled, 0);
	bpf_engine_read_mapped(e, mono);
	/* The buffers for mapping events must not fill up while there are no records. */
	if (!any && e->mmaps)
		bpf_engine_apply_mapped(e, e->settled);
	return any;
}

/* Reports the first stop of a thread that we started or attached to. */
static void report_new(struct bpf_engine *e, struct stop *stop)
{
	struct thread *t = e->threads.oldest;
	uint64_t mono;

	while (t && !(t->tcb.flags & TCB_UNREPORTED))
		t = t->newer;
	*stop = (struct stop){.kind = STOP_NEW, .tcb = &t->tcb};
	t->tcb.flags &= ~TCB_UNREPORTED;
	e->threads.nunreported--;
	mono = now_ns(CLOCK_MONOTONIC);
	/* Compare the clocks here, too. Otherwise they are compared only when records are read. */
	compare_clocks(e, mono);
	bpf_engine_stamp(e, stop, mono);
}

/*
 * Reports events that were missed because the kernel skipped a BPF program that was already running
 * on the same CPU.
 */
static bool report_misses(struct bpf_engine *e, struct stop *stop)
{
	const uint64_t misses = kernel_misses(e->kernel);

	if (misses <= e->missed)
		return false;
	stop->kind = STOP_LOST;
	stop->lost = misses - e->missed;
	stop->group = CAPTURE_GROUP_ANY;
	stop->cause = foreign(
		"at most this many, because the kernel skipped BPF programs, perhaps only for "
		"untraced threads");
	e->missed = misses;
	return true;
}

/*
 * Reports losses that occurred after the last record of a buffer. Other losses are reported
 * together with the next record of their buffer.
 */
static bool report_last_losses(struct bpf_engine *e, struct stop *stop)
{
	for (unsigned i = 0; i < kernel_buffers(e->kernel); i++) {
		const struct losses *l = kernel_losses(e->kernel, i);
		const struct reported_losses lost = {(uint32_t)l->calls, (uint32_t)l->results,
						     (uint32_t)kernel_lost_others(e->kernel, i),
						     (uint32_t)kernel_lost_ignored(e->kernel, i)};

		if (bpf_engine_report_lost(e, i, &lost, stop))
			return true;
	}
	return false;
}

static bool is_gone(struct bpf_engine *e, const struct thread *t)
{
	if (t->tcb.tid != e->command)
		return kill(t->tcb.tid, 0) < 0 && errno == ESRCH;
	if (!e->reaped)
		e->reaped = waitpid(e->command, &e->status, __WALL | WNOHANG) == e->command;
	return e->reaped;
}

/*
 * Returns true if a thread no longer exists although its end has not been reported. Sets t->gone_at
 * when this is found out.
 */
static bool is_missing(struct bpf_engine *e, struct thread *t)
{
	/*
	 * A leader that has ended still exists until the other threads of its process end. Such a
	 * leader is gone when `members` is 0.
	 */
	if (t->tcb.flags & TCB_ENDED ? t->members : !is_gone(e, t)) {
		t->gone_at = 0;
		return false;
	}
	if (!t->gone_at)
		t->gone_at = now_ns(CLOCK_MONOTONIC);
	return true;
}

/*
 * Reports the end of a thread whose exit record was lost. Must be called directly after refill()
 * has returned false. If no thread is missing, returns false, and the next check is one second
 * later. Also returns false before the next check is due.
 *
 * A record that is pending on a CPU delays newer records of all CPUs. The exit record of a thread
 * is lost only if all records from before `gone_at` have been read. Until then, returns false, and
 * the next call checks again.
 */
static bool report_missing(struct bpf_engine *e, struct stop *stop)
{
	bool delayed = false;

	if (timespec_before(clock_after(0), e->check_at))
		return false;
	for (struct thread *t = e->threads.oldest; t; t = t->newer) {
		if (!is_missing(e, t))
			continue;
		if (t->gone_at <= e->settled) {
			bpf_engine_report_gone(e, t, stop);
			return true;
		}
		delayed = true;
	}
	if (!delayed)
		e->check_at = clock_after(CHECK_NS);
	return false;
}

/* Chooses the length of the next sleep, based on the number of records since the last sleep. */
static void choose_pause(struct bpf_engine *e)
{
	if (!e->nreported)
		e->pause_us = size_min(e->pause_us * 2, PAUSE_LAST);
	else if (e->nreported < e->pause_us / RECORD_US)
		e->pause_us = PAUSE_FIRST;
	else
		e->pause_us = size_min(e->pause_us * 2, PAUSE_BUSY);
	e->nreported = 0;
}

static void sleep_for(struct bpf_engine *e, const struct timespec *deadline)
{
	struct timespec pause, now = clock_after(0);

	if (kernel_fill(e->kernel) > FILL_MAX)
		return;
	choose_pause(e);
	pause = (struct timespec){.tv_nsec = (long)e->pause_us * 1000};
	if (deadline && timespec_before(*deadline, timespec_add(now, pause)))
		pause = timespec_before(now, *deadline) ? timespec_sub(*deadline, now)
							: (struct timespec){0};
	if (e->pause_us == PAUSE_LAST)
		order_trim(e->order);
	nanosleep(&pause, NULL);
}

/* Reports the next event if one is available. Returns false if none is. */
static bool report_next(struct bpf_engine *e, struct stop *stop)
{
	for (;;) {
		if (e->record && bpf_engine_report(e, stop))
			return true;
		e->record = order_next(e->order, &e->record_size, &e->record_ring);
		if (!e->record)
			return false;
		e->nreported++;
		if (e->mmaps) {
			bpf_engine_apply_mapped(e, e->record->time);
			bpf_engine_keep_stack(e);
		}
	}
}

/*
 * Counts a record that is not reported. Does not count later records of a call or request, because
 * its first record is counted. Does not count context switches and wake-ups.
 */
static void drop_record(struct bpf_engine *e, const struct record *r)
{
	switch (r->kind) {
	case RECORD_ENTER:
	case RECORD_SUBMIT:
		e->dropped.calls++;
		break;
	case RECORD_LEAVE:
	case RECORD_RETURN:
	case RECORD_PUNT:
	case RECORD_COMPLETE:
	case RECORD_SWITCH:
	case RECORD_WAKING:
		break;
	default:
		e->dropped.others++;
	}
}

/* Counts all records that have not been reported yet. */
static void drop_records(struct bpf_engine *e)
{
	/*
	 * A fork or an exit may already have been reported by one of its stops, so its record is
	 * not counted.
	 */
	if (e->record && e->record->kind != RECORD_FORK && e->record->kind != RECORD_EXIT)
		drop_record(e, e->record);
	do {
		while ((e->record = order_next(e->order, &e->record_size, &e->record_ring)))
			drop_record(e, e->record);
	} while (refill(e));
}

static bool report_dropped(uint64_t *dropped, const char *cause, struct stop *stop)
{
	if (!*dropped)
		return false;
	stop->kind = STOP_LOST;
	stop->lost = *dropped;
	stop->group = CAPTURE_GROUP_ANY;
	stop->cause = foreign(cause);
	*dropped = 0;
	return true;
}

/*
 * Reports the next count of calls from the programs. Returns false if there are no more counts.
 */
static bool report_counts(struct bpf_engine *e, struct stop *stop)
{
	/* After the last count, kernel_next_count() would begin again. */
	if (!e->counts_calls || e->counts_reported)
		return false;
	if (!e->counted_running) {
		const int err = kernel_count_running(e->kernel);

		if (err)
			msg("calls that are still running are not counted: %s", strerror(-err));
		e->counted_running = true;
	}
	e->counts_reported = !kernel_next_count(e->kernel, &e->counts);
	if (e->counts_reported)
		return false;
	stop->kind = STOP_COUNTS;
	stop->counts = &e->counts;
	return true;
}

/*
 * Called repeatedly after the capture has ended and all records have been read. Sets *stop to the
 * next loss, count of calls, call from before tracing, or number of dropped records. If nothing is
 * left to report, stop->kind stays STOP_NONE.
 */
static void report_end_of_capture(struct bpf_engine *e, struct stop *stop)
{
	if (report_last_losses(e, stop) || report_counts(e, stop) ||
	    bpf_engine_report_old_call(e, (uint64_t)stop->mono, stop) ||
	    report_dropped(&e->dropped.calls, "tracing ended before they were reported", stop) ||
	    report_dropped(&e->dropped.others,
			   "tracing ended before they were reported (threads and signals)", stop))
		return;
	report_misses(e, stop);
}

/*
 * Ends the capture after the last thread has ended. Returns true if there are still records to
 * report.
 */
static bool end_capture(struct bpf_engine *e)
{
	kernel_detach(e->kernel);
	e->finished = true;
	return refill(e);
}

static void engine_finish(struct capture *c, bool drop)
{
	struct bpf_engine *e = bpf_engine_of(c);

	if (!e->finished) {
		if (!drop)
			bpf_engine_find_old_calls(e);
		kernel_finish(e->kernel);
	}
	e->finished = true;
	e->drop |= drop;
}

static void engine_wait(struct capture *c, struct stop *stop, const struct timespec *deadline)
{
	struct bpf_engine *e = bpf_engine_of(c);

	if (unlikely(e->threads.gone != NULL))
		threads_free_gone(&e->threads);
	for (;;) {
		if (unlikely(own_signals_pending())) {
			*stop = (struct stop){.kind = STOP_SIGNALLED, .sig = own_signals_take()};
			bpf_engine_stamp(e, stop, now_ns(CLOCK_MONOTONIC));
			if (stop->sig)
				return;
		}
		if (unlikely(e->drop))
			drop_records(e);
		else if (unlikely(e->threads.nunreported && !e->record)) {
			report_new(e, stop);
			return;
		}
		if (report_next(e, stop))
			return;
		if (refill(e))
			continue;
		*stop = (struct stop){.kind = STOP_NONE};
		bpf_engine_stamp(e, stop, now_ns(CLOCK_MONOTONIC));
		if (e->finished) {
			report_end_of_capture(e, stop);
			return;
		}
		if (report_last_losses(e, stop) || report_missing(e, stop))
			return;
		stop->kind = STOP_NONE;
		if (!e->threads.n && !e->config.ncgroups) {
			if (end_capture(e))
				continue;
			report_end_of_capture(e, stop);
			return;
		}
		stop->kind = STOP_TIMEOUT;
		if (deadline && !timespec_before(clock_after(0), *deadline))
			return;
		sleep_for(e, deadline);
	}
}

static bool engine_next_count(struct capture *c, struct capture_counts *counts)
{
	struct bpf_engine *e = bpf_engine_of(c);

	return e->counts_calls && kernel_next_count(e->kernel, counts);
}

/* Tracees are never stopped, so there is nothing to resume. */
static void engine_resume(struct tcb *tcb attr_unused)
{
}

static int engine_detach(struct tcb *tcb)
{
	struct bpf_engine *e = bpf_engine_of(tcb->capture);

	kernel_remove(e->kernel, tcb->tid, tcb->tgid);
	tcb->flags |= TCB_DETACHING;
	threads_drop(&e->threads, (struct thread *)tcb);
	return 0;
}

static void engine_interrupt(struct capture *c)
{
	kernel_detach(bpf_engine_of(c)->kernel);
}

static size_t engine_count(const struct capture *c)
{
	return bpf_engine_of(c)->threads.n;
}

static struct tcb *tcb_of(struct thread *t)
{
	return t ? &t->tcb : NULL;
}

static struct tcb *engine_find(const struct capture *c, pid_t tid)
{
	return tcb_of(threads_find(&bpf_engine_of(c)->threads, tid));
}

static struct tcb *engine_next(const struct capture *c, const struct tcb *prev,
			       enum capture_order order)
{
	const struct threads *s = &bpf_engine_of(c)->threads;
	const struct thread *t = (const struct thread *)prev;

	if (order == OLDEST_FIRST)
		return tcb_of(t ? t->newer : s->oldest);
	return tcb_of(t ? t->older : s->newest);
}

static pid_t engine_tgid(const struct tcb *tcb)
{
	const struct procfs *p = tcb->capture->procfs;

	return procfs_tgid(p, procfs_pid(p, tcb->tid));
}

static void engine_end(struct capture *c)
{
	struct bpf_engine *e = bpf_engine_of(c);

	if (e->ended)
		return;
	e->ended = true;
	kernel_detach(e->kernel);
	own_signals_restore();
}

static void engine_destroy(struct capture *c)
{
	struct bpf_engine *e = bpf_engine_of(c);

	engine_end(c);
	bpf_engine_close_stacks(e);
	threads_deinit(&e->threads);
	pid_levels_deinit(&e->pids);
	stream_facts_deinit(&e->facts);
	chunks_deinit(&e->memory);
	arena_reset(&e->event_arena);
	strbuf_deinit(&e->list);
	late_reader_deinit(&e->late);
	kernel_close(e->kernel);
	c->facts = e->live;
	live_sources_close(c);
	free(e->lost);
	free(e);
}

static const struct capture_ops ops = {
	.start = bpf_engine_start,
	.attach = bpf_engine_attach,
	.wait = engine_wait,
	.resume = engine_resume,
	.detach = engine_detach,
	.interrupt = engine_interrupt,
	.finish = engine_finish,
	.count = engine_count,
	.find = engine_find,
	.next = engine_next,
	.tgid = engine_tgid,
	.get_regs = bpf_engine_get_regs,
	.next_running = bpf_engine_next_running,
	.next_count = engine_next_count,
	.end = engine_end,
	.destroy = engine_destroy,
};

static uint32_t stack_size_of(const struct capture_config *config)
{
	const size_t size = config->stack_size ? config->stack_size : STACK_DEFAULT;

	return config->want_stacks ? (uint32_t)size_min(align_up(size, 4096), KERNEL_STACK_MAX) : 0;
}

/*
 * If control groups are traced, attaches the programs at once, because a group may be empty now and
 * processes may join it later. On failure, prints a message and returns false.
 */
static bool attach_for_groups(struct bpf_engine *e)
{
	int err = e->config.ncgroups ? kernel_attach(e->kernel) : 0;

	if (err)
		privilege_explain(-err, "program at its tracepoint");
	return !err;
}

struct capture *bpf_engine_create(const struct capture_config *config)
{
	const struct kernel_config kernel_config = {.buffer_size = config->buffer_size,
						    .stack_size = stack_size_of(config),
						    .cgroups = config->cgroups,
						    .ncgroups = config->ncgroups,
						    .wants = config->wants};
	struct kernel *kernel = kernel_open(&kernel_config);
	struct bpf_engine *e;

	if (!kernel)
		return NULL;
	e = mem_zalloc(sizeof(*e));
	e->capture = (struct capture){.ops = &ops,
				      .name = "bpf",
				      .capabilities = BPF_ENGINE_CAPABILITIES,
				      .reports_requests = true,
				      .reports_sched = kernel_reports_sched(kernel)};
	e->config = *config;
	e->kernel = kernel;
	e->order = kernel_order(kernel);
	e->lost = mem_zalloc(kernel_buffers(kernel) * sizeof(*e->lost));
	e->lists_running = config->wants->running;
	e->counts_calls = e->capture.counts_calls = config->wants->counts;
	if (getrandom(&e->ring_key, sizeof(e->ring_key), 0) < 0)
		e->ring_key = 0;
	e->pause_us = PAUSE_FIRST;
	e->check_at = clock_after(CHECK_NS);
	chunks_init(&e->memory);
	live_sources_open(&e->capture, config->want_stacks);
	late_reader_init(&e->late, e->capture.procfs);
	e->live = e->capture.facts;
	stream_facts_init(&e->facts, e->live, &e->threads, &e->pids, e->capture.procfs,
			  config->wants->fds);
	e->capture.facts = &e->facts.facts;
	if ((config->want_stacks && !bpf_engine_open_stacks(e)) || !attach_for_groups(e)) {
		e->ended = true;
		engine_destroy(&e->capture);
		return NULL;
	}
	own_signals_install(config->interruptible, config->want_requests);
	return &e->capture;
}
