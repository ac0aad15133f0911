/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/live.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/proc/late_reader.h"
#include "capture/proc/proc.h"
#include "linux/arch/abi.h"
#include "select/filter.h"
#include "session/counts.h"
#include "session/current_memory.h"
#include "session/snapshot_waits.h"
#include "session/state.h"
#include "session/thread.h"
#include "sinks/live/board.h"
#include "sinks/live/live.h"
#include "sinks/text/text_snapshot.h"
#include "sinks/text/text_value.h"
#include "syscall.h"
#include "util/clock.h"
#include "util/escape.h"

/* Time in nanoseconds between two checks for threads that the view has begun to show. */
#define CHECK_NS 200000000

struct live_watch {
	struct session *session;
	struct late_reader reader;
	struct waits waits;
	struct decode_config decode;
	struct text_style style;
	int64_t interval;
	int64_t show_at, check_at; /* CLOCK_MONOTONIC in nanoseconds; check_at only with a board */
};

static int64_t now_ns(void)
{
	return (int64_t)timespec_ns(clock_after(0));
}

struct live_watch *live_watch_create(struct session *s)
{
	struct live_watch *w = mem_zalloc(sizeof(*w));

	w->session = s;
	late_reader_init(&w->reader, s->capture->procfs);
	w->waits.session = s;
	w->decode = s->decode;
	w->decode.fd_details |= FD_PATH | FD_SOCKET;
	w->style.config = &s->o->text;
	w->interval = (int64_t)s->o->live_ns;
	w->show_at = now_ns() + w->interval;
	w->check_at = s->o->live_board ? now_ns() + CHECK_NS : INT64_MAX;
	return w;
}

void live_watch_destroy(struct live_watch *w)
{
	if (!w)
		return;
	waits_deinit(&w->waits);
	late_reader_deinit(&w->reader);
	free(w);
}

struct timespec live_watch_deadline(const struct live_watch *w)
{
	return timespec_of(w->show_at < w->check_at ? w->show_at : w->check_at);
}

/* ---- running calls ---- */

/*
 * Passes each thread to the sink. If the engine has reported the entry of the thread's running
 * call, the sink receives the call, too.
 */
static void take_calls(struct session *s, int64_t now)
{
	for (struct tcb *tcb = capture_next(s->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, OLDEST_FIRST)) {
		const struct syscall_event *ev = tcb->syscall;
		struct live_running r = {.tid = tcb->tid, .tgid = tcb_tgid(tcb)};

		memcpy(r.comm, tcb->comm, sizeof(r.comm));
		if (syscall_is_running(ev) && !tcb->session->hidden && tcb->session->entered) {
			r.name = ev->base.name;
			r.abi = ev->abi ? ev->abi->index : 0;
			r.nr = ev->set_nr;
			r.for_ns = now - (int64_t)timespec_ns(ev->base.mono);
			if (r.for_ns < 0)
				r.for_ns = 0;
		}
		live_running(s->feed.live, &r);
	}
}

/*
 * Passes the running calls that the engine lists to the sink. If the engine does not count calls,
 * the list contains only calls that began before their threads were traced.
 */
static void take_listed(struct session *s, int64_t now)
{
	struct arena arena = {0};
	struct capture_running c;

	while (capture_next_running(s->capture, &c)) {
		struct live_running r = {
			.tid = c.tid, .tgid = c.tgid, .kernel = c.kernel, .waker = c.waker};

		if (!s->capture->counts_calls && !c.in_call && !c.kernel)
			continue;
		memcpy(r.comm, c.comm, sizeof(r.comm));
		if (c.in_call &&
		    filter_wants(&s->o->filter, &abis[c.abi], c.nr | abis[c.abi].nr_mask)) {
			const struct abi *abi = &abis[c.abi];

			r.old = c.old;
			r.abi = c.abi;
			r.nr = c.nr | abi->nr_mask;
			r.name = syscall_name(&arena, abi, r.nr, abi_row(abi, r.nr));
			r.for_ns = now > c.since ? now - c.since : 0;
		}
		live_running(s->feed.live, &r);
	}
	arena_reset(&arena);
}

/*
 * Passes the running calls to the sink, and then the counts of the calls that have ended. A call
 * that ends between these two steps is counted in both. Therefore the sink limits the time of each
 * thread to the length of the interval.
 */
static void take_all(struct session *s, int64_t now)
{
	struct capture_counts counts;

	if (!s->capture->counts_calls)
		take_calls(s, now);
	take_listed(s, now);
	while (capture_next_count(s->capture, &counts))
		on_counts(s, &counts);
}

/* ---- waits of threads ---- */

static void describe_call(struct live_watch *w, struct tcb *tcb, struct memory *memory,
			  struct live_wait *wait)
{
	attr_cleanup(strbuf_deinit) struct strbuf text = {0}, shown = {0};
	struct snapshot shot = {0};

	syscall_begin(tcb, w->session->rows);
	syscall_decode_enter(tcb, &w->decode);
	waits_find_holder(&w->waits, tcb, memory, &shot);
	wait->holder = shot.holder;
	wait->joined = shot.joined;
	syscall_assume_addresses(tcb, &w->decode);
	text_running_call(&text, &w->style, tcb->syscall);
	escape_start(&shown, strbuf_str(&text), sizeof(wait->text) - 1);
	memcpy(wait->text, shown.data, shown.len);
	syscall_forget(tcb);
}

/*
 * Sets *wait to a description of the wait of thread `tid`. If the thread has left its call, sets
 * only wait->tid.
 */
static void describe(void *ctx, pid_t tid, struct live_wait *wait)
{
	struct live_watch *w = ctx;
	struct session *s = w->session;
	struct tcb *tcb = capture_find(s->capture, tid), copy;
	struct current_memory memory = current_memory_of(&w->reader, tid);

	*wait = (struct live_wait){.tid = tid};
	if (!tcb)
		return;
	copy = *tcb;
	copy.memory = &memory.memory;
	copy.facts = s->facts;
	copy.syscall = NULL;
	copy.regs = (struct syscall_regs){0};
	if (!thread_state_call(s->capture->procfs, tid, &copy.regs))
		return;
	copy.regs.audit = abi_guess_audit(copy.regs.nr, copy.regs.sp);
	describe_call(w, &copy, &memory.memory, wait);
}

/*
 * Describes the waits of the threads that the view shows. If `again` is false, does nothing unless
 * the view has requested other threads since the last call.
 */
static void describe_wanted(struct live_watch *w, bool again)
{
	struct live_board *b = w->session->o->live_board;
	struct live_wait waits[LIVE_WAITS_MAX];
	pid_t tids[LIVE_WAITS_MAX];
	const size_t n = b ? live_board_wanted(b, again, tids) : 0;

	for (size_t i = 0; i < n; i++)
		describe(w, tids[i], &waits[i]);
	if (n)
		live_board_put_waits(b, waits, n);
}

void live_watch_update(struct live_watch *w)
{
	struct session *s = w->session;
	int64_t now = now_ns();

	if (now >= w->check_at) {
		describe_wanted(w, false);
		w->check_at = now + CHECK_NS;
	}
	if (now < w->show_at)
		return;
	take_all(s, now);
	live_publish(s->feed.live, now, describe, w);
	if (!s->feed.dirty)
		feed_dirtied(&s->feed);
	describe_wanted(w, true);
	waits_deinit(&w->waits);
	w->waits = (struct waits){.session = s};
	now = now_ns();
	/* If tracer was too slow, skip intervals. */
	w->show_at += w->interval;
	if (w->show_at <= now)
		w->show_at = now + w->interval;
}
