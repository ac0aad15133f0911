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
#include "session/state.h"
#include "syscall.h"
#include "unwind.h"
#include "uring/ring.h"
#include "util/msg.h"
#include "util/vec.h"

/*
 * The maximum number of completions that one stop handles, so that a process that writes its own
 * completion queue cannot delay the other tracees. The next stop reads the others. An
 * io_uring_enter() has two stops and submits at most URING_SQ_MAX requests.
 */
#define STOP_MAX (URING_SQ_MAX / 2)

/* Numbers of linux/io_uring.h. */
enum { ENTER_REGISTERED_RING = 1 << 4, REGISTER_USE_REGISTERED = 1u << 31 };
enum { REGISTER_RING_FDS = 20, UNREGISTER_RING_FDS = 21, REGISTER_RESIZE_RINGS = 33 };

struct requests *requests_create(bool reported)
{
	struct requests *all = mem_zalloc(sizeof(*all));

	/* Without random bytes, the hash still spreads the values that programs usually choose. */
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
	struct stack *stack; /* of the call that submits; shared */
};

static void complete(void *ctx, const struct uring_cqe *cqe)
{
	struct at *at = ctx;
	struct request *q = pending_find(&at->ring->pending, cqe->user_data);

	if (q)
		request_complete(at->s, at->tcb, q, cqe);
	else
		/* The notification of a request that is complete, or a message of another ring. */
		at->s->requests->unknown += !(cqe->flags & URING_CQE_NOTIF);
}

static void submit(void *ctx, uint32_t position, const struct uring_sqe *sqe)
{
	struct at *at = ctx;

	request_begin(at->s, at->tcb, at->ring, sqe, at->stack)->at = position;
}

/* ---- rings ---- */

static struct ring *ring_find(const struct requests *all, pid_t tgid, int fd)
{
	vec_for_each (&all->rings, r)
		if ((*r)->tgid == tgid && (*r)->fd == fd)
			return *r;
	return NULL;
}

static bool has_rings(const struct requests *all, pid_t tgid)
{
	vec_for_each (&all->rings, r)
		if ((*r)->tgid == tgid)
			return true;
	return false;
}

/*
 * Descriptor fd is closed. If the process has another descriptor of the ring, the requests now
 * belong to that one.
 */
static void ring_close(struct session *s, pid_t tgid, int fd)
{
	struct requests *all = s->requests;
	struct ring *r = ring_find(all, tgid, fd);

	if (!r)
		return;
	vec_for_each (&all->rings, other)
		if ((*other)->same == r) {
			const int kept = (*other)->fd;

			ring_free(s, *other);
			r->fd = kept;
			return;
		}
	ring_free(s, r);
}

static struct ring *ring_new(struct session *s, pid_t tgid, int fd)
{
	struct ring *r = ring_find(s->requests, tgid, fd);

	if (r)
		ring_close(s, tgid, fd);
	return ring_create(s->requests, tgid, fd);
}

/* Each reason is reported once, because a program can set up any number of rings. */
static void refuse(const struct session *s, struct ring *r, const char *why)
{
	r->refused = true;
	s->requests->refused++;
	vec_for_each (&s->requests->reasons, reason)
		if (*reason == why)
			return;
	*vec_push(&s->requests->reasons) = why;
	msg("The requests of io_uring %d of process %d are not shown: %s", r->fd, (int)r->tgid,
	    why);
}

static bool layout_of(struct facts *facts, struct uring_layout *layout)
{
	uint64_t n[6];

	if (!fact_uring_layout(facts, n))
		return false;
	*layout = (struct uring_layout){n[0], n[1], n[2], n[3], n[4], n[5]};
	return true;
}

/*
 * Finds the memory of a ring when it is used for the first time. Returns whether its queues can be
 * read.
 */
static bool ring_ready(const struct session *s, struct tcb *tcb, struct ring *r)
{
	struct uring_maps maps = {0};
	struct uring_layout layout;
	uint64_t found[5] = {0};
	const char *why;

	if (r->ready || r->refused || r->same)
		return !r->refused;
	if (fact_uring(tcb->facts, tcb->tid, r->fd, found)) {
		maps = (struct uring_maps){found[0], found[1], found[2], found[3], found[4] != 0};
	} else if (!r->has_params) {
		r->refused = true; /* not a ring, or gone */
		return false;
	}
	if (r->has_params)
		why = uring_ring_init(&r->queues, &r->params, &maps);
	else if (layout_of(tcb->facts, &layout))
		why = uring_ring_find(&r->queues, tcb->memory, &maps, &layout);
	else
		why = "tracer cannot set up a ring to compare with";
	if (why)
		refuse(s, r, why);
	/* Other descriptors may refer to the same ring, after dup(2) for example. */
	vec_for_each (&s->requests->rings, other)
		if (!why && *other != r && (*other)->tgid == r->tgid && (*other)->ready &&
		    (*other)->queues.sq_head == r->queues.sq_head) {
			r->same = *other;
			return true;
		}
	r->ready = !why;
	return r->ready;
}

/* The ring that a call of io_uring_enter() or io_uring_register() is about, or NULL. */
static struct ring *ring_of(struct session *s, struct tcb *tcb, uint64_t fd, bool is_index)
{
	struct requests *all = s->requests;
	struct ring *r;

	if (is_index) {
		vec_for_each (&all->registered, g)
			if (g->tid == tcb->tid && g->index == (uint32_t)fd)
				return g->ring;
		return NULL;
	}
	r = ring_find(all, tcb_tgid(tcb), (int)fd);
	if (!r)
		r = ring_new(s, tcb_tgid(tcb), (int)fd);
	return r && r->same ? r->same : r;
}

/* Takes at most max completions of the rings of the thread's process. */
static void drain(struct session *s, struct tcb *tcb, uint32_t max)
{
	struct requests *all = s->requests;
	const pid_t tgid = tcb_tgid(tcb);

	for (size_t i = 0; i < all->rings.n && max; i++) {
		const size_t n = (all->turn + i) % all->rings.n;
		struct ring *r = all->rings.v[n];
		struct at at = {s, tcb, r, NULL};

		if (r->tgid != tgid || !r->ready)
			continue;
		all->lost += uring_read_completions(&r->queues, tcb->memory, &max, complete, &at);
		/* This ring may have more. At the next stop, the others come first. */
		if (!max)
			all->turn = n + 1;
	}
}

/* ---- submission ---- */

/* Drops the requests that were read but that the kernel has not taken. */
static void drop_untaken(struct tcb *tcb, struct ring *r)
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
 * Shows requests whose success has no completion (IOSQE_CQE_SKIP_SUCCESS), if they have not failed
 * since the previous io_uring_enter().
 */
static void settle(struct session *s, struct ring *r)
{
	while (r->pending.first_silent && r->pending.first_silent->shown.number <= r->settled)
		request_abandon(s, r->pending.first_silent);
	r->settled = r->count;
}

static void on_uring_enter(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	struct ring *r = ring_of(s, tcb, ev->raw_args[0], ev->raw_args[3] & ENTER_REGISTERED_RING);
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
	if (all->rings.n && has_rings(all, tcb_tgid(tcb)))
		drain(s, tcb, STOP_MAX);
	if (ev->row == ROW_io_uring_enter)
		on_uring_enter(s, tcb, ev);
}

/* ---- what changes rings ---- */

/* A thread has at most 16 registered rings. */
#define REGISTERED_MAX 16u

static void unregister(struct requests *all, pid_t tid, uint32_t index)
{
	for (size_t i = all->registered.n; i-- > 0;)
		if (all->registered.v[i].tid == tid && all->registered.v[i].index == index)
			all->registered.v[i] = all->registered.v[--all->registered.n];
}

/* Registers ring r, or none if it is NULL. The index may come from the memory of the tracee. */
static void set_registered(struct requests *all, pid_t tid, uint32_t index, struct ring *r)
{
	unregister(all, tid, index);
	if (r && index < REGISTERED_MAX)
		*vec_push(&all->registered) = (struct registered){tid, index, r};
}

static void on_setup(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	struct uring_params p;
	struct ring *r;

	if (memory_read(tcb->memory, ev->raw_args[1], &p, sizeof(p)))
		return;
	r = ring_new(s, tcb_tgid(tcb), (int)ev->base.ret);
	if (!r)
		return;
	r->params = p;
	r->has_params = true;
	if (p.flags & URING_SQPOLL)
		ring_ready(s, tcb, r);
	if (p.flags & URING_REGISTERED_FD_ONLY) {
		set_registered(s->requests, tcb->tid, (uint32_t)ev->base.ret, r);
		r->fd = -1 - r->fd; /* not a descriptor */
	}
}

/* struct io_uring_rsrc_update */
struct ring_update {
	uint32_t offset, unused;
	uint64_t data;
};

static void on_register(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	const uint32_t op = (uint32_t)ev->raw_args[1] & ~(uint32_t)REGISTER_USE_REGISTERED;
	const bool is_index = (uint32_t)ev->raw_args[1] & REGISTER_USE_REGISTERED;
	struct ring_update updates[REGISTERED_MAX];
	const uint64_t n =
		size_min((uint32_t)ev->raw_args[3], size_min((size_t)ev->base.ret, REGISTERED_MAX));
	struct ring *r;

	if (op == REGISTER_RESIZE_RINGS) {
		r = ring_of(s, tcb, ev->raw_args[0], is_index);
		if (r) {
			r->has_params = r->ready = false;
			while (r->pending.oldest)
				request_abandon(s, r->pending.oldest);
		}
		return;
	}
	if ((op != REGISTER_RING_FDS && op != UNREGISTER_RING_FDS) ||
	    memory_read(tcb->memory, ev->raw_args[2], updates, n * sizeof(updates[0])))
		return;
	for (uint64_t i = 0; i < n; i++) {
		r = op == REGISTER_RING_FDS ? ring_of(s, tcb, updates[i].data, false) : NULL;
		set_registered(s->requests, tcb->tid, updates[i].offset, r);
	}
}

static bool is_dup(const struct syscall_event *ev)
{
	switch (ev->row) {
	case ROW_dup:
	case ROW_dup2:
	case ROW_dup3:
		return true;
	case ROW_fcntl:
	case ROW_fcntl64:
		return ev->raw_args[1] == F_DUPFD || ev->raw_args[1] == F_DUPFD_CLOEXEC;
	default:
		return false;
	}
}

/* The process has made `copy` a duplicate of descriptor fd, and has closed the old `copy`. */
static void on_dup(struct session *s, struct tcb *tcb, int fd, int copy)
{
	struct ring *r, *alias;

	if (fd == copy)
		return;
	ring_close(s, tcb_tgid(tcb), copy);
	r = ring_find(s->requests, tcb_tgid(tcb), fd);
	if (!r)
		return;
	alias = ring_new(s, r->tgid, copy);
	if (alias)
		alias->same = r->same ? r->same : r;
}

void requests_exit(struct session *s, struct tcb *tcb)
{
	struct requests *all = s->requests;
	const struct syscall_event *ev = tcb->syscall;
	struct ring *r;

	if (!ev || !ev->abi || tcb->flags & TCB_WAIT_EXECVE || all->numbered)
		return;
	if (all->rings.n && has_rings(all, tcb_tgid(tcb)))
		drain(s, tcb, STOP_MAX);
	if (ev->row == ROW_io_uring_enter) {
		r = ring_of(s, tcb, ev->raw_args[0], ev->raw_args[3] & ENTER_REGISTERED_RING);
		if (r && r->ready) {
			drop_untaken(tcb, r);
			settle(s, r);
		}
		return;
	}
	if (ev->base.ret_kind != RET_VALUE)
		return;
	if (ev->row == ROW_io_uring_setup)
		on_setup(s, tcb, ev);
	else if (ev->row == ROW_io_uring_register && ev->base.ret > 0)
		on_register(s, tcb, ev);
	else if (ev->row == ROW_close)
		ring_close(s, tcb_tgid(tcb), (int)ev->raw_args[0]);
	else if (is_dup(ev))
		on_dup(s, tcb, (int)ev->raw_args[0], (int)ev->base.ret);
}

void requests_exiting(struct session *s, struct tcb *tcb)
{
	if (has_rings(s->requests, tcb_tgid(tcb)))
		drain(s, tcb, URING_CQ_MAX);
}

static void forget_process(struct session *s, pid_t tgid)
{
	for (size_t i = s->requests->rings.n; i-- > 0;)
		if (i < s->requests->rings.n && s->requests->rings.v[i]->tgid == tgid)
			ring_free(s, s->requests->rings.v[i]);
}

void requests_exec(struct session *s, struct tcb *tcb)
{
	forget_process(s, tcb_tgid(tcb));
}

void requests_gone(struct session *s, struct tcb *tcb)
{
	struct requests *all = s->requests;

	for (size_t i = all->registered.n; i-- > 0;)
		if (all->registered.v[i].tid == tcb->tid)
			all->registered.v[i] = all->registered.v[--all->registered.n];
	/* The leader of a process is the last thread whose end is reported. */
	if (tcb->tid == tcb->tgid)
		forget_process(s, tcb->tid);
}

/* ---- the end ---- */

void requests_report(const struct requests *q)
{
	if (q->refused > q->reasons.n)
		msg("io_uring: the requests of %u rings were not shown", q->refused);
	if (q->lost)
		msg("io_uring: %llu completion%s overwritten before tracer could read %s",
		    (unsigned long long)q->lost, q->lost == 1 ? " was" : "s were",
		    q->lost == 1 ? "it" : "them");
	if (q->unknown)
		msg("io_uring: %llu completion%s of requests that tracer had not seen",
		    (unsigned long long)q->unknown, q->unknown == 1 ? " was" : "s were");
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
