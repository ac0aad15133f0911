/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/request.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "select/filter.h"
#include "session/emit.h"
#include "session/state.h"
#include "session/watch.h"
#include "syscall.h"
#include "trace/record/recorder.h"
#include "unwind.h"

/*
 * The maximum number of requests in progress in all rings, and the maximum size in bytes of their
 * values. If a limit is reached, a new request replaces the oldest request of its ring, which is
 * shown without a result. If that ring has no requests in progress, the oldest request of another
 * ring is replaced.
 */
#define PENDING_MAX	  65536u
#define PENDING_BYTES_MAX (64u << 20)
/*
 * Returns the address of the pointer to the request with this number. If there is none, returns the
 * address of the null pointer that ends the list.
 */
static struct request **place_numbered(const struct ring *r, uint64_t number)
{
	uint64_t h = (r->id[0] ^ r->id[1] ^ r->all->key) + number;
	struct request **at;

	h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	at = &r->all->numbered[h >> 48 & (REQUEST_LISTS - 1)];
	while (*at && ((*at)->ring != r || (*at)->shown.number != number))
		at = &(*at)->next_numbered;
	return at;
}

struct request *request_find(const struct ring *r, uint64_t number)
{
	return *place_numbered(r, number);
}

static void take_out(struct request *q)
{
	struct ring *r = q->ring;

	pending_remove(&r->pending, q);
	if (r->all->numbered)
		*place_numbered(r, q->shown.number) = q->next_numbered;
	r->all->pending--;
	r->all->bytes -= q->bytes;
}

/* ev may be NULL. */
static void event_free(struct syscall_event *ev)
{
	struct tcb owner = {.syscall = ev};

	syscall_forget(&owner);
}

static void request_free(struct request *q)
{
	stack_release(q->ev->base.stack);
	event_free(q->ev);
	event_free(q->recorded);
	free(q);
}

void request_drop(struct request *q)
{
	take_out(q);
	request_free(q);
}

/* Creates the value fixed(2), which means slot 2 of the ring's table of files. */
static struct value *new_fixed_value(struct arena *a, int64_t slot)
{
	struct value *v = value_call(a, "fixed");

	v->num = (uint64_t)slot;
	value_add(v, value_int(a, slot));
	return v;
}

/*
 * If a request has placed a file in the ring's table, shows the slot of the file as the result.
 * `res` is the slot only if the kernel has chosen the slot; otherwise the program has chosen it.
 * pipe2() stores its slots in memory, so its result is not changed.
 */
static void name_new_slot(struct request *q, int32_t res)
{
	const bool chosen = q->call.new_slot == UINT32_MAX - 1;

	if (q->ev->base.ret_kind == RET_VALUE && q->call.direct && q->call.row != ROW_pipe2)
		q->ev->base.ret_value =
			new_fixed_value(&q->ev->arena, chosen ? res : (int64_t)q->call.new_slot);
}

static void replace_fixed(struct request *q)
{
	struct arg *arg = q->ev->base.args;

	if (q->call.fixed_arg < 0 || q->call.fixed_arg >= (int)q->ev->base.nargs)
		return;
	arg[q->call.fixed_arg].in = new_fixed_value(&q->ev->arena, q->call.slot);
	arg[q->call.fixed_arg].out = NULL;
}

/* Returns true if a request passes the filters that are applied at the entry of calls. */
static bool is_wanted(const struct session *s, struct tcb *caller)
{
	const struct syscall_event *ev = caller->syscall;
	bool memory_seen = false;

	return ev->abi && syscall_set_has_request(&s->o->filter.trace, (unsigned)ev->row) &&
	       filter_enter(&s->o->filter, caller->memory, caller->facts, ev, &memory_seen);
}

/* Returns true if a completed request passes the filters that are applied at the exit of calls. */
static bool passes(const struct session *s, const struct syscall_event *ev)
{
	bool open;

	if (!filter_exit(&s->o->filter, s->unwinder, ev))
		return false;
	return !s->o->filter.where || filter_where(&s->o->filter, s->unwinder, ev, true, &open);
}

static void show(struct session *s, struct request *q)
{
	struct syscall_event *ev = q->ev;

	ev->base.kind = EVENT_OTHER;
	ev->base.source = "io_uring";
	ev->base.request = &q->shown;
	ev->base.has_duration = ev->base.ret_kind != RET_NONE;
	if (!q->hidden && !s->o->record_only && passes(s, ev))
		feed_event(&s->feed, &ev->base);
	if (q->watched)
		watch_event(s, &ev->base);
}

/*
 * Returns a copy of tcb in which the request takes the place of the current call. The thread may
 * have ended, or may be unknown to the engine.
 */
static struct tcb calling(const struct tcb *tcb, const struct request *q)
{
	struct tcb caller = *tcb;

	caller.syscall = q->ev;
	caller.regs.audit = q->audit;
	if (!caller.tid) {
		caller.tid = q->ev->base.tid;
		caller.tgid = q->ev->base.tgid;
	}
	return caller;
}

void request_abandon(struct session *s, struct request *q)
{
	take_out(q);
	q->ev->base.ret_kind = RET_NONE;
	show(s, q);
	request_free(q);
}

/* Makes space for a new request of ring r. */
static void make_room(struct session *s, struct ring *r)
{
	while (s->requests->pending &&
	       (s->requests->pending >= PENDING_MAX || s->requests->bytes > PENDING_BYTES_MAX)) {
		if (!r->pending.oldest)
			vec_for_each (&s->requests->rings, other)
				if ((*other)->pending.oldest)
					r = *other;
		request_abandon(s, r->pending.oldest);
	}
}

/* Returns true if the arguments and the result of a request are needed. */
static bool is_decoded(const struct request *q)
{
	return !q->hidden || q->watched;
}

static void decode_enter(const struct session *s, struct tcb *caller, struct request *q)
{
	/*
	 * A recording must contain the memory of each request, because its reader may show any
	 * request.
	 */
	if (s->recorder)
		q->recorded = recorder_request(s->recorder, caller, q->recorded, q->call.row,
					       q->call.args);
	if (!is_decoded(q))
		return;
	syscall_decode_enter(caller, &s->decode);
	replace_fixed(q);
}

/* Begins and returns the event of a request. caller->syscall is NULL or an event to reuse. */
static struct syscall_event *begin(const struct session *s, struct tcb *caller,
				   const struct uring_call *call)
{
	struct syscall_event *ev = syscall_begin_request(caller, s->rows, call->row, call->args);

	if (ev->row == ROW_io_uring_unknown)
		ev->base.name = arena_printf(&ev->arena, "opcode_%u", call->opcode);
	return ev;
}

/*
 * Starts a new event for a multishot request, so that the values of its completions do not
 * accumulate.
 */
static void renew(const struct session *s, struct tcb *tcb, struct request *q)
{
	struct tcb caller = calling(tcb, q);
	const struct event head = q->ev->base;
	struct event *e = &begin(s, &caller, &q->call)->base;

	e->time = head.time;
	e->mono = head.mono;
	e->tid = head.tid;
	e->tgid = head.tgid;
	memcpy(e->comm, head.comm, sizeof(e->comm));
	e->stack = head.stack;
	decode_enter(s, &caller, q);
}

void request_complete(struct session *s, struct tcb *tcb, struct request *q,
		      const struct uring_cqe *cqe)
{
	struct tcb caller;

	if (cqe->flags & URING_CQE_NOTIF) {
		request_drop(q);
		return;
	}
	if (!(cqe->flags & URING_CQE_MORE))
		take_out(q);
	caller = calling(tcb, q);
	caller.regs.ret = cqe->res;
	caller.regs.is_error = cqe->res < 0;
	syscall_end(&caller);
	q->shown.cqe_flags = cqe->flags;
	if (q->recorded)
		recorder_completion(s->recorder, &caller, q->recorded, cqe->res);
	if (is_decoded(q)) {
		emit_duration(s, q->ev);
		syscall_decode_exit(&caller, &s->decode);
		name_new_slot(q, cqe->res);
		replace_fixed(q);
	}
	show(s, q);
	if (cqe->flags & URING_CQE_MORE)
		renew(s, tcb, q);
	else
		request_free(q);
}

static uint64_t chain_of(struct ring *r, uint8_t flags, uint64_t number)
{
	const uint64_t chain = r->chain;
	const bool links = flags & (URING_SQE_LINK | URING_SQE_HARDLINK);

	r->chain = links ? (chain ? chain : number) : 0;
	return links && !chain ? number : chain;
}

struct request *request_begin(struct session *s, struct tcb *tcb, struct ring *r,
			      const struct uring_sqe *sqe, struct stack *stack)
{
	const struct uring_call call = uring_call_of(sqe);
	struct tcb caller = *tcb;
	struct request *q = mem_zalloc(sizeof(*q));
	struct syscall_event *ev;

	caller.syscall = NULL;
	ev = begin(s, &caller, &call);
	q->ev = ev;
	q->ring = r;
	q->call = call;
	q->audit = tcb->regs.audit;
	q->shown = (struct ring_request){.ring = r->fd,
					 .number = ++r->count,
					 .user_data = sqe->user_data,
					 .flags = sqe->flags,
					 .direct = call.direct};
	q->shown.chain = chain_of(r, sqe->flags, q->shown.number);
	caller.syscall = ev;
	emit_stamp(s, &ev->base, &caller);
	q->hidden = !is_wanted(s, &caller);
	q->watched = watch_wants_request(s, call.row);
	decode_enter(s, &caller, q);
	ev->base.stack = q->hidden && !q->watched ? NULL : stack_share(stack);
	make_room(s, r);
	pending_add(&r->pending, q);
	if (s->requests->numbered)
		*place_numbered(r, q->shown.number) = q;
	s->requests->pending++;
	q->bytes = ev->arena.total + (q->recorded ? q->recorded->arena.total : 0);
	s->requests->bytes += q->bytes;
	return q;
}
