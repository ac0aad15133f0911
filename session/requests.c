/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/requests.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "capture/capture.h"
#include "capture/facts.h"
#include "session/record.h"
#include "session/reported.h"
#include "session/request.h"
#include "session/rings.h"
#include "session/state.h"
#include "syscall.h"
#include "unwind.h"
#include "uring/ring.h"
#include "util/msg.h"
#include "util/vec.h"

/*
 * The maximum number of completions that are handled at one stop. The next stop handles the others.
 * Without this limit, a process that fills its completion queue itself could delay the other
 * tracees. An io_uring_enter() has two stops and submits at most URING_SQ_MAX requests, so the
 * limit is high enough.
 */
#define STOP_MAX (URING_SQ_MAX / 2)

struct requests *requests_create(bool reported)
{
	struct requests *all = mem_zalloc(sizeof(*all));

	/* If no random bytes are available, the hash still works well for typical values. */
	if (getrandom(&all->key, sizeof(all->key), GRND_NONBLOCK) != sizeof(all->key))
		all->key = 0;
	if (reported)
		all->numbered = mem_zalloc(REQUEST_LISTS * sizeof(*all->numbered));
	return all;
}

/* The context in which a stop is handled. */
struct at {
	struct session *s;
	struct tcb *tcb;
	struct ring *ring;
	struct stack *stack; /* stack of the call that submits the requests; shared */
};

static void complete(void *ctx, const struct uring_cqe *cqe)
{
	struct at *at = ctx;
	struct request *q = pending_find(&at->ring->pending, cqe->user_data);
	struct tcb *tcb = NULL;

	if (!q) {
		/*
		 * This is the notification of a request that is already complete, or the completion
		 * of an unknown request, such as a message of another ring. Count only the second
		 * case.
		 */
		at->s->requests->unknown += !(cqe->flags & URING_CQE_NOTIF);
		return;
	}
	/*
	 * If several processes share the ring, the buffers are in the memory of the submitting
	 * process, so use the thread that submitted the request.
	 */
	if (q->ev->base.tgid != tcb_tgid(at->tcb))
		tcb = capture_find(at->s->capture, q->ev->base.tid);
	request_complete(at->s, tcb ? tcb : at->tcb, q, cqe);
}

static void submit(void *ctx, uint32_t position, const struct uring_sqe *sqe)
{
	struct at *at = ctx;

	request_begin(at->s, at->tcb, at->ring, sqe, at->stack)->at = position;
}

/* Handles at most max completions of the rings of the thread's process. */
static void drain(struct session *s, struct tcb *tcb, uint32_t max)
{
	struct requests *all = s->requests;
	const pid_t tgid = tcb_tgid(tcb);

	for (size_t i = 0; i < all->rings.n && max; i++) {
		const size_t n = (all->turn + i) % all->rings.n;
		struct ring *fd = all->rings.v[n], *r = fd->same ? fd->same : fd;
		struct at at = {s, tcb, r, NULL};

		if (fd->tgid != tgid || !r->ready)
			continue;
		all->lost += uring_read_completions(&r->queues, tcb->memory, &max, complete, &at);
		/*
		 * This ring may have more completions. At the next stop, begin with the next ring.
		 */
		if (!max)
			all->turn = n + 1;
	}
}

/* Drops the requests that were read although the kernel has not taken them. */
static void drop_unsubmitted(struct tcb *tcb, struct ring *r)
{
	uint32_t head;

	if (!uring_read_head(&r->queues, tcb->memory, &head))
		return;
	while (r->pending.newest && !uring_before(r->pending.newest->at, head) &&
	       uring_before(r->pending.newest->at, r->queues.sq_next) &&
	       r->pending.newest->ev->base.tid == tcb->tid) {
		struct request *q = r->pending.newest;

		r->queues.sq_next = q->at;
		r->count--;
		request_drop(q);
	}
}

/*
 * Shows the pending requests that have no completion on success (IOSQE_CQE_SKIP_SUCCESS) and were
 * submitted by an earlier io_uring_enter(). If one of them had failed, its completion would have
 * been read.
 */
static void settle(struct session *s, struct ring *r)
{
	while (r->pending.first_silent && r->pending.first_silent->shown.number <= r->settled)
		request_abandon(s, r->pending.first_silent);
	r->settled = r->count;
}

static void on_uring_enter(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	struct ring *r = ring_of_enter(s, tcb, ev);
	struct at at = {s, tcb, r, NULL};
	struct stack *own = NULL;

	if (!r || !ring_ready(s, tcb, r))
		return;
	if (r->same)
		at.ring = r = r->same;
	if (ev->base.stack)
		at.stack = ev->base.stack;
	else if (s->unwinder && !s->recorder)
		at.stack = own = record_stack_syscall(s, tcb, false);
	uring_read_submissions(&r->queues, tcb->memory, (uint32_t)ev->raw_args[1], submit, &at);
	stack_release(own);
}

void requests_enter(struct session *s, struct tcb *tcb)
{
	struct requests *all = s->requests;
	const struct syscall_event *ev = tcb->syscall;

	if (!ev || !ev->abi || tcb->flags & TCB_WAIT_EXECVE)
		return;
	if (all->numbered) {
		reported_enter(s, tcb);
		return;
	}
	if (all->rings.n && rings_any(all, tcb_tgid(tcb)))
		drain(s, tcb, STOP_MAX);
	if (ev->row == ROW_io_uring_enter)
		on_uring_enter(s, tcb, ev);
}

void requests_exit(struct session *s, struct tcb *tcb)
{
	struct requests *all = s->requests;
	const struct syscall_event *ev = tcb->syscall;
	struct ring *r;

	if (!ev || !ev->abi || tcb->flags & TCB_WAIT_EXECVE || all->numbered)
		return;
	if (all->rings.n && rings_any(all, tcb_tgid(tcb)))
		drain(s, tcb, STOP_MAX);
	if (ev->row == ROW_io_uring_enter) {
		r = ring_of_enter(s, tcb, ev);
		if (r && r->ready) {
			drop_unsubmitted(tcb, r);
			settle(s, r);
		}
	}
	rings_exit(s, tcb, ev);
}

void requests_exiting(struct session *s, struct tcb *tcb)
{
	if (rings_any(s->requests, tcb_tgid(tcb)))
		drain(s, tcb, URING_CQ_MAX);
}

void requests_fork(struct session *s, struct tcb *parent, struct tcb *child)
{
	rings_fork(s, parent, child);
}

void requests_exec(struct session *s, struct tcb *tcb)
{
	rings_forget_process(s, tcb_tgid(tcb));
}

void requests_gone(struct session *s, struct tcb *tcb)
{
	rings_forget_thread(s, tcb->tid);
	/*
	 * The leader is the last thread of a process whose end is reported, so forget the rings
	 * now.
	 */
	if (tcb->tid == tcb->tgid)
		rings_forget_process(s, tcb->tid);
}

void requests_report(const struct requests *q)
{
	if (q->refused > q->reasons.n)
		msg("io_uring: the requests of %u rings were not shown", q->refused);
	if (q->full)
		msg("io_uring: some requests may be missing or have no result, because there were "
		    "more than %u descriptors of rings",
		    RINGS_MAX);
	if (q->lost)
		msg("io_uring: %llu completion%s overwritten before tracer could read %s",
		    (unsigned long long)q->lost, q->lost == 1 ? " was" : "s were",
		    q->lost == 1 ? "it" : "them");
	if (q->unknown)
		msg("io_uring: %llu completion%s to requests whose submission tracer did not see",
		    (unsigned long long)q->unknown, q->unknown == 1 ? " belongs" : "s belong");
}

void requests_destroy(struct session *s, struct requests *q)
{
	if (!q)
		return;
	while (q->rings.n)
		ring_free(s, q->rings.v[q->rings.n - 1]);
	vec_deinit(&q->rings);
	vec_deinit(&q->registered);
	free(q->numbered);
	vec_deinit(&q->reasons);
	free(q);
	s->requests = NULL;
}
