/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts records to stops. A record can result in several stops: one for losses before the
 * record, one if its thread is new, and one for the event itself. Each call of bpf_engine_report()
 * reports one stop.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "capture/bpf/engine_state.h"
#include "capture/bpf/order.h"
#include "capture/bpf/map_values.h"
#include "capture/bpf/setup.h"
#include "capture/bpf/spaces.h"
#include "capture/bpf/stack_parts.h"
#include "linux/arch/abi.h"
#include "util/clock.h"

#define ERRNO_MAX 4095

void bpf_engine_stamp(const struct bpf_engine *e, struct stop *stop, uint64_t mono)
{
	stop->mono = (int64_t)mono;
	stop->time = (int64_t)mono + e->real;
}

/*
 * Sets e->cause to a text that names the buffer that was full. If there are several control groups,
 * the text includes the name of the group.
 */
static void name_buffer(struct bpf_engine *e, unsigned buffer, const char *what)
{
	const unsigned cpu = kernel_buffer_cpu(e->kernel, buffer);
	const char *name = "", *of = "";

	if (e->config.ncgroups > 1) {
		name = strrchr(e->config.cgroups[kernel_buffer_group(e->kernel, buffer)], '/');
		of = " for ";
		name = name ? name + 1 : "";
	}
	snprintf(e->cause, sizeof(e->cause), "the buffer of CPU %u%s%.50s was full%s", cpu, of,
		 name, what);
}

static bool report_lost(struct bpf_engine *e, unsigned buffer, uint32_t *reported, uint32_t lost,
			const char *what, struct stop *stop)
{
	/*
	 * Records of one CPU can arrive slightly out of order. If the count of losses in this
	 * record is not higher than the last count that was reported, there is nothing to report.
	 */
	if ((int32_t)(lost - *reported) <= 0)
		return false;
	stop->kind = STOP_LOST;
	stop->tcb = NULL;
	stop->group = kernel_buffer_group(e->kernel, buffer);
	stop->lost = lost - *reported;
	name_buffer(e, buffer, what);
	stop->cause = foreign(e->cause);
	*reported = lost;
	return true;
}

bool bpf_engine_report_lost(struct bpf_engine *e, unsigned buffer,
			    const struct reported_losses *now, struct stop *stop)
{
	struct reported_losses *reported = &e->lost[buffer];

	return report_lost(e, buffer, &reported->calls, now->calls, "", stop) ||
	       report_lost(e, buffer, &reported->results, now->results, " (results of calls)",
			   stop) ||
	       report_lost(e, buffer, &reported->others, now->others, " (threads and signals)",
			   stop) ||
	       report_lost(e, buffer, &reported->ignored, now->ignored,
			   e->capture.reports_sched ? " (context switches and ignored signals)"
						    : " (ignored signals)",
			   stop);
}

/* Returns true if the programs write records of this kind to the rings for calls. */
static bool is_in_calls(unsigned kind)
{
	return kind == RECORD_ENTER || kind == RECORD_LEAVE ||
	       (kind >= RECORD_SUBMIT && kind <= RECORD_COMPLETE);
}

/*
 * Returns true if losses before records of this kind are counted together with ignored signals.
 */
static bool counts_as_ignored(unsigned kind)
{
	return kind == RECORD_IGNORED || kind == RECORD_SWITCH || kind == RECORD_WAKING;
}

/* Returns true if records that precede r were lost and this loss has not been reported yet. */
static bool has_new_losses(const struct record *r, const struct reported_losses *reported)
{
	switch (r->kind) {
	case RECORD_ENTER:
	case RECORD_LEAVE:
	case RECORD_SUBMIT:
	case RECORD_PUNT:
	case RECORD_COMPLETE:
		return r->lost_calls != reported->calls || r->lost_results != reported->results;
	case RECORD_RETURN: /* the losses were reported with the entry */
		return false;
	default:
		return r->lost_calls !=
		       (counts_as_ignored(r->kind) ? reported->ignored : reported->others);
	}
}

/*
 * Reports losses of the buffer that happened before the current record. Returns false if they have
 * already been reported.
 */
static attr_noinline bool report_lost_before(struct bpf_engine *e, unsigned buffer,
					     struct stop *stop)
{
	const struct record *r = e->record;
	struct reported_losses now = e->lost[buffer];

	if (counts_as_ignored(r->kind)) {
		now.ignored = r->lost_calls;
	} else if (!is_in_calls(r->kind)) {
		now.others = r->lost_calls;
	} else {
		now.calls = r->lost_calls;
		now.results = r->lost_results;
	}
	return bpf_engine_report_lost(e, buffer, &now, stop);
}

/* -- memory ----------------------------------------------------------------- */

/*
 * Returns the chunk at offset *at of the current record, or NULL at the end of the record. Sets *at
 * to the offset of the following chunk.
 */
static const struct chunk_head *next_chunk(const struct bpf_engine *e, size_t *at)
{
	return chunk_next(e->record, e->record_size, at);
}

/*
 * Adds all chunks of kind `what` to the memory of the stop. Also processes all CHUNK_REGS and
 * CHUNK_SLEEP. Starts at offset `at` in the record.
 */
static attr_noinline void add_chunks(struct bpf_engine *e, size_t at, unsigned what)
{
	const unsigned buffer = kernel_buffer(e->record_ring);
	const struct chunk_head *h;

	while ((h = next_chunk(e, &at))) {
		if (h->what == CHUNK_REGS && h->size > 0)
			e->regs = h;
		else if (h->what == CHUNK_SLEEP && h->size == sizeof(e->image.sleeper.area))
			sleeper_set(&e->image.sleeper, h->addr, h + 1);
		else if (chunk_is_stack_part(h) && what == CHUNK_STACK)
			stack_parts_add(e->parts, buffer, h, &e->memory);
		else if (h->what == what && h->size > 0)
			chunks_add(&e->memory, h->addr, h + 1, (uint64_t)h->size);
		else if (h->what == what && what == CHUNK_AGAIN)
			chunks_add_error(&e->memory, h->addr, 1, -EFAULT);
	}
}

static bool is_return(const struct record *r)
{
	return r->kind == RECORD_LEAVE || r->kind == RECORD_RETURN;
}

/* Returns the offset at which the chunks start in the record of a call or a request. */
static size_t chunks_at(const struct record *r)
{
	if (r->kind == RECORD_ENTER && ((const struct enter_record *)r)->no_args)
		return ENTER_NO_ARGS;
	if (r->kind == RECORD_ENTER)
		return sizeof(struct enter_record);
	if (r->kind == RECORD_SUBMIT)
		return sizeof(struct submit_record);
	if (r->kind == RECORD_COMPLETE)
		return sizeof(struct complete_record);
	return r->kind == RECORD_RETURN ? sizeof(struct return_record)
					: sizeof(struct leave_record);
}

void bpf_engine_keep_stack(struct bpf_engine *e)
{
	const struct record *r = e->record;
	const unsigned buffer = kernel_buffer(e->record_ring);
	size_t at;

	if (r->kind != RECORD_ENTER && !is_return(r))
		return;
	at = chunks_at(r);
	if (e->record_size > at)
		stack_parts_update(e->parts, buffer, (const char *)r + at, e->record_size - at);
}

static bool is_same_request(const struct record *r, const struct record *other)
{
	const struct request_record *a = (const struct request_record *)r,
				    *b = (const struct request_record *)other;

	return a->number == b->number && a->serial == b->serial && a->ring == b->ring;
}

/*
 * Returns true if r is the end of the call or request whose first record is ctx: the return of the
 * call, or the completion of the request.
 */
static bool is_end_of(const struct record *r, const void *ctx)
{
	const struct record *begin = ctx;

	if (begin->kind == RECORD_SUBMIT)
		return r->kind == RECORD_COMPLETE && is_same_request(r, begin);
	return r->tid == begin->tid && is_return(r);
}

static bool has_failed_reads(const struct bpf_engine *e, size_t at)
{
	const struct chunk_head *h;

	while ((h = next_chunk(e, &at)))
		if (h->what == CHUNK_MEMORY && h->size <= 0)
			return true;
	return false;
}

/*
 * Reads from the live thread the memory that could not be recorded. Each read ends at the end of a
 * page.
 */
static void read_live(struct bpf_engine *e, size_t at)
{
	const struct chunk_head *h;

	while ((h = next_chunk(e, &at))) {
		const size_t n = LIVE_MAX - h->addr % LIVE_MAX;
		uint8_t *page;
		ssize_t got;

		if (h->what != CHUNK_MEMORY || h->size > 0 ||
		    e->live_used == ARRAY_SIZE(e->live_pages))
			continue;
		page = e->live_pages[e->live_used];
		got = late_reader_read(&e->late, (pid_t)e->record->tid, h->addr, page, n);
		if (got <= 0)
			continue;
		chunks_add(&e->memory, h->addr, page, (uint64_t)got);
		e->live_used++;
	}
}

/*
 * Handles memory that could not be read at the entry of a call or at the submission of a request,
 * because it was not in RAM or did not exist. If the call has returned or the request is complete,
 * takes the memory from the record of the return or completion. Otherwise reads the memory now,
 * from the live process.
 */
static attr_noinline void add_missing(struct bpf_engine *e, size_t at)
{
	const struct record *enter = e->record, *leave;
	size_t size = e->record_size, n;

	leave = order_find(e->order, is_end_of, enter, &n);
	if (!leave) {
		read_live(e, at);
		/*
		 * In the meantime, the thread may have returned from the call, or may even have
		 * ended.
		 */
		leave = order_find(e->order, is_end_of, enter, &n);
	}
	if (leave && n >= chunks_at(leave)) {
		e->record = leave;
		e->record_size = n;
		add_chunks(e, chunks_at(leave), CHUNK_AGAIN);
		e->record = enter;
		e->record_size = size;
	}
	add_chunks(e, at, CHUNK_MEMORY);
}

/* -- threads ---------------------------------------------------------------- */

/* Adds a thread, and reports its STOP_NEW in *stop. tgid is 0 if its process is unknown. */
static void report_new(struct bpf_engine *e, pid_t tid, pid_t tgid, struct stop *stop)
{
	stop->kind = STOP_NEW;
	stop->tcb = &bpf_engine_add(e, tid, tgid, 0)->tcb;
}

/*
 * Returns the current record's thread. If the thread is unknown, adds it, reports its STOP_NEW in
 * *stop and returns NULL.
 */
static struct thread *thread_of(struct bpf_engine *e, struct stop *stop)
{
	pid_t tid = (pid_t)e->record->tid;
	struct thread *t = threads_find(&e->threads, tid);

	if (likely(t))
		return t;
	/* The record about the thread's creation was lost. */
	report_new(e, tid, 0, stop);
	return NULL;
}

static void set_comm(struct thread *t, const char *comm)
{
	memcpy(t->comm, comm, sizeof(t->comm));
	t->comm[sizeof(t->comm) - 1] = 0;
}

/* Updates the thread's name, using the record of a call's return. */
static void update_name(struct bpf_engine *e, struct thread *t)
{
	const struct chunk_head *h;
	size_t at = sizeof(struct leave_record);

	while ((h = next_chunk(e, &at)))
		if (h->what == CHUNK_NAME && h->size == sizeof(t->comm))
			set_comm(t, (const char *)(h + 1));
}

/* Returns the wait status of a thread that ended with this exit code. */
static int status_of(struct bpf_engine *e, const struct thread *t, int code)
{
	if (t->tcb.tid != e->command)
		return code;
	/* The command is our own child, and no other code waits for it. */
	while (!e->reaped && waitpid(e->command, &e->status, __WALL) < 0 && errno == EINTR)
		;
	e->reaped = true;
	return e->status;
}

/*
 * Forgets the mappings of a process when its leader has ended. The end of the leader is always
 * reported after the ends of the other threads.
 */
static void forget_space(struct bpf_engine *e, const struct thread *t)
{
	if (e->mmaps && t->tcb.tid == t->tcb.tgid)
		spaces_end(e->spaces, t->tcb.tid);
}

static void report_end(struct bpf_engine *e, struct thread *t, int status, struct stop *stop)
{
	struct thread *leader = t->leader;

	stop->kind = STOP_EXITED;
	stop->tcb = &t->tcb;
	stop->status = status;
	forget_space(e, t);
	kernel_thread_ended(e->kernel, t->tcb.tid, 0);
	threads_drop(&e->threads, t);
	/*
	 * This was the last other thread of the process, and the leader has already ended. Report
	 * the end of the leader next.
	 */
	if (leader && !leader->members && leader->tcb.flags & TCB_ENDED)
		return;
	e->record = NULL;
}

static attr_noinline bool report_exit(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct exit_record *r = (const struct exit_record *)e->record;

	if (t->members) {
		t->tcb.flags |= TCB_ENDED;
		t->status = (int)r->code;
		e->record = NULL;
		return false;
	}
	report_end(e, t, status_of(e, t, (int)r->code), stop);
	return true;
}

/*
 * Reports the end of a leader that ended before other threads of its process. If there is none,
 * releases the record and returns false.
 */
static attr_noinline bool report_leaders_end(struct bpf_engine *e, struct stop *stop)
{
	for (struct thread *t = e->threads.oldest; t; t = t->newer) {
		if (!(t->tcb.flags & TCB_ENDED) || t->members)
			continue;
		report_end(e, t, status_of(e, t, t->status), stop);
		return true;
	}
	e->record = NULL;
	return false;
}

static attr_noinline bool report_fork(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct fork_record *r = (const struct fork_record *)e->record;
	struct thread *child = threads_find(&e->threads, (pid_t)r->tid);
	uint64_t ns;
	bool is_new;

	if (child && child->tcb.flags & TCB_UNREPORTED) {
		/* The fork has already been reported. Now report the child. */
		child->tcb.flags &= ~TCB_UNREPORTED;
		e->threads.nunreported--;
		stop->kind = STOP_NEW;
		stop->tcb = &child->tcb;
		e->record = NULL;
		return true;
	}
	/*
	 * If a known child was not attached to after this fork, it is an earlier thread with the
	 * same id, and the record of its exit was lost.
	 */
	is_new = !child || child->attached < r->head.time;
	ns = pid_levels_add(&e->pids, r);
	stop->kind = STOP_FORK;
	stop->tcb = &t->tcb;
	stop->pid = (pid_t)r->tid;
	stop->child_shares_mm = r->head.flags & RECORD_SHARES;
	/*
	 * A child that is not traced but shares the tracee's memory can change the mappings, so
	 * keep track of its mappings, too.
	 */
	if (e->mmaps && is_new && r->head.flags & (RECORD_FOLLOW | RECORD_SHARES))
		spaces_fork(e->spaces, tcb_tgid(&t->tcb), (pid_t)r->tgid,
			    r->head.flags & RECORD_SHARES);
	if (r->head.flags & RECORD_FOLLOW && !child) {
		child = bpf_engine_add(e, (pid_t)r->tid, (pid_t)r->tgid, TCB_UNREPORTED);
		child->tcb.group = t->tcb.group;
		child->pid_ns = ns;
		set_comm(child, r->comm);
		stop->child = &child->tcb;
		return true;
	}
	/* The child may already be known from the process's list of threads. */
	stop->child = child ? &child->tcb : NULL;
	e->record = NULL;
	return true;
}

static attr_noinline bool report_exec(struct bpf_engine *e, struct stop *stop)
{
	const struct exec_record *r = (const struct exec_record *)e->record;
	pid_t tid = (pid_t)r->head.tid, old = (pid_t)r->old_tid;
	struct thread *t = threads_find(&e->threads, old), *leader;

	/*
	 * First report that the leader is gone. After that, the thread takes over the leader's id.
	 */
	leader = t && old != tid ? threads_find(&e->threads, tid) : NULL;
	if (leader) {
		stop->kind = STOP_VANISHED;
		stop->tcb = &leader->tcb;
		stop->pid = old;
		threads_drop(&e->threads, leader);
		kernel_thread_ended(e->kernel, old, tid);
		threads_make_leader(&e->threads, t, tid);
		return true;
	}
	if (!t)
		t = threads_find(&e->threads, tid);
	if (!t) {
		e->capture.group = r->group;
		/* A thread that has called execve is the leader of its process. */
		report_new(e, tid, tid, stop);
		return true;
	}
	if (t->tcb.tid != tid)
		threads_make_leader(&e->threads, t, tid);
	set_comm(t, r->comm);
	stop->kind = STOP_EXEC;
	stop->tcb = &t->tcb;
	stop->pid = old;
	e->record = NULL;
	return true;
}

/* -- calls ------------------------------------------------------------------ */

static bool report_enter(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct enter_record *r = (const struct enter_record *)e->record;
	const size_t chunks = chunks_at(&r->head);
	struct syscall_regs *regs = &t->tcb.regs;

	stop->tcb = &t->tcb;
	if (t->tcb.flags & TCB_IN_SYSCALL) {
		/* The return of the call was not reported, so the record of the return was lost. */
		t->tcb.flags &= ~TCB_IN_SYSCALL;
		stop->kind = STOP_SYSCALL_EXIT;
		stop->unknown = true;
		return true;
	}
	regs->audit = r->head.flags & RECORD_COMPAT ? setup_compat_audit() : abi_native()->audit;
	regs->nr = (uint64_t)(int64_t)(int32_t)r->nr;
	regs->ip = r->ip;
	regs->sp = r->sp;
	regs->ret = 0;
	regs->is_error = false;
	if (r->no_args)
		memset(regs->args, 0, sizeof(regs->args));
	else
		memcpy(regs->args, r->args, sizeof(regs->args));
	t->tcb.cpu_us = r->cpu / 1000;
	t->tcb.flags |= TCB_IN_SYSCALL;
	stream_facts_enter(&e->facts, t, (const char *)r + chunks, e->record_size - chunks);
	/* Most records have no chunks. */
	if (e->record_size > chunks) {
		add_chunks(e, chunks, CHUNK_MEMORY);
		if (e->mmaps)
			add_chunks(e, chunks, CHUNK_STACK);
		if (has_failed_reads(e, chunks))
			add_missing(e, chunks);
	}
	stop->kind = STOP_SYSCALL_ENTER;
	e->record = NULL;
	return true;
}

/*
 * Reports the signal t->ignored, which the tracee ignores or which kills it. Returns false if there
 * is no such signal. The signal is reported after the call during which it arrived, as with ptrace.
 */
static attr_noinline bool report_ignored(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	if (!t->ignored.si_signo)
		return false;
	stop->kind = STOP_SIGNAL;
	stop->tcb = &t->tcb;
	stop->sig = t->ignored.si_signo;
	stop->has_info = true;
	stop->info = t->ignored;
	t->ignored.si_signo = 0;
	if (e->mmaps && is_return(e->record))
		add_chunks(e, chunks_at(e->record), CHUNK_STACK);
	e->record = NULL;
	return true;
}

static attr_noinline bool handle_ignored(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct signal_record *r = (const struct signal_record *)e->record;

	if (t->dying) {
		e->record = NULL;
		return false;
	}
	t->dying = r->head.flags & RECORD_DEADLY;
	t->ignored = (siginfo_t){0};
	memcpy(&t->ignored, r->info, sizeof(r->info));
	/* For some signals, the kernel does not provide a siginfo. */
	if (!t->ignored.si_signo) {
		t->ignored.si_signo = (int)r->sig;
		t->ignored.si_code = SI_KERNEL;
	}
	if (!(t->tcb.flags & TCB_IN_SYSCALL))
		return report_ignored(e, t, stop);
	e->record = NULL;
	return false;
}

/*
 * Sets the call's result from the record of its return. A RECORD_RETURN has the same ip and sp as
 * its entry, so these registers stay unchanged.
 */
static void set_result(const struct bpf_engine *e, struct tcb *tcb)
{
	const struct return_record *brief = (const struct return_record *)e->record;
	const struct leave_record *r = (const struct leave_record *)e->record;
	struct syscall_regs *regs = &tcb->regs;

	if (brief->kind == RECORD_RETURN) {
		regs->ret = brief->ret;
		tcb->cpu_us = brief->cpu / 1000;
	} else {
		regs->ret = r->ret;
		regs->ip = r->ip;
		regs->sp = r->sp;
		tcb->cpu_us = r->cpu / 1000;
	}
	regs->is_error = regs->ret < 0 && regs->ret >= -ERRNO_MAX;
}

static bool report_leave(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct leave_record *r = (const struct leave_record *)e->record;
	const size_t chunks = chunks_at(&r->head);

	if (r->head.flags & RECORD_NAMED)
		update_name(e, t);
	if (!(t->tcb.flags & TCB_IN_SYSCALL)) {
		if (report_ignored(e, t, stop))
			return true;
		e->record = NULL;
		return false;
	}
	t->tcb.flags &= ~TCB_IN_SYSCALL;
	set_result(e, &t->tcb);
	stream_facts_leave(&e->facts, t, (const char *)r + chunks, e->record_size - chunks);
	if (e->record_size > chunks) {
		add_chunks(e, chunks, CHUNK_AGAIN);
		add_chunks(e, chunks, CHUNK_MEMORY);
		if (e->mmaps)
			add_chunks(e, chunks, CHUNK_STACK);
	}
	stop->kind = STOP_SYSCALL_EXIT;
	stop->tcb = &t->tcb;
	if (!t->ignored.si_signo)
		e->record = NULL;
	return true;
}

static attr_noinline void report_submit(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const size_t chunks = sizeof(struct submit_record);

	add_chunks(e, chunks, CHUNK_MEMORY);
	if (has_failed_reads(e, chunks))
		add_missing(e, chunks);
	bpf_engine_describe_request(e, t, stop);
}

static attr_noinline bool report_signal(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct signal_record *r = (const struct signal_record *)e->record;

	if (e->config.want_ip)
		t->tcb.regs.ip = r->ip;
	add_chunks(e, sizeof(*r), CHUNK_STACK);
	stop->kind = STOP_SIGNAL;
	stop->tcb = &t->tcb;
	stop->sig = (int)r->sig;
	stop->has_info = true;
	memcpy(&stop->info, r->info, sizeof(r->info));
	e->record = NULL;
	return true;
}

static size_t size_of(unsigned kind)
{
	static const size_t sizes[] = {[RECORD_ENTER] = ENTER_NO_ARGS,
				       [RECORD_LEAVE] = sizeof(struct leave_record),
				       [RECORD_RETURN] = sizeof(struct return_record),
				       [RECORD_FORK] = sizeof(struct fork_record),
				       [RECORD_EXEC] = sizeof(struct exec_record),
				       [RECORD_EXIT] = sizeof(struct exit_record),
				       [RECORD_SIGNAL] = sizeof(struct signal_record),
				       [RECORD_IGNORED] = sizeof(struct signal_record),
				       [RECORD_SUBMIT] = sizeof(struct submit_record),
				       [RECORD_PUNT] = sizeof(struct request_record),
				       [RECORD_COMPLETE] = sizeof(struct complete_record),
				       [RECORD_SWITCH] = sizeof(struct switch_record),
				       [RECORD_WAKING] = sizeof(struct waking_record),
				       [RECORD_FAULT] = sizeof(struct fault_record)};

	return kind < ARRAY_SIZE(sizes) && sizes[kind] ? sizes[kind] : SIZE_MAX;
}

bool bpf_engine_report(struct bpf_engine *e, struct stop *stop)
{
	const struct record *r = e->record;
	const unsigned buffer = kernel_buffer(e->record_ring);
	struct thread *t;

	stop_clear(stop);
	chunks_clear(&e->memory);
	e->regs = NULL;
	e->old_call = false;
	e->image.tid = (pid_t)r->tid;
	sleeper_clear(&e->image.sleeper, (pid_t)r->tid);
	e->live_used = 0;
	stream_facts_other(&e->facts);
	bpf_engine_stamp(e, stop, r->time);
	if (e->record_size < size_of(r->kind) ||
	    (r->kind == RECORD_ENTER && e->record_size < chunks_at(r))) {
		e->record = NULL;
		return false;
	}
	if (unlikely(has_new_losses(r, &e->lost[buffer])) && report_lost_before(e, buffer, stop))
		return true;
	if (r->kind == RECORD_EXEC)
		return report_exec(e, stop);
	if (r->kind == RECORD_EXIT && !threads_find(&e->threads, (pid_t)r->tid))
		return report_leaders_end(e, stop);
	/*
	 * A child can end after its parent. Then no known thread receives the signal for the
	 * child's end, so drop the record.
	 */
	if (r->kind == RECORD_IGNORED && !threads_find(&e->threads, (pid_t)r->tid)) {
		e->record = NULL;
		return false;
	}
	if (r->kind == RECORD_PUNT || r->kind == RECORD_COMPLETE) {
		add_chunks(e, sizeof(struct complete_record), CHUNK_AGAIN);
		add_chunks(e, sizeof(struct complete_record), CHUNK_MEMORY);
		bpf_engine_describe_request(e, NULL, stop);
		return true;
	}
	if (r->kind == RECORD_FAULT && e->mmaps)
		add_chunks(e, sizeof(struct fault_record), CHUNK_STACK);
	if (r->kind == RECORD_SWITCH || r->kind == RECORD_WAKING || r->kind == RECORD_FAULT)
		return bpf_engine_report_sched(e, threads_find(&e->threads, (pid_t)r->tid), stop);
	t = thread_of(e, stop);
	if (!t)
		return true;
	switch ((enum record_kind)r->kind) {
	case RECORD_ENTER:
		return report_enter(e, t, stop);
	case RECORD_LEAVE:
	case RECORD_RETURN:
		return report_leave(e, t, stop);
	case RECORD_FORK:
		return report_fork(e, t, stop);
	case RECORD_EXIT:
		return report_exit(e, t, stop);
	case RECORD_SIGNAL:
		return report_signal(e, t, stop);
	case RECORD_IGNORED:
		return handle_ignored(e, t, stop);
	case RECORD_SUBMIT:
		report_submit(e, t, stop);
		return true;
	case RECORD_EXEC:
	case RECORD_PUNT:
	case RECORD_COMPLETE:
	case RECORD_SWITCH:
	case RECORD_WAKING:
	case RECORD_FAULT:
		break;
	}
	return false;
}

void bpf_engine_report_gone(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	stop->tcb = &t->tcb;
	if (t->tcb.tid == e->command || t->tcb.flags & TCB_ENDED) {
		stop->kind = STOP_EXITED;
		stop->status = status_of(e, t, t->status);
	} else {
		stop->kind = STOP_VANISHED;
	}
	forget_space(e, t);
	kernel_thread_ended(e->kernel, t->tcb.tid, 0);
	threads_drop(&e->threads, t);
}
