/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "uring/ring.h"

#include <string.h>

/* Maximum number of entries to read at once. */
#define BATCH 64u

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static size_t sqe_size(const struct uring_ring *r)
{
	return r->flags & URING_SQE128 ? 128 : 64;
}

static size_t cqe_size(const struct uring_ring *r)
{
	return r->flags & URING_CQE32 ? 32 : 16;
}

static const char *check(const struct uring_ring *r)
{
	if (r->flags & URING_SQPOLL)
		return "a kernel thread fetches them (IORING_SETUP_SQPOLL); use --engine=bpf to "
		       "see them";
	if (r->flags & ~(uint32_t)URING_FLAGS_KNOWN)
		return "the ring was created with unknown flags of io_uring_setup()";
	if (!is_power_of_two(r->sq_entries) || r->sq_entries > URING_SQ_MAX ||
	    !is_power_of_two(r->cq_entries) || r->cq_entries > URING_CQ_MAX)
		return "the sizes of the queues are invalid";
	return NULL;
}

const char *uring_ring_init(struct uring_ring *r, const struct uring_params *p,
			    const struct uring_maps *maps)
{
	uint64_t sq = maps->sq, cq = maps->cq ? maps->cq : maps->sq, sqes = maps->sqes;

	/*
	 * The application has provided the memory: one region for both rings, and one for the
	 * entries.
	 */
	if (p->flags & URING_NO_MMAP) {
		sq = cq = p->cq.user_addr;
		sqes = p->sq.user_addr;
	}
	*r = (struct uring_ring){.flags = p->flags,
				 .sq_entries = p->sq_entries,
				 .cq_entries = p->cq_entries,
				 .sq_head = sq + p->sq.head,
				 .sq_tail = sq + p->sq.tail,
				 .array = sq + p->sq.array,
				 .sqes = sqes,
				 .cq_tail = cq + p->cq.tail,
				 .cqes = cq + p->cq.cqes};
	if (!(p->flags & URING_SQPOLL) && (!sq || !sqes))
		return "the memory of the ring was not found";
	return check(r);
}

/*
 * Size of a cache line in bytes. The offset of the array of submissions is a multiple of this size.
 */
#define LINE 64u

const char *uring_ring_find(struct uring_ring *r, struct memory *m, const struct uring_maps *maps,
			    const struct uring_layout *layout)
{
	const uint64_t cq = maps->cq ? maps->cq : maps->sq;
	const char *why;

	*r = (struct uring_ring){.sqes = maps->sqes,
				 .sq_head = maps->sq + layout->sq_head,
				 .sq_tail = maps->sq + layout->sq_tail,
				 .cq_tail = cq + layout->cq_tail,
				 .cqes = cq + layout->cqes};
	if (maps->sqpoll)
		r->flags |= URING_SQPOLL;
	else if (!maps->sq || !maps->sqes)
		return "the memory of the ring was not found";
	if (memory_read(m, maps->sq + layout->sq_entries, &r->sq_entries, sizeof(r->sq_entries)) ||
	    memory_read(m, cq + layout->cq_entries, &r->cq_entries, sizeof(r->cq_entries)) ||
	    memory_read(m, r->sq_head, &r->sq_next, sizeof(r->sq_next)) ||
	    memory_read(m, r->cq_tail, &r->cq_next, sizeof(r->cq_next)))
		return maps->sqpoll ? check(r) : "the memory of the ring cannot be read";
	why = check(r);
	if (why)
		return why;
	/*
	 * The size of a mapping is rounded up to whole pages, so it shows the size of the entries
	 * only if there are at least 64 of them.
	 */
	if (maps->sqes_size >= r->sq_entries * UINT64_C(128) && r->sq_entries >= 64)
		r->flags |= URING_SQE128;
	r->array = maps->sq + ((layout->cqes + r->cq_entries * (uint64_t)cqe_size(r) + LINE - 1) &
			       -(uint64_t)LINE);
	return NULL;
}

/*
 * Reads n elements of the array of submissions to `index`, starting at position `at`. Positions
 * wrap around at the end of the array. Returns 0 or -errno.
 */
static int read_array(const struct uring_ring *r, struct memory *m, uint32_t at, unsigned n,
		      uint32_t *index)
{
	const uint32_t mask = r->sq_entries - 1;
	const unsigned first = size_min(n, r->sq_entries - (at & mask));
	int err;

	if (r->flags & URING_NO_SQARRAY) {
		for (unsigned i = 0; i < n; i++)
			index[i] = (at + i) & mask;
		return 0;
	}
	err = memory_read(m, r->array + (at & mask) * sizeof(*index), index,
			  first * sizeof(*index));
	if (!err && first < n)
		err = memory_read(m, r->array, index + first, (n - first) * sizeof(*index));
	return err;
}

/*
 * Reads n requests, at most BATCH, and calls take() for each. Skips elements of the array that
 * contain an invalid index, and requests that cannot be read. Returns 0 or -errno.
 */
static int read_batch(const struct uring_ring *r, struct memory *m, uint32_t at, unsigned n,
		      void (*take)(void *ctx, uint32_t at, const struct uring_sqe *sqe), void *ctx)
{
	struct uring_sqe sqes[BATCH];
	struct memory_op ops[BATCH];
	uint32_t index[BATCH];
	int err = read_array(r, m, at, n, index);

	if (err)
		return err;
	for (unsigned i = 0; i < n; i++)
		ops[i] = (struct memory_op){.addr = r->sqes +
						    (index[i] & (r->sq_entries - 1)) * sqe_size(r),
					    .buf = &sqes[i],
					    .n = sizeof(sqes[i])};
	memory_read_batch(m, ops, n);
	for (unsigned i = 0; i < n; i++)
		if (index[i] < r->sq_entries && ops[i].got == (ssize_t)sizeof(sqes[i]))
			take(ctx, at + i, &sqes[i]);
	return 0;
}

unsigned uring_read_submissions(struct uring_ring *r, struct memory *m, uint32_t max,
				void (*take)(void *ctx, uint32_t at, const struct uring_sqe *sqe),
				void *ctx)
{
	uint32_t head, tail, count, done = 0;

	if (memory_read(m, r->sq_head, &head, sizeof(head)) ||
	    memory_read(m, r->sq_tail, &tail, sizeof(tail)))
		return 0;
	/*
	 * A call of another thread may have moved the head. If the kernel has taken requests that
	 * were not read, skip them. If it has not taken all requests that were read, continue after
	 * them.
	 */
	if (uring_before(r->sq_next, head) || r->sq_next - head > r->sq_entries)
		r->sq_next = head;
	count = tail - r->sq_next;
	if (count > r->sq_entries)
		return 0;
	count = size_min(count, max);
	while (done < count) {
		const unsigned n = size_min(count - done, BATCH);

		if (read_batch(r, m, r->sq_next, n, take, ctx))
			break;
		r->sq_next += n;
		done += n;
	}
	return done;
}

bool uring_read_head(struct uring_ring *r, struct memory *m, uint32_t *head)
{
	if (memory_read(m, r->sq_head, head, sizeof(*head)))
		return false;
	return r->sq_next - *head <= r->sq_entries;
}

/*
 * Calls take() for n completions in `bytes`. Skips the second halves of 32-byte completions, and
 * completions that only fill the end of the ring (URING_CQE_SKIP).
 */
static void take_completions(struct uring_ring *r, const uint8_t *bytes, unsigned n,
			     void (*take)(void *ctx, const struct uring_cqe *cqe), void *ctx)
{
	for (unsigned i = 0; i < n; i++) {
		struct uring_cqe cqe;

		memcpy(&cqe, bytes + i * cqe_size(r), sizeof(cqe));
		if (r->second_half) {
			r->second_half = false;
			continue;
		}
		if (r->flags & URING_CQE_MIXED) {
			r->second_half = cqe.flags & URING_CQE_32;
			if (cqe.flags & URING_CQE_SKIP)
				continue;
		}
		take(ctx, &cqe);
	}
}

unsigned uring_read_completions(struct uring_ring *r, struct memory *m, uint32_t *max,
				void (*take)(void *ctx, const struct uring_cqe *cqe), void *ctx)
{
	const uint32_t mask = r->cq_entries - 1;
	uint8_t bytes[BATCH * 32];
	unsigned lost = 0, count;
	uint32_t tail;

	if (memory_read(m, r->cq_tail, &tail, sizeof(tail)) || tail == r->cq_next)
		return 0;
	count = tail - r->cq_next;
	if (count > r->cq_entries) {
		/*
		 * The program can write any number to the tail. If the distance is more than half
		 * of the number range, the tail has probably moved backwards, so no completions
		 * were lost.
		 */
		lost = uring_before(tail, r->cq_next) ? 0 : count - r->cq_entries;
		r->cq_next = tail - r->cq_entries;
		r->second_half = false;
		count = r->cq_entries;
	}
	count = size_min(count, *max);
	*max -= count;
	while (count) {
		const uint32_t at = r->cq_next & mask;
		const unsigned n = size_min(size_min(count, BATCH), r->cq_entries - at);

		if (memory_read(m, r->cqes + at * (uint64_t)cqe_size(r), bytes, n * cqe_size(r)))
			break;
		take_completions(r, bytes, n, take, ctx);
		r->cq_next += n;
		count -= n;
	}
	return lost;
}
