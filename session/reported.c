/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/reported.h"

#include <string.h>

#include "capture/capture.h"
#include "linux/syscall_desc.h"
#include "session/record.h"
#include "session/request.h"
#include "session/rings.h"
#include "session/state.h"
#include "syscall.h"

static struct ring *find(const struct requests *all, const uint64_t id[2])
{
	vec_for_each (&all->rings, r)
		if ((*r)->id[0] == id[0] && (*r)->id[1] == id[1])
			return *r;
	return NULL;
}

/* Returns the ring of a submitted request. Creates it if it is not known. */
static struct ring *find_or_add(struct session *s, struct tcb *tcb, const struct capture_request *q)
{
	struct requests *all = s->requests;
	struct ring *r = find(all, q->ring);

	while (!r) {
		r = ring_create(all, tcb_tgid(tcb), q->fd);
		/*
		 * There are too many rings. The engine does not report the end of a ring, so the
		 * oldest known ring may be gone. Drop it.
		 */
		if (!r) {
			all->full |= all->rings.v[0]->pending.oldest != NULL;
			ring_free(s, all->rings.v[0]);
		} else {
			memcpy(r->id, q->ring, sizeof(r->id));
		}
	}
	return r;
}

/* Returns the stack of the io_uring_enter() that submits a request, or NULL. */
static struct stack *stack_of(const struct tcb *tcb, const struct capture_request *q)
{
	const struct syscall_event *ev = tcb->syscall;

	if (q->polled || !syscall_is_running(ev) || ev->row != ROW_io_uring_enter)
		return NULL;
	return ev->base.stack;
}

static void on_submission(struct session *s, struct tcb *tcb, const struct capture_request *q)
{
	struct ring *r = find_or_add(s, tcb, q);
	struct request *silent = q->silent ? request_find(r, q->silent) : NULL;
	struct request *same;
	struct tcb caller = *tcb;
	struct uring_sqe sqe;

	/*
	 * The earlier request has succeeded. IOSQE_CQE_SKIP_SUCCESS suppressed its completion, so
	 * show the request without a result.
	 */
	if (silent)
		request_abandon(s, silent);
	/*
	 * The number of a request is unique, except in a damaged trace. End an earlier request with
	 * the same number.
	 */
	same = request_find(r, q->number);
	if (same)
		request_abandon(s, same);
	memcpy(&sqe, q->sqe, sizeof(sqe));
	caller.regs.audit = q->audit;
	r->fd = q->fd;
	r->count = q->number - 1;
	r->chain = q->chain;
	request_begin(s, &caller, r, &sqe, stack_of(tcb, q));
}

static void on_completion(struct session *s, struct tcb *tcb, struct ring *r,
			  const struct capture_request *q)
{
	const struct uring_cqe cqe = {q->user_data, q->result, q->cqe_flags};
	struct request *found =
		q->number ? request_find(r, q->number) : pending_find(&r->pending, q->user_data);

	/* The submission of the request was lost. The engine has counted this loss. */
	if (!found)
		return;
	if (!tcb->tid) {
		struct tcb *submitter = capture_find(s->capture, found->ev->base.tid);

		tcb = submitter ? submitter : tcb;
	}
	request_complete(s, tcb, found, &cqe);
}

static void on_request(struct session *s, const struct stop *stop)
{
	const struct capture_request *q = stop->request;
	struct ring *r;
	struct request *found;

	if (stop->kind == STOP_REQUEST_SUBMITTED) {
		on_submission(s, stop->tcb, q);
		return;
	}
	r = find(s->requests, q->ring);
	if (!r)
		return;
	if (stop->kind == STOP_REQUEST_COMPLETED) {
		on_completion(s, stop->tcb, r, q);
		return;
	}
	found = request_find(r, q->number);
	if (found)
		found->shown.punted = true;
}

void reported_stop(struct session *s, const struct stop *stop)
{
	/*
	 * A damaged trace can contain this stop even if the engine that recorded the trace did not
	 * report requests. Ignore the stop in that case.
	 */
	if (s->requests && s->requests->numbered)
		on_request(s, stop);
	/*
	 * If the thread has ended, it has no later event, so drop the recorder's data about the
	 * thread now.
	 */
	if (s->recorder && !capture_find(s->capture, stop->tcb->tid))
		record_forget(s, stop->tcb);
}

void reported_enter(struct session *s, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;

	/*
	 * Capture the stack even if the call is not shown, because the requests of the call need
	 * it.
	 */
	if (ev->row == ROW_io_uring_enter && s->unwinder && !s->recorder && !ev->base.stack)
		ev->base.stack = record_stack_syscall(s, tcb, false);
}
