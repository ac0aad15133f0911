/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "trace/format/coding.h"
#include "trace/record/recorder_state.h"
#include "trace/format/records.h"
#include "trace/record/tape.h"
#include "decode/core/plan_types.h"
#include "linux/row_finder.h"
#include "stack/files/map_table.h"
#include "syscall.h"
#include "util/clock.h"

/*
 * A block is closed after 50 ms. With another 50 ms for writing it, events are in the file within
 * 100 ms even on a busy machine. Shorter blocks would not compress as well.
 */
#define FLUSH_NS 50000000
/* While stops arrive, recorder_flush() reads the clock only at every 16th stop. */
#define CLOCK_EVERY 16
/*
 * If a stop would make the body of a block larger than this number of bytes, the block is closed
 * before the stop.
 */
#define BODY_MAX (BLOCK_BODY_MAX - TRACE_STOP_MAX)
/*
 * In a tape (a recording that is kept in memory), if the body of a block exceeds this size in
 * bytes, the block is closed before the next stop.
 */
#define TAPE_BODY (256u << 10)
/* Maximum number of bytes of tracee memory that are recorded per stop. */
#define MEMORY_MAX (TRACE_STOP_MAX / 2)
/*
 * A STATE block is written every STATE_EVERY bytes of block bodies. Reading can start at each of
 * these blocks.
 */
#define STATE_EVERY (16u << 20)

/*
 * Enables all decoding options, so that decoding reads the data that any combination of options
 * needs.
 */
static void enable_all_options(struct recorder *r, const struct decode_config *shown)
{
	const size_t rows = (size_t)ABI_COUNT * syscall_desc_count;

	r->rows = mem_alloc(rows);
	memset(r->rows, DECODE_FULL, rows);
	r->decode = *shown;
	r->decode.string_limit = size_max(shown->string_limit, RECORD_STRINGS);
	r->decode.command_limit = COMMAND_STRINGS;
	r->decode.fd_details = ~0u;
	r->decode.pid_comm = r->decode.pid_translate = r->decode.resolve_paths = true;
	r->decode.kvm_exits = r->decode.namespaces = true;
	r->decode.secontext_expected = true;
	r->decode.reads_only = true;
	r->decode.per_syscall = r->rows;
	r->decode.plans = NULL;
}

struct recorder *recorder_create(const struct recorder_config *config, struct capture *c)
{
	struct trace_file *file = config->last ? NULL : trace_file_open(config->path);
	struct recorder *r;

	if (!file && !config->last)
		return NULL;
	r = mem_zalloc(sizeof(*r));
	r->capture = c;
	r->file = file;
	if (config->last)
		r->tape = tape_create(config->path, config->last);
	r->group = config->group;
	r->plans = plans_create();
	r->finder = row_finder_create();
	enable_all_options(r, &config->decode);
	recorded_facts_init(&r->facts, config->facts, &r->answers);
	r->raw.files = c->files;
	r->raw.index = &r->stacks;
	r->raw.limit = config->raw_stack ? config->raw_stack : RAW_STACK_DEFAULT;
	r->raw.limit = size_min(r->raw.limit, RAW_STACK_LIMIT) & ~(size_t)7;
	r->tampers = config->tampers;
	r->follows = config->follow;
	r->facts.descriptors_known = config->sees_descriptors;
	return r;
}

struct facts *recorder_facts(struct recorder *r)
{
	return &r->facts.facts;
}

/* -- blocks ------------------------------------------------------------------- */

static int64_t real_ahead(void)
{
	struct timespec real, mono;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_REALTIME, &real);
	return (real.tv_sec - mono.tv_sec) * (int64_t)NSEC_PER_SEC + real.tv_nsec - mono.tv_nsec;
}

static void block_end(struct recorder *r)
{
	if (!r->begun)
		return;
	r->h.kind = BLOCK_EVENTS;
	r->h.lost = r->lost;
	if (r->tape) {
		tape_put(r->tape, &r->h, &r->body, r->calls);
	} else {
		r->since_state += r->body.len;
		trace_file_put(r->file, &r->h, &r->body);
	}
	r->begun = false;
	r->thread = 0;
	r->calls = 0;
	r->block++;
}

/*
 * Begins a block of a tape, which must be readable without the earlier blocks. Lists all existing
 * threads in the block, and forgets which data has been written, so that data is written again when
 * it is needed.
 */
static void begin_anew(struct recorder *r)
{
	struct strbuf answers = r->answers;
	char comm[16];

	recorded_facts_forget(&r->facts);
	stack_index_forget(&r->stacks);
	raw_writer_forget(&r->raw);
	stop_put_forget(&r->body);
	r->answers = (struct strbuf){0};
	for (struct tcb *tcb = capture_next(r->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(r->capture, tcb, OLDEST_FIRST)) {
		if (tcb->group != r->group)
			continue;
		tcb_tgid(tcb);
		stop_put_begin(&r->body, tcb);
		fact_comm(&r->facts.facts, tcb->tid, comm);
	}
	stop_put_started(&r->body);
	strbuf_add(&r->body, r->answers.data, r->answers.len);
	strbuf_deinit(&r->answers);
	r->answers = answers;
}

static void block_begin(struct recorder *r)
{
	if (r->begun)
		return;
	r->begun = true;
	r->due = clock_after(FLUSH_NS);
	r->h = (struct block_header){
		.first = r->mono, .last = r->mono, .real = r->h.real, .sequence = r->sequence};
}

/* Returns true if the current block must be closed. */
static bool is_due(const struct recorder *r, uint64_t mono)
{
	/*
	 * Each block of a tape repeats the answers to all questions, so short blocks would waste
	 * space. Close a block after a number of calls or bytes, not after a period of time.
	 */
	if (r->tape)
		return r->calls >= tape_block_calls(r->tape) || r->body.len > TAPE_BODY;
	return mono - r->h.first >= FLUSH_NS;
}

/*
 * Sets r->mono to the time of `stop` if the engine reports times, otherwise to the current time.
 * Closes the current block if it must be closed. In a tape, then begins the next block, unless
 * `stop` is NULL.
 */
static void take_time(struct recorder *r, const struct stop *stop)
{
	struct timespec now;

	if (stop && r->capture->capabilities & CAPTURE_TIMES) {
		r->mono = (uint64_t)stop->mono;
	} else {
		clock_gettime(CLOCK_MONOTONIC, &now);
		r->mono = timespec_ns(now);
	}
	if (r->begun && is_due(r, r->mono))
		block_end(r);
	if (r->begun)
		return;
	r->h.real = real_ahead();
	/*
	 * Begin the block before this stop is decoded. The questions that decoding asks (about
	 * descriptors, for example) must be answered in the same block.
	 */
	if (r->tape && stop) {
		block_begin(r);
		begin_anew(r);
	}
}

static void report_time(const struct recorder *r, struct stop *stop)
{
	stop->mono = (int64_t)r->mono;
	stop->time = stop->mono + r->h.real;
}

/* -- stops ---------------------------------------------------------------------- */

void recorder_stop(struct recorder *r, struct stop *stop)
{
	take_time(r, stop);
	report_time(r, stop);
	if (!stop->tcb)
		return;
	r->facts.tid = stop->tcb->tid;
	r->facts.tgid = tcb_tgid(stop->tcb);
	r->stopped = recorder_thread(r, stop->tcb);
	recorder_note_bottom(r, stop);
	if (!r->tampers || stop->kind != STOP_SYSCALL_EXIT)
		recorder_collect(r, stop);
}

void recorder_poked(struct recorder *r, struct tcb *tcb)
{
	recorded_reads_clear(&r->reads);
	recorder_collect_enter(r, r->stopped, tcb);
}

void recorder_tampered(struct recorder *r, struct tcb *tcb, struct foreign note)
{
	if (foreign_given(note)) {
		strbuf_putc(&r->answers, RECORD_TAMPERED);
		put_foreign(&r->answers, note, TRACE_NOTE_MAX - 1);
	}
	recorder_collect_exit(r, r->stopped, tcb, false);
}

void recorder_stack(struct recorder *r, struct unwinder *u, struct stack *stack)
{
	r->stack.len = 0;
	stack_index_put(&r->stacks, &r->stack, u, stack);
}

void recorder_raw(struct recorder *r, struct unwinder *u, struct tcb *tcb, struct map_table *maps)
{
	r->stack.len = 0;
	/* A raw stack must be in the same block as the records that it refers to. */
	if (!r->tape && r->body.len > BODY_MAX / 2)
		block_end(r);
	raw_writer_take(&r->raw, &r->stack,
			&(struct raw_stop){.tcb = tcb,
					   .memory = r->stopped->memory.live,
					   .unwinder = u,
					   .maps = maps,
					   .block = r->block,
					   .bottom = r->stopped->bottom});
	map_table_put(maps);
}

void recorder_walks(struct recorder *r, bool walks)
{
	r->reads.off = walks;
}

static void forget(struct recorder *r)
{
	recorded_facts_forget(&r->facts);
	stack_index_forget(&r->stacks);
	raw_writer_forget(&r->raw);
	stop_put_forget(&r->answers);
}

/* Writes a THREADS block for the finished parts of the trace. */
static void put_threads(struct recorder *r)
{
	struct block_header h = {.kind = BLOCK_THREADS,
				 .first = r->mono,
				 .last = r->mono,
				 .real = r->h.real,
				 .sequence = r->sequence,
				 .lost = r->lost};

	trace_file_put(r->file, &h, &r->parts.body);
}

/* Records that the thread has a stop in the current part of the trace. */
static void note_thread(struct recorder *r, struct recorded_thread *t, const struct stop *stop)
{
	const pid_t tid = stop->tcb->tid;

	if (likely(t->part == r->parts.part + 1 && t->tid == tid))
		return;
	/*
	 * A request may be reported after its thread has ended. The process has then already been
	 * counted.
	 */
	r->totals.processes += !t->part && tid == r->facts.tgid && !stop->request;
	t->part = r->parts.part + 1;
	t->tid = tid;
	part_list_add(&r->parts, r->facts.tgid, tid);
}

/*
 * Writes a STATE block, which lists the existing threads. Reading can start at a STATE block, so
 * all other state that a reader needs must be written again after this block.
 */
static void put_state(struct recorder *r)
{
	struct block_header h = {.kind = BLOCK_STATE,
				 .first = r->mono,
				 .last = r->mono,
				 .real = r->h.real,
				 .lost = r->lost};
	struct tcb *tcb = capture_next(r->capture, NULL, OLDEST_FIRST);
	struct strbuf body = {0};
	char comm[16];

	block_end(r);
	part_list_end(&r->parts);
	if (part_list_full(&r->parts))
		put_threads(r);
	h.sequence = r->sequence;
	r->since_state = 0;
	forget(r);
	for (; tcb; tcb = capture_next(r->capture, tcb, OLDEST_FIRST)) {
		tcb_tgid(tcb);
		stop_put_is(&body, tcb);
		fact_comm(&r->facts.facts, tcb->tid, comm);
	}
	trace_file_put(r->file, &h, &body);
	strbuf_deinit(&body);
}

/*
 * Writes a STATE block if one is due. Otherwise, if the recorder keeps too much state, drops the
 * state and writes a FORGET record, which makes readers drop the same state.
 */
static void bound(struct recorder *r, enum stop_kind kind)
{
	/* Write STATE blocks only at stops at which no thread starts or ends. */
	if (unlikely(r->since_state >= STATE_EVERY) &&
	    (kind == STOP_SYSCALL_ENTER || kind == STOP_SYSCALL_EXIT) &&
	    capture_count(r->capture) <= TRACE_STATE_MAX)
		put_state(r);
	else if (recorded_facts_full(&r->facts) || stack_index_full(&r->stacks))
		forget(r);
}

void recorder_done(struct recorder *r, const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	struct recorded_thread *t = r->stopped;
	size_t size = r->answers.len + r->stack.len + r->reads.used_bytes + 20 * r->reads.used.n +
		      raw_writer_size(&r->raw);

	if (stop->kind == STOP_SYSCALL_ENTER && t && syscall_is_running(t->call))
		recorder_note_changes(r, tcb, t->call);
	if (stop_is_recorded(stop->kind)) {
		if (!r->tape && r->body.len + size_min(size, TRACE_STOP_MAX) > BODY_MAX)
			block_end(r);
		block_begin(r);
		if (t && tcb->tid)
			note_thread(r, t, stop);
		if (!r->thread || r->thread != (tcb ? tcb->tid : 0)) {
			r->thread = tcb ? tcb->tid : 0;
			stop_put_thread(&r->body, r->thread);
		}
		strbuf_add(&r->body, r->answers.data, r->answers.len);
		strbuf_add(&r->body, r->stack.data, r->stack.len);
		raw_writer_put(&r->raw, &r->body, r->block, stop);
		recorded_reads_put(&r->reads, &r->body, MEMORY_MAX);
		stop_put(&r->body, stop, t ? &t->state : NULL, r->block, r->mono - r->h.last);
		r->h.last = r->mono;
		r->sequence++;
		if (stop->kind == STOP_LOST)
			r->lost += stop->lost;
		r->calls += stop->kind == STOP_SYSCALL_ENTER;
		r->totals.calls += stop->kind == STOP_SYSCALL_ENTER;
	}
	r->answers.len = 0;
	r->stack.len = 0;
	r->raw.taken = false;
	bound(r, stop->kind);
	recorded_reads_clear(&r->reads);
	r->stopped = NULL;
	if (t && t->gone)
		free(t);
}

void recorder_forget(struct recorder *r, struct tcb *tcb)
{
	struct recorded_thread *t = tcb->recorded;
	struct tcb own = {.syscall = t ? t->call : NULL};

	if (!t)
		return;
	if (tcb->tgid == tcb->tid)
		raw_writer_process_ended(&r->raw, tcb->tgid);
	syscall_forget(&own);
	tcb->memory = t->memory.live;
	tcb->facts = r->facts.source;
	tcb->recorded = NULL;
	t->call = NULL;
	if (t == r->stopped)
		t->gone = true;
	else
		free(t);
}

int64_t recorder_start(struct recorder *r, const struct trace_meta *meta)
{
	struct block_header h = {.kind = BLOCK_META};
	int64_t began;

	take_time(r, NULL);
	h.first = h.last = r->mono;
	h.real = r->h.real;
	began = (int64_t)h.first + h.real;
	r->meta = h;
	meta_put(meta, &r->meta_body);
	/* In a tape, begin_anew() lists the existing threads at the start of each block. */
	if (r->tape)
		return began;
	trace_file_put(r->file, &h, &r->meta_body);
	block_begin(r);
	for (struct tcb *tcb = capture_next(r->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(r->capture, tcb, OLDEST_FIRST)) {
		tcb_tgid(tcb);
		stop_put_begin(&r->body, tcb);
	}
	stop_put_started(&r->body);
	return began;
}

const struct timespec *recorder_deadline(const struct recorder *r)
{
	return r->tape || !r->begun ? NULL : &r->due;
}

int recorder_flush(struct recorder *r)
{
	const bool went_on = r->sequence != r->flushed;

	if (r->tape)
		return 0;
	r->flushed = r->sequence;
	if (r->begun && !(went_on && r->sequence % CLOCK_EVERY) &&
	    !timespec_before(clock_after(0), r->due))
		block_end(r);
	return trace_file_error(r->file);
}

int recorder_write_kept(struct recorder *r, struct tape_written *w)
{
	/* In a tape, a block without stops is useless. */
	if (r->sequence > r->h.sequence) {
		block_end(r);
	} else {
		r->begun = false;
		r->body.len = 0;
	}
	return tape_write(r->tape, &r->meta, &r->meta_body, w);
}

void recorder_end(struct recorder *r, struct stop *stop)
{
	take_time(r, NULL);
	report_time(r, stop);
	if (r->tape && !r->begun)
		return;
	block_begin(r);
	stop_put_ended(&r->body, r->mono - r->h.last);
	r->h.last = r->mono;
	block_end(r);
}

int recorder_close(struct recorder *r, struct recorder_totals *totals)
{
	int err;

	*totals = (struct recorder_totals){0};
	if (!r)
		return 0;
	block_end(r);
	if (r->parts.part) {
		part_list_end(&r->parts);
		put_threads(r);
	}
	*totals = r->totals;
	totals->lost = r->lost;
	err = trace_file_close(r->file, &totals->bytes);
	tape_destroy(r->tape);
	strbuf_deinit(&r->meta_body);
	recorded_facts_deinit(&r->facts);
	recorded_reads_deinit(&r->reads);
	stack_index_deinit(&r->stacks);
	raw_writer_deinit(&r->raw);
	part_list_deinit(&r->parts);
	strbuf_deinit(&r->stack);
	strbuf_deinit(&r->answers);
	strbuf_deinit(&r->body);
	plans_destroy(r->plans);
	row_finder_destroy(r->finder);
	free(r->rows);
	free(r);
	return err;
}
