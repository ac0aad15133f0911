/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/trace/recorder.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "capture/capture.h"
#include "capture/plan.h"
#include "capture/trace/coding.h"
#include "capture/trace/parts.h"
#include "capture/trace/recorded_facts.h"
#include "capture/trace/recorded_memory.h"
#include "capture/trace/recorder_raw.h"
#include "capture/trace/recorder_stacks.h"
#include "capture/trace/records.h"
#include "capture/trace/stops.h"
#include "capture/trace/tape.h"
#include "capture/trace/trace_file.h"
#include "decode/core/plan_types.h"
#include "linux/row_finder.h"
#include "stack/files/map_table.h"
#include "syscall.h"
#include "util/clock.h"

/*
 * A block is ended after so long, which leaves as much time again to write it within a tenth of a
 * second where others want the processors as well. Shorter blocks compress worse.
 */
#define FLUSH_NS 50000000
/* While stops come, the clock is read after so many of them. */
#define CLOCK_EVERY 16
/* A block is ended before it is as large as blocks may be. */
#define BODY_MAX (BLOCK_BODY_MAX - TRACE_STOP_MAX)
/* In a tape, a block that has so much is ended before the next stop, which has room in any case. */
#define TAPE_BODY (256u << 10)
/* Memory that one stop may have in a trace. */
#define MEMORY_MAX (TRACE_STOP_MAX / 2)
#define READS_MAX  64
/* After so many bytes of records there is a place where reading may begin. */
#define STATE_EVERY (16u << 20)

/* What is kept of a thread. */
struct recorded_thread {
	struct recorded_memory memory;
	bool gone;		    /* it is to be freed once its last stop is written down */
	struct syscall_event *call; /* the call as the recorder decodes it; NULL before the first */
	struct stop_state state;    /* what was written of it last */
	uint64_t part;		    /* in which it was added to parts last, plus one */
	pid_t tid;		    /* that it had then */
	uint64_t bottom;	    /* where its stack began; 0: unknown */
};

struct recorder {
	struct capture *capture;
	struct trace_file *file; /* or, with last: */
	struct tape *tape;
	struct block_header meta; /* of the block META, with its body: */
	struct strbuf meta_body;
	size_t calls; /* in the block under way */
	unsigned group;
	struct decode_config decode;
	bool tampers;
	struct recorded_facts facts;
	struct recorded_reads reads;
	struct strbuf answers; /* records of facts at this stop */
	struct strbuf body;    /* of the block under way */
	struct block_header h; /* of that block; the times only once it has a stop */
	bool begun;	       /* it has */
	/* When that was by the clock, in ns. An engine may tell of stops long after they happened.
	 */
	uint64_t begun_at;
	uint64_t flushed; /* sequence when it was last asked whether the block is to be ended */
	pid_t thread;	  /* of the last record in it, 0: none yet */
	uint64_t block;	  /* number of the block, for what begins anew with each */
	uint64_t sequence, lost;
	uint64_t since_state;		 /* bytes of bodies since reading may have begun */
	struct part_book parts;		 /* who has stops since then */
	uint64_t mono;			 /* of the stop, in ns */
	struct recorded_thread *stopped; /* between recorder_stop() and recorder_done() */
	struct stack_book stacks;
	struct raw_book raw;
	struct strbuf stack; /* records of the stack of this stop */
	struct plans *plans; /* what is read ahead */
	struct row_finder *finder;
	uint8_t *rows; /* of decode: all rows in full */
};

/* The thread's data, made when it is seen for the first time. */
static struct recorded_thread *thread_of(struct recorder *r, struct tcb *tcb)
{
	struct recorded_thread *t = tcb->recorded;

	if (likely(t))
		return t;
	t = tcb->recorded = mem_zalloc(sizeof(*t));
	recorded_memory_init(&t->memory, tcb->memory, &r->reads);
	tcb->memory = &t->memory.memory;
	tcb->facts = &r->facts.facts;
	return t;
}

/* Options of decoding that look at more than any others do. */
static void look_at_all(struct recorder *r, const struct decode_config *shown)
{
	const size_t rows = (size_t)ABI_COUNT * syscall_desc_count;

	r->rows = mem_alloc(rows);
	memset(r->rows, DECODE_FULL, rows);
	r->decode = *shown;
	r->decode.string_limit = size_max(shown->string_limit, RECORD_STRINGS);
	r->decode.fd_details = ~0u;
	r->decode.pid_comm = r->decode.pid_translate = r->decode.resolve_paths = true;
	r->decode.kvm_exits = r->decode.namespaces = true;
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
	look_at_all(r, &config->decode);
	recorded_facts_init(&r->facts, config->facts, &r->answers);
	r->raw.files = c->files;
	r->raw.book = &r->stacks;
	r->raw.limit = config->raw_stack ? config->raw_stack : RAW_STACK_DEFAULT;
	r->raw.limit = size_min(r->raw.limit, RAW_STACK_LIMIT) & ~(size_t)7;
	r->tampers = config->tampers;
	r->facts.descriptors_known = config->follow;
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
 * A block of a tape begins as a trace does: with all threads that are there, and no memory of what
 * blocks before it have told.
 */
static void begin_anew(struct recorder *r)
{
	struct strbuf answers = r->answers;
	char comm[16];

	recorded_facts_forget(&r->facts);
	stack_book_forget(&r->stacks);
	raw_book_forget(&r->raw);
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
	r->begun_at = timespec_ns(clock_after(0));
	r->h = (struct block_header){
		.first = r->mono, .last = r->mono, .real = r->h.real, .sequence = r->sequence};
}

/* Whether a block that was begun is to be ended. */
static bool is_due(const struct recorder *r, uint64_t mono)
{
	/* In the next block what this stop asks must be asked again, so it is not begun then. */
	if (r->tape)
		return r->calls >= tape_block_calls(r->tape) || r->body.len > TAPE_BODY;
	return mono - r->h.first >= FLUSH_NS;
}

static struct timespec timespec_of(int64_t ns)
{
	struct timespec t = {ns / NSEC_PER_SEC, ns % NSEC_PER_SEC};

	if (t.tv_nsec < 0) {
		t.tv_sec--;
		t.tv_nsec += NSEC_PER_SEC;
	}
	return t;
}

/* Ends a block that is due, and takes the time of what comes now. */
static void take_time(struct recorder *r, const struct stop *stop)
{
	struct timespec now;

	if (stop && r->capture->capabilities & CAPTURE_TIMES) {
		r->mono = timespec_ns(stop->mono);
	} else {
		clock_gettime(CLOCK_MONOTONIC, &now);
		r->mono = timespec_ns(now);
	}
	if (r->begun && is_due(r, r->mono))
		block_end(r);
	if (r->begun)
		return;
	r->h.real = real_ahead();
	/* Before anything is asked at this stop: it is to be in this block. */
	if (r->tape && stop) {
		block_begin(r);
		begin_anew(r);
	}
}

static void tell_time(const struct recorder *r, struct timespec *time, struct timespec *mono)
{
	*mono = timespec_of((int64_t)r->mono);
	*time = timespec_of((int64_t)r->mono + r->h.real);
}

/* -- what decoding may want to know ------------------------------------------------ */

static bool is_execve(const struct syscall_event *ev)
{
	return ev->row >= 0 && syscall_descs[ev->row].flags & SYSCALL_F_EXECVE;
}

/* Reads at once, by the plan of the row, most of what decoding will look at. */
static void read_ahead(struct recorder *r, const struct recorded_thread *t,
		       const struct syscall_event *ev, bool exiting)
{
	const uint32_t strings = r->decode.string_limit + 1;
	struct plan_read reads[READS_MAX];
	const struct plan *plan;
	unsigned n;

	if (!ev->desc || !ev->desc->nargs)
		return;
	plan = plans_get(r->plans, ev->desc, ev->abi, exiting);
	if (plan->n < 2)
		return;
	n = plan_run(plan,
		     &(struct plan_call){.memory = t->memory.live,
					 .args = ev->raw_args,
					 .has_result = exiting,
					 .result = ev->ret_kind == RET_VALUE ? ev->ret : -1},
		     &(struct plan_limits){.bytes = {[PLAN_WHOLE] = 512,
						     [PLAN_PATH] = 256,
						     [PLAN_TEXT] = strings,
						     [PLAN_DATA] = strings,
						     [PLAN_ELEMENTS] = 4096},
					   .elements = UINT32_MAX,
					   .depth = 2,
					   .full = true,
					   .ahead = true},
		     &r->reads.arena, reads, READS_MAX);
	for (unsigned i = 0; i < n; i++)
		recorded_reads_know(&r->reads, reads[i].addr, reads[i].bytes, reads[i].got);
}

/* Lets syscall.c work on the call as the recorder decodes it, and not as the session does. */
static struct syscall_event *swap(struct tcb *tcb, struct syscall_event *ev)
{
	struct syscall_event *other = tcb->syscall;

	tcb->syscall = ev;
	return other;
}

static void look_at_enter(struct recorder *r, struct recorded_thread *t, struct tcb *tcb)
{
	struct syscall_event *shown = swap(tcb, t->call), *ev;

	syscall_finish(tcb);
	ev = syscall_begin(tcb, r->finder);
	/* What our own code does before the command's execve is never shown. */
	if (!(tcb->flags & TCB_WAIT_EXECVE) || is_execve(ev)) {
		read_ahead(r, t, ev, false);
		syscall_decode_enter(tcb, &r->decode);
	}
	t->call = swap(tcb, shown);
}

/* What a call may have changed for those who ask for facts. */
static void note_changes(struct recorder *r, const struct tcb *tcb, const struct syscall_event *ev)
{
	struct recorded_facts *f = &r->facts;
	uint64_t flags = ev->raw_args[0];

	switch (ev->row) {
	case ROW_close:
		recorded_facts_fd_changed(f, f->tgid, (int)ev->raw_args[0]);
		break;
	case ROW_dup2:
	case ROW_dup3:
		recorded_facts_fd_changed(f, f->tgid, (int)ev->raw_args[1]);
		break;
	case ROW_close_range:
		recorded_facts_fd_changed(f, f->tgid, -1);
		break;
	case ROW_chdir:
	case ROW_fchdir:
	case ROW_chroot:
	case ROW_pivot_root:
	case ROW_mount:
	case ROW_umount2:
	case ROW_move_mount:
	case ROW_unshare:
	case ROW_setns:
	case ROW_rename:
	case ROW_renameat:
	case ROW_renameat2:
	case ROW_unlink:
	case ROW_unlinkat:
	case ROW_rmdir:
	case ROW_mknod:
	case ROW_mknodat:
		recorded_facts_files_changed(f);
		recorded_facts_tasks_changed(f);
		break;
	case ROW_connect:
	case ROW_bind:
	case ROW_listen:
	case ROW_accept:
	case ROW_accept4:
	case ROW_shutdown:
	case ROW_sendto:
	case ROW_sendmsg:
	case ROW_sendmmsg:
		recorded_facts_sockets_changed(f);
		break;
	case ROW_prctl:
	case ROW_setsid:
	case ROW_setpgid:
		recorded_facts_tasks_changed(f);
		break;
	case ROW_clone3:
		if (memory_read(tcb->memory, ev->raw_args[0], &flags, sizeof(flags)))
			flags = CLONE_FILES;
		/* fallthrough */
	case ROW_clone:
		if (flags & CLONE_FILES && !(flags & CLONE_THREAD))
			f->descriptors_known = false;
		break;
	case ROW_io_uring_setup:
		f->descriptors_known = false;
		break;
	default:
		break;
	}
}

/* What may have changed its name ends: sinks that show names will ask for it. */
static void look_at_name(struct recorder *r, struct tcb *tcb)
{
	char comm[16];

	recorded_facts_tasks_changed(&r->facts);
	fact_comm(tcb->facts, tcb->tid, comm);
}

static void look_at_exit(struct recorder *r, struct recorded_thread *t, struct tcb *tcb, bool over)
{
	struct syscall_event *shown, *ev = t->call;

	if (!ev || !ev->running)
		return;
	shown = swap(tcb, ev);
	if (over)
		ev->ret_kind = RET_NONE;
	else
		syscall_end(tcb);
	note_changes(r, tcb, ev);
	r->reads.dirents = ev->row == ROW_getdents64;
	if (!over && (is_execve(ev) || ev->row == ROW_prctl))
		look_at_name(r, tcb);
	read_ahead(r, t, ev, true);
	syscall_decode_exit(tcb, &r->decode);
	syscall_finish(tcb);
	t->call = swap(tcb, shown);
}

static void look_at_signal(struct recorder *r, struct tcb *tcb, const siginfo_t *info)
{
	syscall_decode_siginfo(tcb, &r->decode, &r->reads.arena, info);
}

/* Where the stack begins that a call of clone or clone3 gives to who it makes; 0: it gives none. */
static uint64_t stack_given(const struct recorded_thread *t, const struct syscall_event *ev)
{
	struct clone_args args;

	if (!ev || !ev->running)
		return 0;
	if (ev->row == ROW_clone)
		return ev->raw_args[1];
	if (ev->row != ROW_clone3 ||
	    memory_read(t->memory.live, ev->raw_args[0], &args, CLONE_ARGS_SIZE_VER0) ||
	    !args.stack)
		return 0;
	return args.stack + args.stack_size;
}

/*
 * A stack begins where the stack pointer is when execve returns, or where a new thread is told to
 * have its own. Beyond that there is nothing that a walk needs.
 */
static void note_bottom(struct recorder *r, const struct stop *stop)
{
	struct recorded_thread *t = r->stopped, *child;
	uint64_t given;

	/* That execve returns is not always seen. */
	if (stop->kind == STOP_EXEC)
		t->bottom = 0;
	if (stop->kind == STOP_SYSCALL_EXIT && t->call && t->call->running && is_execve(t->call) &&
	    !stop->tcb->regs.is_error)
		t->bottom = stop->tcb->regs.sp;
	if (stop->kind != STOP_FORK || !stop->child || stop->child->group != r->group)
		return;
	child = thread_of(r, stop->child);
	given = stack_given(t, t->call);
	child->bottom = given ? given : t->bottom;
}

/* All that might be asked at this stop, so that the answers are known when the trace is read. */
static void look(struct recorder *r, const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	struct recorded_thread *t = r->stopped;

	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		if (!stop->unknown)
			look_at_enter(r, t, tcb);
		break;
	case STOP_SYSCALL_EXIT:
		look_at_exit(r, t, tcb, false);
		break;
	case STOP_SIGNAL:
		if (stop->has_info)
			look_at_signal(r, tcb, &stop->info);
		break;
	case STOP_NEW:
	case STOP_EXEC:
		if (stop->kind == STOP_EXEC)
			recorded_facts_fd_changed(&r->facts, r->facts.tgid, -1);
		look_at_name(r, tcb);
		break;
	case STOP_EXITING:
	case STOP_EXITED:
	case STOP_VANISHED:
		look_at_exit(r, t, tcb, true);
		recorded_facts_tasks_changed(&r->facts);
		recorded_facts_fd_changed(&r->facts, r->facts.tgid, -1);
		break;
	default:
		break;
	}
}

/* -- stops ---------------------------------------------------------------------- */

void recorder_stop(struct recorder *r, const struct stop *stop, struct timespec *time,
		   struct timespec *mono)
{
	take_time(r, stop);
	tell_time(r, time, mono);
	if (!stop->tcb)
		return;
	r->facts.tid = stop->tcb->tid;
	r->facts.tgid = tcb_tgid(stop->tcb);
	r->stopped = thread_of(r, stop->tcb);
	note_bottom(r, stop);
	if (!r->tampers || stop->kind != STOP_SYSCALL_EXIT)
		look(r, stop);
}

void recorder_poked(struct recorder *r, struct tcb *tcb)
{
	recorded_reads_clear(&r->reads);
	look_at_enter(r, r->stopped, tcb);
}

void recorder_tampered(struct recorder *r, struct tcb *tcb, const char *note)
{
	if (note) {
		strbuf_putc(&r->answers, RECORD_TAMPERED);
		put_uleb(&r->answers, strlen(note));
		strbuf_add(&r->answers, note, strlen(note));
	}
	look_at_exit(r, r->stopped, tcb, false);
}

void recorder_stack(struct recorder *r, struct unwinder *u, struct stack *stack)
{
	r->stack.len = 0;
	stack_book_put(&r->stacks, &r->stack, u, stack);
}

void recorder_raw(struct recorder *r, struct unwinder *u, struct tcb *tcb, struct map_table *maps)
{
	r->stack.len = 0;
	/* What follows refers to its block, and is to be in it. */
	if (!r->tape && r->body.len > BODY_MAX / 2)
		block_end(r);
	raw_book_take(&r->raw, &r->stack,
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
	stack_book_forget(&r->stacks);
	raw_book_forget(&r->raw);
	stop_put_forget(&r->answers);
}

/* Tells which threads have stops in the parts of the trace that have ended. */
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

/* The thread has a stop in the part under way. */
static void note_thread(struct recorder *r, struct recorded_thread *t, pid_t tid)
{
	if (likely(t->part == r->parts.part + 1 && t->tid == tid))
		return;
	t->part = r->parts.part + 1;
	t->tid = tid;
	part_book_add(&r->parts, r->facts.tgid, tid);
}

/*
 * Makes a place where reading may begin: a block that says which threads there are. All else that
 * reading needs is told anew behind it.
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
	part_book_end(&r->parts);
	if (part_book_full(&r->parts))
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

/* What has been remembered for too long is forgotten, and so it is by those who read. */
static void bound(struct recorder *r, enum stop_kind kind)
{
	/* At other stops threads come and go. */
	if (unlikely(r->since_state >= STATE_EVERY) &&
	    (kind == STOP_SYSCALL_ENTER || kind == STOP_SYSCALL_EXIT) &&
	    capture_count(r->capture) <= TRACE_STATE_MAX)
		put_state(r);
	else if (recorded_facts_full(&r->facts) || stack_book_full(&r->stacks))
		forget(r);
}

void recorder_done(struct recorder *r, const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	struct recorded_thread *t = r->stopped;
	size_t size = r->answers.len + r->stack.len + r->reads.used_bytes + 20 * r->reads.used.n +
		      raw_book_size(&r->raw);

	if (stop->kind == STOP_SYSCALL_ENTER && t && t->call && t->call->running)
		note_changes(r, tcb, t->call);
	if (stop_is_recorded(stop->kind)) {
		if (!r->tape && r->body.len + size_min(size, TRACE_STOP_MAX) > BODY_MAX)
			block_end(r);
		block_begin(r);
		if (t)
			note_thread(r, t, tcb->tid);
		if (!r->thread || r->thread != (tcb ? tcb->tid : 0)) {
			r->thread = tcb ? tcb->tid : 0;
			stop_put_thread(&r->body, r->thread);
		}
		strbuf_add(&r->body, r->answers.data, r->answers.len);
		strbuf_add(&r->body, r->stack.data, r->stack.len);
		raw_book_put(&r->raw, &r->body, r->block, stop);
		recorded_reads_put(&r->reads, &r->body, MEMORY_MAX);
		stop_put(&r->body, stop, t ? &t->state : NULL, r->block, r->mono - r->h.last);
		r->h.last = r->mono;
		r->sequence++;
		if (stop->kind == STOP_LOST)
			r->lost += stop->lost;
		r->calls += stop->kind == STOP_SYSCALL_ENTER;
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
	struct syscall_event *shown;

	if (!t)
		return;
	if (tcb->tgid == tcb->tid)
		raw_book_process_ended(&r->raw, tcb->tgid);
	shown = swap(tcb, t->call);
	syscall_forget(tcb);
	swap(tcb, shown);
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
	/* Each block of a tape tells of the threads that are there. */
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

bool recorder_deadline(const struct recorder *r, struct timespec *at)
{
	if (r->tape || !r->begun)
		return false;
	*at = timespec_of((int64_t)(r->begun_at + FLUSH_NS));
	return true;
}

int recorder_flush(struct recorder *r)
{
	const bool went_on = r->sequence != r->flushed;

	if (r->tape)
		return 0;
	r->flushed = r->sequence;
	if (r->begun && !(went_on && r->sequence % CLOCK_EVERY) &&
	    timespec_ns(clock_after(0)) - r->begun_at >= FLUSH_NS)
		block_end(r);
	return trace_file_error(r->file);
}

int recorder_write_kept(struct recorder *r, struct tape_written *w)
{
	/* A block of a tape that has no stop says nothing. */
	if (r->sequence > r->h.sequence) {
		block_end(r);
	} else {
		r->begun = false;
		r->body.len = 0;
	}
	return tape_write(r->tape, &r->meta, &r->meta_body, w);
}

void recorder_end(struct recorder *r, struct timespec *time, struct timespec *mono)
{
	take_time(r, NULL);
	tell_time(r, time, mono);
	if (r->tape && !r->begun)
		return;
	block_begin(r);
	stop_put_ended(&r->body, r->mono - r->h.last);
	r->h.last = r->mono;
	block_end(r);
}

int recorder_close(struct recorder *r)
{
	int err;

	if (!r)
		return 0;
	block_end(r);
	if (r->parts.part) {
		part_book_end(&r->parts);
		put_threads(r);
	}
	err = trace_file_close(r->file);
	tape_destroy(r->tape);
	strbuf_deinit(&r->meta_body);
	recorded_facts_deinit(&r->facts);
	recorded_reads_deinit(&r->reads);
	stack_book_deinit(&r->stacks);
	raw_book_deinit(&r->raw);
	part_book_deinit(&r->parts);
	strbuf_deinit(&r->stack);
	strbuf_deinit(&r->answers);
	strbuf_deinit(&r->body);
	plans_destroy(r->plans);
	row_finder_destroy(r->finder);
	free(r->rows);
	free(r);
	return err;
}
