/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/rings.h"

#include <fcntl.h>
#include <stdlib.h>

#include "capture/capture.h"
#include "capture/facts.h"
#include "linux/syscall_desc.h"
#include "session/request.h"
#include "session/state.h"
#include "util/msg.h"

/* A thread has at most 16 registered rings. */
#define REGISTERED_MAX 16u

/* Constants from linux/io_uring.h. */
enum { ENTER_REGISTERED_RING = 1 << 4, REGISTER_USE_REGISTERED = 1u << 31 };
enum { REGISTER_RING_FDS = 20, UNREGISTER_RING_FDS = 21, REGISTER_RESIZE_RINGS = 33 };

static struct ring *ring_find(const struct requests *all, pid_t tgid, int fd)
{
	vec_for_each (&all->rings, r)
		if ((*r)->tgid == tgid && (*r)->fd == fd)
			return *r;
	return NULL;
}

static struct ring *any_ring(const struct requests *all, pid_t tgid)
{
	vec_for_each (&all->rings, r)
		if ((*r)->tgid == tgid)
			return *r;
	return NULL;
}

bool rings_any(const struct requests *all, pid_t tgid)
{
	return any_ring(all, tgid) != NULL;
}

void ring_free(struct session *s, struct ring *r)
{
	struct requests *all = s->requests;

	while (r->pending.oldest)
		request_abandon(s, r->pending.oldest);
	for (size_t i = all->registered.n; i-- > 0;)
		if (all->registered.v[i].ring == r)
			all->registered.v[i] = all->registered.v[--all->registered.n];
	for (size_t i = all->rings.n; i-- > 0;)
		if (all->rings.v[i] == r)
			all->rings.v[i] = all->rings.v[--all->rings.n];
	free(r);
}

/* Returns another descriptor of the ring, or NULL. */
static struct ring *find_alias(const struct requests *all, const struct ring *r)
{
	vec_for_each (&all->rings, other)
		if ((*other)->same == r)
			return *other;
	return NULL;
}

/*
 * Handles the end of a descriptor of a ring. The requests of that descriptor are passed to another
 * descriptor of the ring, or to a registration. If there is neither, the ring is freed.
 */
static void ring_close(struct session *s, struct ring *r)
{
	struct requests *all = s->requests;
	struct ring *alias = find_alias(all, r);

	if (alias) {
		r->tgid = alias->tgid;
		r->fd = alias->fd;
		ring_free(s, alias);
		return;
	}
	vec_for_each (&all->registered, g)
		if (g->ring == r) {
			r->fd = -1 - (int)g->index;
			return;
		}
	ring_free(s, r);
}

struct ring *ring_create(struct requests *all, pid_t tgid, int fd)
{
	struct ring *r;

	if (all->rings.n >= RINGS_MAX) {
		all->full |= !all->numbered;
		return NULL;
	}
	r = mem_zalloc(sizeof(*r));
	r->all = all;
	r->pending.key = all->key;
	r->tgid = tgid;
	r->fd = fd;
	*vec_push(&all->rings) = r;
	return r;
}

static void close_fd(struct session *s, pid_t tgid, int fd)
{
	struct ring *r = fd < 0 ? NULL : ring_find(s->requests, tgid, fd);

	if (r)
		ring_close(s, r);
}

static struct ring *ring_new(struct session *s, pid_t tgid, int fd)
{
	close_fd(s, tgid, fd);
	return ring_create(s->requests, tgid, fd);
}

/*
 * Marks a ring as unreadable and prints a message with the reason. A program can create any number
 * of rings, so each reason is printed only once.
 */
static void refuse(const struct session *s, struct ring *r, const char *why)
{
	r->refused = true;
	s->requests->refused++;
	vec_for_each (&s->requests->reasons, reason)
		if (*reason == why)
			return;
	*vec_push(&s->requests->reasons) = why;
	msg("The requests of %sio_uring %d of process %d are not shown: %s",
	    r->fd < 0 ? "registered " : "", r->fd < 0 ? -1 - r->fd : r->fd, (int)r->tgid, why);
}

static bool layout_of(struct facts *facts, struct uring_layout *layout)
{
	uint64_t n[6];

	if (!fact_uring_layout(facts, n))
		return false;
	*layout = (struct uring_layout){n[0], n[1], n[2], n[3], n[4], n[5]};
	return true;
}

bool ring_ready(const struct session *s, struct tcb *tcb, struct ring *r)
{
	const struct uring_ring before = r->queues;
	struct uring_maps maps = {0};
	struct uring_layout layout;
	uint64_t found[5] = {0};
	const char *why;

	if (r->ready || r->refused || r->same)
		return !r->refused;
	if (fact_uring(tcb->facts, tcb->tid, r->fd, found)) {
		maps = (struct uring_maps){found[0], found[1], found[2], found[3], found[4] != 0};
	} else if (!r->has_params) {
		r->missing = true;
		return false;
	}
	r->missing = false;
	if (r->has_params)
		why = uring_ring_init(&r->queues, &r->params, &maps);
	else if (layout_of(tcb->facts, &layout))
		why = uring_ring_find(&r->queues, tcb->memory, &maps, &layout);
	else
		why = "tracer could not create its own ring, which it needs to find the queues";
	if (why)
		refuse(s, r, why);
	if (r->resized) {
		r->queues.sq_next = before.sq_next;
		r->queues.cq_next = before.cq_next;
		r->queues.second_half = before.second_half;
	}
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

static void unregister(struct requests *all, pid_t tid, uint32_t index)
{
	for (size_t i = all->registered.n; i-- > 0;)
		if (all->registered.v[i].tid == tid && all->registered.v[i].index == index)
			all->registered.v[i] = all->registered.v[--all->registered.n];
}

/*
 * Registers ring r for the thread or, if r is NULL, removes the registration. The index may come
 * from the memory of the tracee, so it may be invalid.
 */
static void set_registered(struct requests *all, pid_t tid, uint32_t index, struct ring *r)
{
	unregister(all, tid, index);
	if (r && index < REGISTERED_MAX)
		*vec_push(&all->registered) = (struct registered){tid, index, r};
}

/*
 * Returns the ring that the thread has registered, or NULL. If the ring was registered before
 * tracer attached, returns a ring whose requests are not shown.
 */
static struct ring *registered_ring(struct session *s, struct tcb *tcb, uint32_t index)
{
	struct ring *r;

	vec_for_each (&s->requests->registered, g)
		if (g->tid == tcb->tid && g->index == index)
			return g->ring;
	if (!(tcb->flags & TCB_ATTACHED) || index >= REGISTERED_MAX)
		return NULL;
	r = ring_create(s->requests, tcb_tgid(tcb), -1 - (int)index);
	if (!r)
		return NULL;
	set_registered(s->requests, tcb->tid, index, r);
	refuse(s, r, "the ring was registered before tracer attached to the thread");
	return r;
}

static struct ring *ring_of(struct session *s, struct tcb *tcb, uint64_t fd, bool is_index)
{
	struct ring *r;

	if (is_index)
		return registered_ring(s, tcb, (uint32_t)fd);
	if ((int)fd < 0)
		return NULL;
	r = ring_find(s->requests, tcb_tgid(tcb), (int)fd);
	if (!r)
		r = ring_new(s, tcb_tgid(tcb), (int)fd);
	return r && r->same ? r->same : r;
}

struct ring *ring_of_enter(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	return ring_of(s, tcb, ev->raw_args[0], ev->raw_args[3] & ENTER_REGISTERED_RING);
}

/* Frees the rings that have neither a descriptor nor a registration any more. */
static void free_unregistered(struct session *s)
{
	struct requests *all = s->requests;

	for (size_t i = all->rings.n; i-- > 0;)
		if (i < all->rings.n && all->rings.v[i]->fd < 0)
			ring_close(s, all->rings.v[i]);
}

static void on_setup(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	const pid_t tgid = tcb_tgid(tcb);
	struct uring_params p;
	struct ring *r;

	if (memory_read(tcb->memory, ev->raw_args[1], &p, sizeof(p)))
		return;
	/* The result may be the index of a registered ring instead of a descriptor. */
	r = p.flags & URING_REGISTERED_FD_ONLY
		    ? ring_create(s->requests, tgid, -1 - (int)ev->base.ret)
		    : ring_new(s, tgid, (int)ev->base.ret);
	if (!r)
		return;
	r->params = p;
	r->has_params = true;
	if (p.flags & URING_REGISTERED_FD_ONLY)
		set_registered(s->requests, tcb->tid, (uint32_t)ev->base.ret, r);
	if (p.flags & URING_SQPOLL)
		ring_ready(s, tcb, r);
}

/* struct io_uring_rsrc_update of linux/io_uring.h */
struct ring_update {
	uint32_t offset, unused;
	uint64_t data;
};

/*
 * Handles a resize of a ring. The kernel has moved both queues to new memory, which the program
 * must map. The positions in the queues are unchanged.
 */
static void on_resize(struct tcb *tcb, struct ring *r, uint64_t params)
{
	const uint32_t flags = r->params.flags;

	if (!r->has_params || memory_read(tcb->memory, params, &r->params, sizeof(r->params)))
		r->has_params = false;
	r->params.flags = flags;
	r->resized = r->ready;
	r->ready = false;
}

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
		if (r)
			on_resize(tcb, r, ev->raw_args[2]);
		return;
	}
	if ((op != REGISTER_RING_FDS && op != UNREGISTER_RING_FDS) ||
	    memory_read(tcb->memory, ev->raw_args[2], updates, n * sizeof(updates[0])))
		return;
	for (uint64_t i = 0; i < n; i++) {
		r = op == REGISTER_RING_FDS ? ring_of(s, tcb, updates[i].data, false) : NULL;
		set_registered(s->requests, tcb->tid, updates[i].offset, r);
		/*
		 * Find the ring's memory now, because the program may close the descriptor before
		 * it uses the ring.
		 */
		if (r)
			ring_ready(s, tcb, r);
	}
	free_unregistered(s);
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

/*
 * Handles a duplicate: `copy` now refers to the same file as fd, and the old file of `copy` was
 * closed.
 */
static void on_dup(struct session *s, struct tcb *tcb, int fd, int copy)
{
	struct ring *r, *alias;

	if (fd == copy)
		return;
	close_fd(s, tcb_tgid(tcb), copy);
	r = ring_find(s->requests, tcb_tgid(tcb), fd);
	if (!r)
		return;
	alias = ring_new(s, r->tgid, copy);
	if (alias)
		alias->same = r->same ? r->same : r;
}

/*
 * Handles a successful io_uring_enter(). If the ring's memory was not found when the call began,
 * its descriptor could have been another file, but it is a ring.
 */
static void on_entered(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	struct ring *r = ring_of_enter(s, tcb, ev);

	if (r && r->missing && !r->refused)
		refuse(s, r, "the memory of the ring was not found");
}

void rings_exit(struct session *s, struct tcb *tcb, const struct syscall_event *ev)
{
	if (ev->base.ret_kind != RET_VALUE)
		return;
	if (ev->row == ROW_io_uring_setup)
		on_setup(s, tcb, ev);
	else if (ev->row == ROW_io_uring_register)
		on_register(s, tcb, ev);
	else if (ev->row == ROW_io_uring_enter)
		on_entered(s, tcb, ev);
	else if (ev->row == ROW_close)
		close_fd(s, tcb_tgid(tcb), (int)ev->raw_args[0]);
	else if (is_dup(ev))
		on_dup(s, tcb, (int)ev->raw_args[0], (int)ev->base.ret);
}

void rings_fork(struct session *s, struct tcb *parent, struct tcb *child)
{
	const pid_t from = tcb_tgid(parent), to = tcb_tgid(child);
	const size_t n = s->requests->rings.n;

	for (size_t i = 0; i < n && from != to; i++) {
		struct ring *r = s->requests->rings.v[i], *alias;

		if (r->tgid != from || r->fd < 0 || (!r->ready && !r->same))
			continue;
		alias = ring_create(s->requests, to, r->fd);
		if (alias)
			alias->same = r->same ? r->same : r;
	}
}

void rings_forget_process(struct session *s, pid_t tgid)
{
	struct requests *all = s->requests;
	struct ring *r;

	for (size_t i = all->registered.n; i-- > 0;)
		if (all->registered.v[i].ring->tgid == tgid)
			all->registered.v[i] = all->registered.v[--all->registered.n];
	while ((r = any_ring(all, tgid)))
		ring_close(s, r);
}

void rings_forget_thread(struct session *s, pid_t tid)
{
	struct requests *all = s->requests;

	for (size_t i = all->registered.n; i-- > 0;)
		if (all->registered.v[i].tid == tid)
			all->registered.v[i] = all->registered.v[--all->registered.n];
	free_unregistered(s);
}
