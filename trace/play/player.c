/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/player.h"

#include <stdlib.h>
#include <string.h>

#include "capture/chunks.h"
#include "trace/format/dirent_coding.h"
#include "trace/play/played_facts.h"
#include "trace/play/played_threads.h"
#include "trace/play/player_raw.h"
#include "trace/play/player_stacks.h"
#include "trace/format/records.h"
#include "trace/format/stops.h"
#include "trace/play/trace.h"
#include "event/event.h"
#include "unwind.h"
#include "util/clock.h"

/* Maximum number of memory chunks for one stop. A file with more chunks is damaged. */
#define CHUNKS_MAX 8192
/* Approximate memory usage in bytes of each frame of a captured stack. */
#define FRAME_BYTES (sizeof(struct recorded_frame) + 64)

struct player {
	struct capture capture; /* must be first, because a struct capture is converted to a struct
				   player */
	struct trace *trace;
	struct player_config config;
	/* The memory at the reported stop. Its bytes are in the block or in `made`. */
	struct chunks memory;
	struct arena made;
	struct played_facts facts;
	struct played_stacks stacks;
	bool has_raw; /* the trace has raw stacks, which are walked while it is read */
	struct played_raw raw;
	struct played_threads threads;
	struct cursor in;	     /* the part of the block that has not been read yet */
	struct block_header h;	     /* header of the block */
	uint64_t block;		     /* index of the block in the file */
	uint64_t mono;		     /* time of the last stop, in nanoseconds */
	uint64_t real;		     /* CLOCK_REALTIME minus CLOCK_MONOTONIC, in nanoseconds */
	uint64_t sequence;	     /* number of stops that were read or found missing */
	uint64_t stops;		     /* number of stop records that have been read */
	uint64_t addr;		     /* address in the previous memory record */
	struct played_thread nobody; /* the thread of a request whose own thread has ended */
	/* The thread of the stop that was reported last, or NULL if the thread is gone. */
	struct played_thread *reported;
	pid_t tid;		   /* thread to which the following records belong; 0 if none */
	char note[TRACE_NOTE_MAX]; /* description of how the call was tampered with, for the next
				      stop; or "" */
	bool held; /* `record` contains a stop that must be reported before reading continues */
	struct stop_record record;
	uint64_t lost; /* number of missing stops that have not been reported yet */
	bool reports;  /* the time config.from has been reached, so stops are reported */
	bool ended;    /* the trace has ended */
};

static struct player *player_of(const struct capture *c)
{
	return (struct player *)c;
}

/* -- memory ------------------------------------------------------------------------ */

/* Frees the memory and the other data of the reported stop. */
static void stop_is_over(struct player *p)
{
	chunks_clear(&p->memory);
	arena_reset(&p->made);
	p->addr = 0;
	p->note[0] = '\0';
	p->stacks.at = NULL;
	played_raw_next(&p->raw);
}

static void take_memory(struct player *p, struct cursor *in)
{
	p->addr += (uint64_t)take_signed(in);
	/* The end of the range must not overflow. */
	if (!in->bad && p->memory.known.n < CHUNKS_MAX && cursor_left(in) &&
	    p->addr <= UINT64_MAX - (cursor_left(in) - 1))
		chunks_add(&p->memory, p->addr, in->p, cursor_left(in));
}

static void take_dirents(struct player *p, struct cursor *in)
{
	const uint8_t *bytes;
	size_t n;

	p->addr += (uint64_t)take_signed(in);
	bytes = in->bad ? NULL : dirents_take(in, &p->made, TRACE_STOP_MAX, &n);
	if (bytes && p->memory.known.n < CHUNKS_MAX && p->addr <= UINT64_MAX - (n - 1))
		chunks_add(&p->memory, p->addr, bytes, n);
}

static void take_missing(struct player *p, struct cursor *in)
{
	uint64_t n, error;

	p->addr += (uint64_t)take_signed(in);
	n = cursor_uleb(in);
	error = cursor_uleb(in);
	if (!in->bad && p->memory.known.n < CHUNKS_MAX && n && p->addr <= UINT64_MAX - (n - 1) &&
	    error && error < 4096)
		chunks_add_error(&p->memory, p->addr, n, -(int)error);
}

/* -- records --------------------------------------------------------------------- */

/* Converts a thread id in the trace to the id that is reported: adds config.base. 0 stays 0. */
static pid_t shifted(const struct player *p, uint64_t tid)
{
	return tid && tid < INT32_MAX - (uint64_t)p->config.base ? p->config.base + (pid_t)tid : 0;
}

static void take_begin(struct player *p, struct cursor *in)
{
	struct begin_record b;
	struct played_thread *t;

	if (!begin_take(in, &b))
		return;
	b.tid = shifted(p, (uint64_t)b.tid);
	if (!b.tid || played_threads_find(&p->threads, b.tid) || played_threads_full(&p->threads))
		return;
	t = played_threads_add(&p->threads, b.tid, b.flags);
	t->tcb.tgid = shifted(p, (uint64_t)b.tgid);
}

/* Reads an IS record, which describes a thread that existed at the STATE block. */
static void take_is(struct player *p, struct cursor *in)
{
	struct is_record r;
	struct played_thread *t;
	pid_t tid;

	if (!is_take(in, &r))
		return;
	tid = shifted(p, (uint64_t)r.begin.tid);
	if (!tid || played_threads_find(&p->threads, tid) || played_threads_full(&p->threads))
		return;
	t = played_threads_add(&p->threads, tid, r.begin.flags);
	t->tcb.tgid = shifted(p, (uint64_t)r.begin.tgid);
	t->tcb.regs = r.regs;
	t->tcb.cpu_time =
		(struct timeval){(time_t)(r.cpu / 1000000), (suseconds_t)(r.cpu % 1000000)};
}

/* Returns the thread to which the following records belong, or NULL if there is none. */
static struct played_thread *current(const struct player *p)
{
	return p->tid ? played_threads_find(&p->threads, p->tid) : NULL;
}

/*
 * Returns true if the stop reports a request of an io_uring. The thread of a request may have
 * ended.
 */
static bool is_request(const struct stop *stop)
{
	return stop->kind == STOP_REQUEST_SUBMITTED || stop->kind == STOP_REQUEST_PUNTED ||
	       stop->kind == STOP_REQUEST_COMPLETED;
}

/* Returns the thread of the stop in p->record, or NULL. */
static struct played_thread *stopped(struct player *p)
{
	struct played_thread *t = current(p);

	if (t || !is_request(&p->record.stop))
		return t;
	p->nobody = (struct played_thread){.tcb = p->threads.like, .begun = true};
	p->nobody.tcb.tid = p->nobody.tcb.tgid = p->tid;
	return &p->nobody;
}

static const struct syscall_regs no_regs;

/* Parses a stop into p->record, where it stays until it is reported. */
static void take_stop(struct player *p, struct cursor *in, enum record_type type)
{
	struct played_thread *t = current(p);

	p->stops++;
	if (!t && p->tid && type < RECORD_SUBMITTED && !played_threads_full(&p->threads))
		t = played_threads_add(&p->threads, p->tid, 0);
	if (!t && type < RECORD_SUBMITTED && type != RECORD_LOST)
		return;
	p->held = stop_take(in, type, t ? &t->tcb.regs : &no_regs, t ? &t->state : NULL, p->block,
			    &p->record);
	played_raw_stop(&p->raw, type == RECORD_ENTER && p->held && !p->record.stop.unknown
					 ? &p->record.regs
					 : NULL);
	p->record.stop.pid = shifted(p, (uint64_t)p->record.stop.pid);
	p->record.tgid = shifted(p, (uint64_t)p->record.tgid);
	p->mono += p->record.ns;
	p->sequence++;
}

static void take_note(struct player *p, struct cursor *in)
{
	size_t n = size_min(cursor_left(in), sizeof(p->note) - 1);

	memcpy(p->note, in->p, n);
	p->note[n] = '\0';
}

static void take_raw(struct player *p, struct cursor *in)
{
	const struct played_thread *t = current(p);

	played_raw_stack(&p->raw, in, p->tid, t && t->tcb.tgid ? t->tcb.tgid : p->tid);
}

/*
 * Reads one record. Ignores any data after the known fields, because later versions may add fields.
 */
static void take_record(struct player *p)
{
	uint64_t type = cursor_uint(&p->in, 1);
	size_t n;
	const uint8_t *bytes = take_bytes(&p->in, &n);
	struct cursor in;

	if (!bytes)
		return;
	in = (struct cursor){.p = bytes, .end = bytes + n};
	switch (type) {
	case RECORD_THREAD:
		p->tid = shifted(p, cursor_uleb(&in));
		break;
	case RECORD_BEGIN:
		take_begin(p, &in);
		break;
	case RECORD_IS:
		take_is(p, &in);
		break;
	case RECORD_MEMORY:
		take_memory(p, &in);
		break;
	case RECORD_DIRENTS:
		take_dirents(p, &in);
		break;
	case RECORD_MISSING:
		take_missing(p, &in);
		break;
	case RECORD_FACT:
		played_facts_take(&p->facts, &in);
		break;
	case RECORD_FORGET:
		fact_store_clear(&p->facts.known);
		played_raw_clear(&p->raw);
		played_stacks_clear(&p->stacks);
		break;
	case RECORD_MODULE:
		played_stacks_module(&p->stacks, &in);
		break;
	case RECORD_STACK:
		played_stacks_stack(&p->stacks, &in);
		break;
	case RECORD_MAPS:
		played_raw_maps(&p->raw, &in);
		break;
	case RECORD_IMAGE:
		played_raw_image(&p->raw, &in);
		break;
	case RECORD_PERF_MAP:
		played_raw_perf_map(&p->raw, &in, p->config.base);
		break;
	case RECORD_CODE:
		played_raw_code(&p->raw, &in, p->config.base);
		break;
	case RECORD_RAW:
		take_raw(p, &in);
		break;
	case RECORD_TAMPERED:
		take_note(p, &in);
		break;
	case RECORD_AT:
		played_stacks_at(&p->stacks, &in);
		break;
	case RECORD_ENDED:
		p->mono += (uint64_t)take_signed(&in);
		break;
	default:
		if (record_is_stop(type))
			take_stop(p, &in, (enum record_type)type);
	}
}

/*
 * Reads the records of a STATE block, which has this header and body. After that, reading continues
 * after the block.
 */
static void begin_at(struct player *p, const struct block_header *h, const struct strbuf *body)
{
	p->in = (struct cursor){0};
	if (body->len)
		p->in = (struct cursor){.p = (const uint8_t *)body->data,
					.end = (const uint8_t *)body->data + body->len};
	while (p->in.p < p->in.end)
		take_record(p);
	p->in.p = p->in.end = NULL;
	/*
	 * Drop all data of the block that was not read completely, because the block's memory will
	 * be reused.
	 */
	stop_is_over(p);
	p->tid = 0;
	p->held = false;
	p->lost = 0;
	p->mono = h->first;
	p->sequence = h->sequence;
	p->ended = false;
}

/*
 * Skips parts of the trace that contain no stops of a thread to report. Must be called at the start
 * of a part.
 */
static void skip_parts(struct player *p, bool first)
{
	struct played_thread *t, *older;
	struct strbuf body = {0};
	struct block_header h;

	if (p->config.nids && trace_skip(p->trace, first, &h, &body)) {
		/* Other threads may have started and ended in the parts that were skipped. */
		for (t = p->threads.newest; t; t = older) {
			older = t->older;
			if (!played_threads_chosen(&p->threads, t))
				played_threads_drop(&p->threads, t);
		}
		begin_at(p, &h, &body);
	}
	strbuf_deinit(&body);
}

/* Reads the next block with events. Returns false if there is none. */
static bool next_block(struct player *p)
{
	const uint8_t *body;
	size_t n;

	do {
		if (!trace_next(p->trace, &p->h, &body, &n))
			return false;
		if (p->h.kind == BLOCK_NAMES)
			played_names_take(&p->stacks.names, body, n);
		if (p->h.kind == BLOCK_STATE)
			skip_parts(p, false);
	} while (p->h.kind != BLOCK_EVENTS);
	p->in = (struct cursor){.p = body, .end = body + n};
	p->mono = p->h.first;
	p->real = (uint64_t)p->h.real;
	p->tid = 0;
	played_raw_block(&p->raw);
	p->block++;
	if (p->h.sequence > p->sequence)
		p->lost = p->h.sequence - p->sequence;
	p->sequence = p->h.sequence;
	return true;
}

/* Returns the approximate size in bytes of all data from the trace that is in memory. */
static size_t kept(const struct player *p)
{
	return fact_store_size(&p->facts.known) + p->stacks.bytes +
	       played_names_size(&p->stacks.names) + played_raw_size(&p->raw) +
	       played_threads_size(&p->threads) + p->made.total;
}

/*
 * Adds the memory that the layers above use for the current call of the thread that was reported
 * last.
 */
static void count_call(struct player *p)
{
	const struct syscall_event *e = p->reported ? p->reported->tcb.syscall : NULL;
	size_t n = 0;

	if (e) /* the arena is empty after the call */
		n = e->arena.total + (e->base.stack ? stack_size(e->base.stack) * FRAME_BYTES : 0);
	if (p->reported)
		played_threads_keep(&p->threads, p->reported, n);
	p->reported = NULL;
}

/* Reads until there is a stop to report. Returns false if the trace ends before there is one. */
static bool read_on(struct player *p)
{
	while (!p->held && !p->lost) {
		if (unlikely(kept(p) > TRACE_KEPT_MAX)) {
			trace_give_up(p->trace);
			p->ended = true;
			p->in.p = p->in.end;
		}
		if (p->in.p < p->in.end) {
			take_record(p);
			continue;
		}
		if (p->ended || !next_block(p)) {
			p->ended = true;
			return false;
		}
	}
	return true;
}

/* -- reporting -------------------------------------------------------------------- */

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
	 * A thread with TCB_WAIT_EXECVE is not shown before its first execve. The missing stops may
	 * include that execve, so show all threads from now on.
	 */
	for (struct played_thread *t = p->threads.oldest; t; t = t->newer)
		t->tcb.flags &= ~TCB_WAIT_EXECVE;
}

/*
 * Handles an execve by a thread that is not the leader: the thread record.stop.pid takes over the
 * id of the vanished thread and runs a new program.
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
		t->tcb.cpu_time = (struct timeval){(time_t)(t->state.cpu / 1000000),
						   (suseconds_t)(t->state.cpu % 1000000)};
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
 * If records are missing, a thread may appear without its start, or may enter a second call before
 * the first call returns. In that case, sets *stop to the missing start or return, and returns
 * true.
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
 * If this stop is an execve by which a thread changes its id, returns that thread, otherwise NULL.
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
	struct played_thread *t = stopped(p), *caller = exec_caller(p);

	if (caller && t) {
		/*
		 * The execve ended the leader of the process, but the leader's end was not
		 * recorded. Report the leader's end first.
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
	if (is_request(stop)) {
		p->record.request.sqe = p->record.entry;
		stop->request = &p->record.request;
	}
	if (*p->note && stop->kind == STOP_SYSCALL_EXIT)
		stop->tampered = foreign(p->note);
	if (!t || stop->kind == STOP_LOST)
		return;
	set_thread(p, t);
	follow(p, t, stop);
}

/*
 * Applies the effects of a stop that is not reported, so that the state at later stops is correct.
 */
static void pass(struct player *p)
{
	struct played_thread *t = stopped(p), *caller = exec_caller(p);
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
	stop_is_over(p);
}

/* Returns true if the stop in p->record belongs to a thread that is not reported. */
static bool is_hidden(struct player *p)
{
	struct played_thread *t = exec_caller(p);

	if (!p->held || !p->tid || !p->config.nids)
		return false;
	if (!t)
		t = stopped(p);
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
	while (read_on(p)) {
		int64_t now = trace_time(p->mono + p->real);

		if (now > p->config.to) {
			p->ended = true;
			p->held = false;
			p->lost = 0;
			p->in.p = p->in.end;
			return false;
		}
		/*
		 * Once reporting has begun, continue even if times go backwards. They may do so in
		 * a damaged trace.
		 */
		p->reports |= now >= p->config.from;
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
		stop_is_over(p);
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
	} while (!stop->tcb && stop->kind != STOP_LOST);
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
 * Free the modules now, because they refer to files of the unwinder, which is destroyed before the
 * engine.
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

/* The functions of both variants of the engine: for recorded stacks and for raw stacks. */
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
		begin_at(p, &h, &body);
	}
	strbuf_deinit(&body);
}

/* Restricts the trace to the threads to report. The trace needs the ids as they were recorded. */
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
	 * Read the initial threads up to RECORD_STARTED, which is in the first block unless that
	 * block is damaged.
	 */
	if (!next_block(p))
		p->ended = true;
	while (p->in.p < p->in.end && *p->in.p == RECORD_BEGIN)
		take_record(p);
	choose(p);
	if (config->from > trace_began(t))
		begin_late(p);
	else
		skip_parts(p, true);
	return &p->capture;
}
