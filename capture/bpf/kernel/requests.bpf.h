/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs for requests of io_urings: their submission, their handover to a worker thread, and
 * their completion.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_REQUESTS_H
#define TRACER_CAPTURE_BPF_KERNEL_REQUESTS_H

#include "capture/bpf/kernel/calls.bpf.h"

/* From linux/sched.h. */
#define PF_IO_WORKER 0x10
#define PF_KTHREAD   0x200000
/* From linux/io_uring.h. */
#define ENTER_REGISTERED_RING (1u << 4)
#define SETUP_SQE128	      (1u << 10)
#define SETUP_NO_SQARRAY      (1u << 16)
#define SETUP_SQE_MIXED	      (1u << 19)
#define SQE_LINKS	      (1u << 2 | 1u << 3)
#define CQE_NOTIF	      (1u << 3)

/* A ring that a traced thread has created or used. */
struct ring_state {
	uint64_t serial; /* time at which the ring was found */
	uint64_t count;	 /* number of requests that traced threads have submitted */
	/*
	 * if the next request belongs to a chain: number of the chain's first request; otherwise 0
	 */
	uint64_t chain;
	int32_t fd; /* descriptor that io_uring_setup(2) returned for the ring, or RING_UNKNOWN */
	uint32_t group; /* control group of the thread that found the ring */
};

/* A recorded request that has not completed yet. */
struct request_state {
	uint64_t ring, serial, number;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint32_t leave, enter; /* the reads to make at the completion, as in struct thread_state */
	/* ids of the thread that submitted the request, and of its control group */
	uint32_t tid, group;
	uint32_t fds, pad;
};

/* The known rings, indexed by the address of their struct io_ring_ctx. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, uint64_t);
	__type(value, struct ring_state);
} uring_rings SEC(".maps");

/* The requests in progress, indexed by the address of their struct io_kiocb. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 262144);
	__type(key, uint64_t);
	__type(value, struct request_state);
} uring_requests SEC(".maps");

/* The data to collect for the requests with each opcode. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, REQUEST_OPCODES);
	__type(key, uint32_t);
	__type(value, struct request_entry);
} uring_opcodes SEC(".maps");

/* -- rings --------------------------------------------------------------------- */

static __always_inline int create_ring(uint64_t ctx, int32_t fd)
{
	const struct thread_state *state = find_caller(bpf_get_current_task_btf());
	struct ring_state ring = {.fd = fd};

	/*
	 * The map may still contain an earlier ring with the same address. Remove or replace that
	 * entry.
	 */
	if (!state) {
		bpf_map_delete_elem(&uring_rings, &ctx);
		return 0;
	}
	ring.serial = bpf_ktime_get_ns();
	ring.group = state->group;
	bpf_map_update_elem(&uring_rings, &ctx, &ring, BPF_ANY);
	return 0;
}

/*
 * Returns the state of a ring. Adds the ring if it is not known. Returns NULL if it cannot be
 * added.
 */
static __always_inline struct ring_state *find_ring(uint64_t ctx, uint32_t group)
{
	struct ring_state *found = bpf_map_lookup_elem(&uring_rings, &ctx);
	struct ring_state ring = {.fd = RING_UNKNOWN, .group = group};

	if (found)
		return found;
	ring.serial = bpf_ktime_get_ns();
	bpf_map_update_elem(&uring_rings, &ctx, &ring, BPF_NOEXIST);
	return bpf_map_lookup_elem(&uring_rings, &ctx);
}

/* -- records ------------------------------------------------------------------- */

/* Starts a record about a request in the scratch memory. The caller sets the time. */
static __always_inline void begin_request(struct scratch *s, enum record_kind kind, size_t size,
					  const struct request_state *q)
{
	struct request_record *r = (struct request_record *)s->record;
	const struct thread_state thread = {.tid = q->tid, .group = q->group};

	/*
	 * The pending entry of the current call is in the same scratch memory, so write it to the
	 * ring first.
	 */
	write_entry();
	*(volatile uint64_t *)&s->since = SINCE_UNKNOWN;
	begin_call(s, &r->head, &thread, kind);
	r->ring = q->ring;
	r->serial = q->serial;
	r->number = q->number;
	s->used = size;
}

static __always_inline void stamp_request(struct scratch *s)
{
	struct record *r = (struct record *)s->record;

	r->time = bpf_ktime_get_ns();
	*(volatile uint64_t *)&s->since = r->time;
}

static __always_inline bool write_request(struct scratch *s)
{
	const bool written = write_record(s, &rings);

	clear_pending(s);
	return written;
}

/* -- submission ---------------------------------------------------------------- */

/*
 * Returns the state of the thread that submits a request, or NULL if that thread is not traced. If
 * the kernel thread of a ring submits the request (IORING_SETUP_SQPOLL), sets *polled to true and
 * returns the state of the first thread of the process. Otherwise sets *polled to false.
 */
static __always_inline struct thread_state *find_submitter(struct task_struct *task, bool *polled)
{
	struct thread_state *state = find_caller(task);

	*polled = !state && task->flags & PF_IO_WORKER;
	return *polled ? find_caller(task->group_leader) : state;
}

/* Copies entry number `index` of a submission queue to sqe. Returns the user_data of the entry. */
static __always_inline uint64_t copy_entry(uint64_t *sqe, const struct io_ring_ctx *ctx,
					   uint32_t index)
{
	const uint32_t entries = BPF_CORE_READ(ctx, sq_entries);
	const uint32_t flags = BPF_CORE_READ(ctx, flags);
	const char *sqes = (const char *)BPF_CORE_READ(ctx, sq_sqes);
	const uint32_t *array = BPF_CORE_READ(ctx, sq_array);

	index &= entries - 1;
	if (array && !(flags & SETUP_NO_SQARRAY))
		bpf_probe_read_kernel(&index, sizeof(index), array + index);
	if (index >= entries)
		index = 0;
	if (flags & SETUP_SQE128)
		index <<= 1;
	bpf_probe_read_kernel(sqe, REQUEST_SQE, sqes + (uint64_t)index * REQUEST_SQE);
	return sqe[SQE_USER_DATA];
}

/*
 * Copies the entry of the request that the kernel is submitting. This is the last entry that the
 * kernel has taken from the submission queue. With IORING_SETUP_SQE_MIXED, an entry of 128 bytes
 * occupies two positions of the queue.
 */
static __always_inline void copy_sqe(uint64_t *sqe, const struct io_kiocb *req,
				     const struct io_ring_ctx *ctx)
{
	const uint32_t head = BPF_CORE_READ(ctx, cached_sq_head);
	const uint64_t user_data = BPF_CORE_READ(req, cqe.user_data);

	if (copy_entry(sqe, ctx, head - 1) != user_data &&
	    BPF_CORE_READ(ctx, flags) & SETUP_SQE_MIXED)
		copy_entry(sqe, ctx, head - 2);
	/*
	 * With IORING_SETUP_SQPOLL, the traced process may already have overwritten the entry, so
	 * use the kernel's own copy of user_data.
	 */
	sqe[SQE_USER_DATA] = user_data;
}

/* Sets s->args to the arguments of a request. */
static __always_inline void store_request_args(struct scratch *s, const struct request_entry *entry,
					       const uint64_t *sqe)
{
#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		const struct request_word *word = &entry->args[i];
		const uint64_t at = masked(word->word, REQUEST_SQE / 8);

		s->args[i] = sqe[at] >> (word->shift & 63) & word->mask;
	}
}

/*
 * Returns the descriptor of the ring that the current io_uring_enter() uses. If the call uses the
 * index of a registered ring whose descriptor is unknown, returns -1 - index.
 */
static __always_inline int32_t entered_fd(struct task_struct *task, const struct ring_state *ring)
{
	const void *regs = (const void *)bpf_task_pt_regs(task);
	const bool compat = is_compat(regs, task);
	const volatile struct setup_calls *calls = &setup.calls[compat];
	const uint32_t fd = half_reg_at(regs, calls->args[0]);

	if (!(half_reg_at(regs, calls->args[3]) & ENTER_REGISTERED_RING))
		return (int32_t)fd;
	return ring->fd == RING_UNKNOWN ? -1 - (int32_t)fd : ring->fd;
}

/*
 * Updates ring->chain for the next request of the ring. `flags` are the flags of this request. If
 * the request belongs to a chain of linked requests, returns the number of the chain's first
 * request, otherwise 0.
 */
static __always_inline uint64_t chain_of(struct ring_state *ring, uint8_t flags)
{
	const bool links = flags & SQE_LINKS;
	const uint64_t chain = ring->chain || !links ? ring->chain : ring->count;

	ring->chain = links ? chain : 0;
	return chain;
}

static __always_inline void remember_request(struct scratch *s, uint64_t key,
					     struct request_state *q)
{
#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		q->args[i] = s->args[i];
	if (!s->failed)
		q->enter = 0;
	if (bpf_map_update_elem(&uring_requests, &key, q, BPF_ANY)) {
		bpf_map_delete_elem(&uring_requests, &key);
		losses_of(s)->results++;
	}
}

/*
 * Returns the number of an earlier recorded request of the same ring whose struct io_kiocb had the
 * same address, but whose completion was not seen. Returns 0 if there is no such request.
 */
static __always_inline uint64_t find_silent(uint64_t key, const struct request_state *q)
{
	const struct request_state *old = bpf_map_lookup_elem(&uring_requests, &key);

	return old && old->ring == q->ring && old->serial == q->serial ? old->number : 0;
}

static __always_inline int submit_request(const struct io_kiocb *req)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct io_ring_ctx *ctx = BPF_CORE_READ(req, ctx);
	const struct request_entry *entry;
	struct request_state q = {.ring = (uint64_t)ctx};
	const struct thread_state *state;
	struct submit_record *r;
	struct ring_state *ring;
	struct scratch *s;
	uint32_t opcode;
	bool polled;

	state = find_submitter(task, &polled);
	if (!state)
		return 0;
	s = find_scratch(SCRATCH_CALLS);
	if (!s)
		return 0;
	q.tid = state->tid;
	q.group = state->group;
	begin_request(s, RECORD_SUBMIT, sizeof(*r), &q);
	r = (struct submit_record *)s->record;
	ring = find_ring(q.ring, q.group);
	if (!ring) {
		lose_call(s);
		clear_pending(s);
		return 0;
	}
	q.serial = r->request.serial = ring->serial;
	q.number = r->request.number = ++ring->count;
	copy_sqe(r->sqe, req, ctx);
	r->chain = chain_of(ring, (uint8_t)(r->sqe[0] >> 8));
	r->silent = find_silent((uint64_t)req, &q);
	r->polled = polled;
	r->fd = polled ? ring->fd : entered_fd(task, ring);
	/* Newer kernels lack this member. */
	r->compat = 0;
	if (bpf_core_field_exists(ctx->compat))
		r->compat = BPF_CORE_READ_BITFIELD_PROBED(ctx, compat);
	opcode = r->sqe[0] & (REQUEST_OPCODES - 1);
	entry = bpf_map_lookup_elem(&uring_opcodes, &opcode);
	if (!entry || !entry->wanted) {
		clear_pending(s);
		return 0;
	}
	store_request_args(s, entry, r->sqe);
	s->result = -1;
	s->failed = 0;
	q.enter = entry->enter;
	q.leave = entry->leave;
	q.fds = entry->fds;
	make_reads(s, q.enter, CHUNK_MEMORY);
	if (setup.fds)
		append_fds(s, q.fds);
	stamp_request(s);
	if (!write_request(s)) {
		uint64_t key = (uint64_t)req;

		lose_call(s);
		bpf_map_delete_elem(&uring_requests, &key);
		return 0;
	}
	remember_request(s, (uint64_t)req, &q);
	return 0;
}

/* -- the handover to a worker, and the completion ---------------------------------- */

static __always_inline int punt_request(uint64_t req)
{
	const struct request_state *q = bpf_map_lookup_elem(&uring_requests, &req);
	struct scratch *s = q ? find_scratch(SCRATCH_CALLS) : NULL;

	if (!q || !s)
		return 0;
	begin_request(s, RECORD_PUNT, sizeof(struct request_record), q);
	stamp_request(s);
	write_request(s);
	return 0;
}

/* Records the memory and the descriptors that a request has filled in. */
static __always_inline void read_at_completion(struct scratch *s, const struct request_state *q,
					       int32_t result)
{
	const struct task_struct *task = bpf_get_current_task_btf();

	/*
	 * A kernel thread does not use the memory of the process, so the memory cannot be read from
	 * here.
	 */
	if (task->flags & PF_KTHREAD)
		return;
#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		s->args[i] = q->args[i];
	s->result = result;
	make_reads(s, q->leave, CHUNK_MEMORY);
	make_reads(s, q->enter, CHUNK_AGAIN);
	if (ALL_FILES)
		append_new_fds(s, q->fds, result);
}

/* The data of the tracepoint io_uring_complete. */
struct completion {
	uint64_t ctx;
	/*
	 * address of the struct io_kiocb; 0 if the request will have more completions, or if
	 * another ring posts this completion
	 */
	uint64_t req;
	uint64_t user_data;
	int32_t result;
	uint32_t flags;
};

/*
 * Sets *q to the request that completed. If c->req does not identify the request (it is 0, or the
 * completion is a notification), sets only the members that describe the ring. Returns false if the
 * request or ring is unknown.
 */
static __always_inline bool find_request(const struct completion *c, struct request_state *q)
{
	const struct request_state *found =
		c->req ? bpf_map_lookup_elem(&uring_requests, &c->req) : NULL;
	const struct ring_state *ring;

	if (found) {
		*q = *found;
		bpf_map_delete_elem(&uring_requests, &c->req);
		return true;
	}
	/*
	 * A notification (IORING_CQE_F_NOTIF) has its own struct io_kiocb, which is not among the
	 * known requests.
	 */
	if (c->req && !(c->flags & CQE_NOTIF))
		return false;
	ring = bpf_map_lookup_elem(&uring_rings, &c->ctx);
	if (!ring)
		return false;
	q->ring = c->ctx;
	q->serial = ring->serial;
	q->group = ring->group;
	return true;
}

static __always_inline int complete_request(const struct completion *c)
{
	struct request_state q = {0};
	struct complete_record *r;
	struct scratch *s;

	if (!find_request(c, &q))
		return 0;
	s = find_scratch(SCRATCH_CALLS);
	if (!s)
		return 0;
	begin_request(s, RECORD_COMPLETE, sizeof(*r), &q);
	r = (struct complete_record *)s->record;
	r->user_data = c->user_data;
	r->result = c->result;
	r->flags = c->flags;
	if (q.number)
		read_at_completion(s, &q, c->result);
	stamp_request(s);
	if (!write_request(s))
		losses_of(s)->results++;
	return 0;
}

#endif
