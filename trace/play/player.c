/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/player.h"

#include <stdlib.h>

#include "trace/format/records.h"
#include "trace/play/player_state.h"
#include "trace/play/trace.h"
#include "unwind.h"

/* Approximate memory usage in bytes of each frame of a captured stack. */
#define FRAME_BYTES (sizeof(struct recorded_frame) + 64)

static struct player *player_of(const struct capture *c)
{
	return (struct player *)c;
}

/*
 * Updates the count of memory that higher layers use for the current call of the last reported
 * thread.
 */
static void count_call(struct player *p)
{
	const struct syscall_event *e = p->reported ? p->reported->tcb.syscall : NULL;
	size_t n = 0;

	if (e) /* after the call's end, its values are freed and the arena is empty */
		n = e->arena.total + (e->base.stack ? stack_size(e->base.stack) * FRAME_BYTES : 0);
	if (p->reported)
		played_threads_keep(&p->threads, p->reported, n);
	p->reported = NULL;
}

static void set_times(const struct player *p, struct stop *stop)
{
	stop->mono = trace_time(p->mono);
	stop->time = trace_time(p->mono + p->real);
}

/* Reports how many stops are missing because their block is damaged. */
static void report_lost(struct player *p, struct stop *stop)
{
	stop->kind = STOP_LOST;
	stop->lost = p->lost;
	stop->cause = foreign("a part of the trace is missing");
	stop->already_reported = true; /* trace_close() prints a message about the damage */
	p->lost = 0;
	/*
	 * A thread with TCB_WAIT_EXECVE is not shown before its first execve. That execve may be
	 * among the missing stops, so show all threads from now on.
	 */
	for (struct played_thread *t = p->threads.oldest; t; t = t->newer)
		t->tcb.flags &= ~TCB_WAIT_EXECVE;
}

/*
 * Handles an execve by a thread that is not the leader. The thread with the id p->record.stop.pid
 * takes over the id of the vanished leader `gone`, and runs a new program.
 */
static void inherit(struct player *p, const struct played_thread *gone)
{
	struct played_thread *heir = played_threads_find(&p->threads, p->record.stop.pid);

	if (!heir || heir == gone)
		return;
	played_threads_rekey(&p->threads, heir, gone->tcb.tid);
	heir->tcb.regs.ip = p->record.heir_ip;
	heir->tcb.regs.sp = p->record.heir_sp;
}

static void set_thread(const struct player *p, struct played_thread *t)
{
	t->tcb.regs = p->record.regs;
	if (p->record.has_cpu)
		t->tcb.cpu_us = t->state.cpu;
}

/* Updates the list of threads after a stop. */
static void follow(struct player *p, struct played_thread *t, struct stop *stop)
{
	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		t->tcb.flags |= TCB_IN_SYSCALL;
		break;
	case STOP_SYSCALL_EXIT:
		t->tcb.flags &= ~TCB_IN_SYSCALL;
		break;
	case STOP_NEW:
		t->begun = true;
		t->tcb.flags |= p->record.flags;
		t->tcb.tgid = p->record.tgid;
		break;
	case STOP_FORK:
		if (p->record.followed && stop->pid &&
		    !played_threads_find(&p->threads, stop->pid) &&
		    !played_threads_full(&p->threads))
			stop->child = &played_threads_add(&p->threads, stop->pid, 0)->tcb;
		break;
	case STOP_EXITED:
		if (t->tcb.tgid == t->tcb.tid)
			played_raw_exited(&p->raw, t->tcb.tgid);
		played_threads_drop(&p->threads, t);
		break;
	case STOP_VANISHED:
		played_threads_drop(&p->threads, t);
		inherit(p, t);
		break;
	default:
		break;
	}
}

/*
 * Called before a stop of thread t is reported. If the start of the thread or the return of its
 * last call was not recorded, sets *stop to the missing stop and returns true.
 */
static bool mend(struct player *p, struct played_thread *t, struct stop *stop)
{
	enum stop_kind kind = p->record.stop.kind;

	if (kind == STOP_SYSCALL_ENTER && t->tcb.flags & TCB_IN_SYSCALL) {
		stop->kind = STOP_SYSCALL_EXIT;
		stop->unknown = true;
		t->tcb.flags &= ~TCB_IN_SYSCALL;
		return true;
	}
	if (!t->begun && kind != STOP_NEW && kind != STOP_EXITED && kind != STOP_VANISHED) {
		stop->kind = STOP_NEW;
		t->begun = true;
		return true;
	}
	return false;
}

/*
 * If the stop in p->record is an execve that changes the id of its thread, returns this thread.
 * Otherwise returns NULL.
 */
static struct played_thread *exec_caller(const struct player *p)
{
	const struct stop *stop = &p->record.stop;

	return stop->kind == STOP_EXEC && stop->pid && stop->pid != p->tid
		       ? played_threads_find(&p->threads, stop->pid)
		       : NULL;
}

static void report(struct player *p, struct stop *stop)
{
	struct played_thread *t = player_stopped(p), *caller = exec_caller(p);

	if (caller && t) {
		/*
		 * The execve ended the leader of the process, but this was not recorded. Report the
		 * end of the leader first.
		 */
		stop->kind = STOP_VANISHED;
		stop->pid = caller->tcb.tid;
		stop->tcb = &t->tcb;
		played_threads_drop(&p->threads, t);
		played_threads_rekey(&p->threads, caller, p->tid);
		return;
	}
	if (caller) {
		played_threads_rekey(&p->threads, caller, p->tid);
		t = caller;
	}
	if (!t && p->tid && !played_threads_full(&p->threads))
		t = played_threads_add(&p->threads, p->tid, 0);
	stop->tcb = t ? &t->tcb : NULL;
	if (t && p->record.stop.kind != STOP_LOST && mend(p, t, stop))
		return;
	if (t && p->has_raw &&
	    played_raw_map_changed(&p->raw, t->tcb.tgid ? t->tcb.tgid : t->tcb.tid)) {
		stop->kind = STOP_MAPPING;
		stop->addr = 0;
		stop->length = UINT64_MAX;
		return;
	}
	p->held = false;
	*stop = p->record.stop;
	set_times(p, stop);
	stop->tcb = t ? &t->tcb : NULL;
	stop->cause = foreign(p->record.cause);
	if (player_is_request(stop)) {
		p->record.request.sqe = p->record.entry;
		stop->request = &p->record.request;
	}
	if (stop->kind == STOP_EVENT) {
		stop->event = &p->event;
		stop->has_stack = t && (p->stacks.at || p->raw.has);
	}
	if (*p->note && stop->kind == STOP_SYSCALL_EXIT)
		stop->tampered = foreign(p->note);
	if (!t || stop->kind == STOP_LOST)
		return;
	set_thread(p, t);
	follow(p, t, stop);
}

/* Applies the effects of an unreported stop, because later stops depend on these effects. */
static void pass(struct player *p)
{
	struct played_thread *t = player_stopped(p), *caller = exec_caller(p);
	struct stop stop = p->record.stop;

	if (caller && t)
		played_threads_drop(&p->threads, t);
	if (caller) {
		played_threads_rekey(&p->threads, caller, p->tid);
		t = caller;
	}
	p->held = false;
	if (t && stop.kind != STOP_LOST) {
		set_thread(p, t);
		follow(p, t, &stop);
		t->begun = false;
		if (stop.kind == STOP_EXEC)
			t->tcb.flags &= ~TCB_WAIT_EXECVE;
	}
	player_stop_over(p);
}

/* Returns true if the stop in p->record belongs to a thread that is not reported. */
static bool is_hidden(struct player *p)
{
	struct played_thread *t = exec_caller(p);

	if (!p->held || !p->tid || !p->config.nids)
		return false;
	if (!t)
		t = player_stopped(p);
	if (t && p->record.stop.kind == STOP_NEW)
		t->tcb.tgid = p->record.tgid;
	return t && !played_threads_chosen(&p->threads, t);
}

/*
 * Reads to the next stop of a requested thread in the requested time range. Returns false if there
 * is none.
 */
static bool read_wanted(struct player *p)
{
	while (player_read_on(p)) {
		int64_t now = trace_time(p->mono + p->real);

		if (now > p->config.to) {
			p->ended = true;
			p->held = false;
			p->lost = 0;
			p->in.p = p->in.end;
			return false;
		}
		/*
		 * Once reporting has begun, continue even if times go backwards, as they may in a
		 * damaged trace.
		 */
		p->reports |= p->config.early || now >= p->config.from;
		if (p->reports && !(is_hidden(p) && !p->lost))
			return true;
		if (!p->reports)
			p->lost = 0;
		if (p->held)
			pass(p);
		played_threads_free(&p->threads);
	}
	return false;
}

static void player_wait(struct capture *c, struct stop *stop,
			const struct timespec *deadline attr_unused)
{
	struct player *p = player_of(c);

	count_call(p);
	played_threads_free(&p->threads);
	stop_clear(stop);
	stop->kind = STOP_NONE;
	if (!p->held)
		player_stop_over(p);
	do {
		bool more = read_wanted(p);

		set_times(p, stop);
		if (!more)
			return;
		if (p->lost)
			report_lost(p, stop);
		else
			report(p, stop);
		/* Stops of a thread that could not be added are skipped. */
	} while (!stop->tcb && stop->kind != STOP_LOST && stop->kind != STOP_EVENT);
	if (stop->tcb && stop->kind != STOP_EXITED && stop->kind != STOP_VANISHED &&
	    stop->tcb != &p->nobody.tcb)
		p->reported = (struct played_thread *)stop->tcb;
}

static void player_resume(struct tcb *tcb)
{
	tcb->restart_signal = 0;
}

static int player_detach(struct tcb *tcb)
{
	tcb->flags |= TCB_DETACHING;
	player_of(tcb->capture)->reported = NULL;
	played_threads_drop(&player_of(tcb->capture)->threads, (struct played_thread *)tcb);
	return 0;
}

static void player_interrupt(struct capture *c attr_unused)
{
}

static size_t player_count(const struct capture *c)
{
	return player_of(c)->threads.count;
}

static struct tcb *player_find(const struct capture *c, pid_t tid)
{
	struct played_thread *t = played_threads_find(&player_of(c)->threads, tid);

	return t && played_threads_chosen(&player_of(c)->threads, t) ? &t->tcb : NULL;
}

static struct tcb *player_next(const struct capture *c, const struct tcb *prev,
			       enum capture_order order)
{
	const struct player *p = player_of(c);
	struct played_thread *t = (struct played_thread *)prev;

	do {
		if (order == NEWEST_FIRST)
			t = t ? t->older : p->threads.newest;
		else
			t = t ? t->newer : p->threads.oldest;
	} while (t && !played_threads_chosen(&p->threads, t));
	return t ? &t->tcb : NULL;
}

static pid_t player_tgid(const struct tcb *tcb attr_unused)
{
	return 0;
}

static const struct recorded_stack *player_stack(const struct tcb *tcb)
{
	return played_stacks_get(&player_of(tcb->capture)->stacks);
}

static int player_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	return played_raw_regs(&player_of(tcb->capture)->raw, regs);
}

/*
 * Frees the modules, because they refer to files of the unwinder. The unwinder is destroyed before
 * the engine.
 */
static void player_end(struct capture *c)
{
	played_raw_clear(&player_of(c)->raw);
	played_stacks_clear(&player_of(c)->stacks);
}

static void player_destroy(struct capture *c)
{
	struct player *p = player_of(c);

	player_end(c);
	played_threads_deinit(&p->threads);
	chunks_deinit(&p->memory);
	arena_reset(&p->made);
	fact_store_deinit(&p->facts.known);
	played_raw_deinit(&p->raw);
	played_stacks_deinit(&p->stacks);
	free(p);
}

uint64_t player_stops(const struct capture *c)
{
	return player_of(c)->stops - player_of(c)->held;
}

/*
 * The functions that both variants of the engine have: the one for recorded stacks and the one for
 * raw stacks.
 */
/* clang-format off */
#define PLAYER_OPS                                                                                 \
	.wait = player_wait, .resume = player_resume, .detach = player_detach,                     \
	.interrupt = player_interrupt, .count = player_count, .find = player_find,                 \
	.next = player_next, .tgid = player_tgid, .end = player_end, .destroy = player_destroy,    \
	.stack = player_stack
/* clang-format on */

static const struct capture_ops player_ops = {PLAYER_OPS};
static const struct capture_ops player_raw_ops = {PLAYER_OPS, .get_regs = player_get_regs};

/*
 * Starts reading shortly before config.from, so that earlier parts of the trace need not be read.
 */
static void begin_late(struct player *p)
{
	struct strbuf body = {0};
	struct block_header h;

	if (trace_seek(p->trace, p->config.from, &h, &body)) {
		played_threads_drop_all(&p->threads);
		played_threads_free(&p->threads);
		player_begin_at(p, &h, &body);
	}
	strbuf_deinit(&body);
}

/*
 * Restricts reading of the trace to the threads that are reported. The trace contains their ids as
 * recorded, without config.base.
 */
static void choose(struct player *p)
{
	VEC(pid_t) ids = {0};

	for (size_t i = 0; i < p->config.nids; i++)
		if (p->config.ids[i] > p->config.base)
			*vec_push(&ids) = p->config.ids[i] - p->config.base;
	if (p->config.nids)
		trace_choose(p->trace, ids.v, ids.n);
	vec_deinit(&ids);
}

struct capture *player_create(struct trace *t, const struct player_config *config)
{
	struct player *p = mem_zalloc(sizeof(*p));

	p->has_raw = meta_get_number(trace_meta(t), "raw-stacks", 0) != 0;
	p->capture =
		(struct capture){.ops = p->has_raw ? &player_raw_ops : &player_ops,
				 .name = "trace",
				 .capabilities = PLAYER_CAPABILITIES,
				 .address_mask = meta_get_number(trace_meta(t), "address-mask", 0)};
	p->capture.reports_sched = meta_get_number(trace_meta(t), "sched", 0);
	p->capture.reports_requests =
		meta_get_number(trace_meta(t), "io-uring", 0) == META_REQUESTS;
	p->trace = t;
	p->config = *config;
	played_facts_init(&p->facts, config->base);
	played_stacks_init(&p->stacks, config->sysroot);
	p->capture.files = &p->stacks.files;
	p->capture.facts = &p->facts.facts;
	chunks_init(&p->memory);
	played_raw_init(&p->raw, &p->memory.memory, &p->stacks);
	if (p->has_raw)
		p->capture.maps = &p->raw.maps;
	p->threads.ids = config->ids;
	p->threads.nids = config->nids;
	p->threads.like = (struct tcb){.capture = &p->capture,
				       .memory = p->has_raw ? &p->raw.memory : &p->memory.memory,
				       .facts = &p->facts.facts};
	/*
	 * Read the list of initial threads up to RECORD_STARTED. It is in the first block unless
	 * that block is damaged.
	 */
	if (!player_next_block(p))
		p->ended = true;
	while (p->in.p < p->in.end && *p->in.p == RECORD_BEGIN)
		player_take_record(p);
	choose(p);
	if (config->from > trace_began(t))
		begin_late(p);
	else
		player_skip_parts(p, true);
	return &p->capture;
}
