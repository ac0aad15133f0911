/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "trace/format/dirent_coding.h"
#include "trace/format/event_coding.h"
#include "trace/format/records.h"
#include "trace/play/player_state.h"
#include "trace/play/trace.h"

/* Maximum number of memory chunks for one stop. A file with more chunks is damaged. */
#define CHUNKS_MAX 8192

/* -- memory ------------------------------------------------------------------------ */

void player_stop_over(struct player *p)
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

/*
 * Converts a thread id in the trace to the id that is reported: adds config.base. Returns 0 for the
 * id 0, and for an id that is too large.
 */
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
	t->tcb.cpu_us = r.cpu;
}

/* Returns the thread to which the following records belong, or NULL if there is none. */
static struct played_thread *current(const struct player *p)
{
	return p->tid ? played_threads_find(&p->threads, p->tid) : NULL;
}

struct played_thread *player_stopped(struct player *p)
{
	struct played_thread *t = current(p);

	if (t || !player_is_request(&p->record.stop))
		return t;
	p->nobody = (struct played_thread){.tcb = p->threads.like, .begun = true};
	p->nobody.tcb.tid = p->nobody.tcb.tgid = p->tid;
	return &p->nobody;
}

static const struct syscall_regs no_regs;

/* Parses the record of a stop into p->record. The stop stays there until it is reported. */
static void take_stop(struct player *p, struct cursor *in, enum record_type type)
{
	const bool request = type >= RECORD_SUBMITTED && type <= RECORD_COMPLETED;
	struct played_thread *t = current(p);

	p->stops++;
	if (!t && p->tid && !request && !played_threads_full(&p->threads))
		t = played_threads_add(&p->threads, p->tid, 0);
	if (!t && !request && type != RECORD_LOST && type != RECORD_EVENT)
		return;
	p->held = stop_take(in, type, t ? &t->tcb.regs : &no_regs, t ? &t->state : NULL, p->block,
			    &p->record);
	if (type == RECORD_EVENT && p->held)
		p->held = event_take(in, &p->made, &p->event);
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

void player_take_record(struct player *p)
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

void player_begin_at(struct player *p, const struct block_header *h, const struct strbuf *body)
{
	p->in = (struct cursor){0};
	if (body->len)
		p->in = (struct cursor){.p = (const uint8_t *)body->data,
					.end = (const uint8_t *)body->data + body->len};
	while (p->in.p < p->in.end)
		player_take_record(p);
	p->in.p = p->in.end = NULL;
	/*
	 * The current block was not read to its end. Drop all data in it, because the memory of the
	 * block will be reused.
	 */
	player_stop_over(p);
	p->tid = 0;
	p->held = false;
	p->lost = 0;
	p->mono = h->first;
	p->sequence = h->sequence;
	p->ended = false;
}

void player_skip_parts(struct player *p, bool first)
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
		player_begin_at(p, &h, &body);
	}
	strbuf_deinit(&body);
}

bool player_next_block(struct player *p)
{
	const uint8_t *body;
	size_t n;

	do {
		if (!trace_next(p->trace, &p->h, &body, &n))
			return false;
		if (p->h.kind == BLOCK_NAMES)
			played_names_take(&p->stacks.names, body, n);
		if (p->h.kind == BLOCK_STATE)
			player_skip_parts(p, false);
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

bool player_read_on(struct player *p)
{
	while (!p->held && !p->lost) {
		if (unlikely(kept(p) > TRACE_KEPT_MAX)) {
			trace_give_up(p->trace);
			p->ended = true;
			p->in.p = p->in.end;
		}
		if (p->in.p < p->in.end) {
			player_take_record(p);
			continue;
		}
		if (p->ended || !player_next_block(p)) {
			p->ended = true;
			return false;
		}
	}
	return true;
}
