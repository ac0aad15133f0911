/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the queues of an io_uring from valid memory, from memory with wrong numbers, and from
 * memory that changes between two reads. Memory outside of the ring must not be read. An entry must
 * not be reported twice, and the number of entries must be limited.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linux/syscall_desc.h"
#include "session/pending.h"
#include "uring/ops.h"
#include "uring/ring.h"

#define BASE	UINT64_C(0x10000)
#define ENTRIES 8u

/* The memory of a ring with 8 requests and 16 completions. */
struct rings {
	uint32_t sq_head, sq_tail, cq_tail, sq_entries, cq_entries;
	uint32_t array[ENTRIES];
	struct uring_cqe cqes[2 * ENTRIES];
	struct uring_sqe sqes[ENTRIES];
};

struct faulty {
	struct memory memory;
	struct rings *rings;
	unsigned reads;
	unsigned random; /* if not 0, the numbers in memory are overwritten before each read */
};

#define WHERE(member) (BASE + offsetof(struct rings, member))

static uint32_t next(struct faulty *f)
{
	f->random = f->random * 1103515245u + 12345u;
	return f->random >> 8;
}

/*
 * Writes a number as a hostile program would: a number near the correct one, a limit, or any
 * number.
 */
static void spoil(struct faulty *f, uint32_t *n)
{
	static const uint32_t limits[] = {0, 1, ENTRIES, UINT32_MAX, INT32_MAX, UINT32_MAX / 2 + 1};

	switch (next(f) % 4) {
	case 0:
		*n += next(f) % 4;
		break;
	case 1:
		*n = limits[next(f) % ARRAY_SIZE(limits)];
		break;
	case 2:
		*n = next(f) << 8 ^ next(f);
		break;
	default:
		break;
	}
}

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct faulty *f = container_of(m, struct faulty, memory);
	struct rings *r = f->rings;

	f->reads++;
	if (f->random) {
		spoil(f, &r->sq_head);
		spoil(f, &r->sq_tail);
		spoil(f, &r->cq_tail);
		spoil(f, &r->array[next(f) % ENTRIES]);
		spoil(f, &r->cqes[next(f) % (2 * ENTRIES)].flags);
	}
	if (addr < BASE || addr - BASE >= sizeof(*r))
		return -EFAULT;
	n = size_min(n, sizeof(*r) - (addr - BASE));
	memcpy(buf, (char *)r + (addr - BASE), n);
	return (ssize_t)n;
}

static const struct memory_ops ops = {.read_some = read_some};

/* The entries that one call has reported. */
struct taken {
	unsigned n;
	uint64_t user_data[64];
	uint32_t at[64];
};

static void take_sqe(void *ctx, uint32_t at, const struct uring_sqe *sqe)
{
	struct taken *t = ctx;

	assert_true(t->n < 64);
	t->at[t->n] = at;
	t->user_data[t->n++] = sqe->user_data;
}

static void take_cqe(void *ctx, const struct uring_cqe *cqe)
{
	struct taken *t = ctx;

	assert_true(t->n < 64);
	t->user_data[t->n++] = cqe->user_data;
}

static const struct uring_maps maps = {.sq = BASE, .sqes = WHERE(sqes)};

static struct uring_params params(uint32_t flags)
{
	struct uring_params p = {.sq_entries = ENTRIES, .cq_entries = 2 * ENTRIES, .flags = flags};

	p.sq.head = offsetof(struct rings, sq_head);
	p.sq.tail = offsetof(struct rings, sq_tail);
	p.sq.array = offsetof(struct rings, array);
	p.cq.tail = offsetof(struct rings, cq_tail);
	p.cq.cqes = offsetof(struct rings, cqes);
	return p;
}

/* Fills a ring with entries whose user_data is their position. */
static void fill(struct faulty *f, struct rings *r)
{
	*f = (struct faulty){.memory.ops = &ops, .rings = r};
	*r = (struct rings){.sq_entries = ENTRIES, .cq_entries = 2 * ENTRIES};
	for (unsigned i = 0; i < ENTRIES; i++) {
		r->array[i] = i;
		r->sqes[i].user_data = i;
	}
	for (unsigned i = 0; i < 2 * ENTRIES; i++)
		r->cqes[i].user_data = i;
}

static void begin(struct faulty *f, struct rings *r, struct uring_ring *q, uint32_t flags)
{
	const struct uring_params p = params(flags);

	fill(f, r);
	assert_null(uring_ring_init(q, &p, &maps));
}

static void test_submissions(void **state)
{
	struct faulty f;
	struct rings r;
	struct uring_ring q;
	struct taken t = {0};

	(void)state;
	begin(&f, &r, &q, 0);
	r.sq_tail = 3;
	r.array[1] = 5;
	assert_int_equal(uring_read_submissions(&q, &f.memory, 2, take_sqe, &t), 2);
	assert_int_equal(t.user_data[1], 5);
	assert_int_equal(uring_read_submissions(&q, &f.memory, 100, take_sqe, &t), 1);
	assert_int_equal(uring_read_submissions(&q, &f.memory, 100, take_sqe, &t), 0);

	/* Read across the end of the array, with an index that does not belong to a request. */
	t.n = 0;
	r.sq_head = 3;
	r.sq_tail = 11;
	r.array[4] = ENTRIES;
	assert_int_equal(uring_read_submissions(&q, &f.memory, 100, take_sqe, &t), 8);
	assert_int_equal(t.n, 7);
	assert_int_equal(t.at[6], 10);
	assert_int_equal(t.user_data[6], 2);

	/* The queue cannot contain more requests than it has entries. */
	r.sq_tail = r.sq_head + ENTRIES + 1;
	q.sq_next = r.sq_head;
	assert_int_equal(uring_read_submissions(&q, &f.memory, UINT32_MAX, take_sqe, &t), 0);
}

static void test_head(void **state)
{
	struct faulty f;
	struct rings r;
	struct uring_ring q;
	uint32_t head;

	(void)state;
	begin(&f, &r, &q, 0);
	q.sq_next = 4;
	r.sq_head = 2;
	assert_true(uring_read_head(&q, &f.memory, &head));
	assert_int_equal(head, 2);
	/* The position is after the requests that were read, or too far before them. */
	r.sq_head = 5;
	assert_false(uring_read_head(&q, &f.memory, &head));
	r.sq_head = 4 - ENTRIES - 1;
	assert_false(uring_read_head(&q, &f.memory, &head));
}

static void test_completions(void **state)
{
	struct faulty f;
	struct rings r;
	struct uring_ring q;
	struct taken t = {0};
	uint32_t max = 3;

	(void)state;
	begin(&f, &r, &q, 0);
	r.cq_tail = 5;
	assert_int_equal(uring_read_completions(&q, &f.memory, &max, take_cqe, &t), 0);
	assert_int_equal(t.n, 3);
	assert_int_equal(max, 0);
	max = 100;
	uring_read_completions(&q, &f.memory, &max, take_cqe, &t);
	assert_int_equal(t.n, 5);
	assert_int_equal(t.user_data[4], 4);
	assert_int_equal(max, 98);

	/* Four completions were overwritten. */
	r.cq_tail = 5 + 20;
	assert_int_equal(uring_read_completions(&q, &f.memory, &max, take_cqe, &t), 4);
	assert_int_equal(t.n, 5 + 16);
	/* A tail in the past: no completion is reported as lost. */
	r.cq_tail = 1;
	max = 100;
	assert_int_equal(uring_read_completions(&q, &f.memory, &max, take_cqe, &t), 0);
	assert_int_equal(max, 100 - 16);
}

static void test_mixed_completions(void **state)
{
	struct faulty f;
	struct rings r;
	struct uring_ring q;
	struct taken t = {0};
	uint32_t max = 2;

	(void)state;
	begin(&f, &r, &q, URING_CQE_MIXED);
	r.cq_tail = 5;
	r.cqes[0].flags = URING_CQE_SKIP;
	r.cqes[1].flags = URING_CQE_32;
	/* The limit is reached between the two halves of a completion. */
	uring_read_completions(&q, &f.memory, &max, take_cqe, &t);
	max = 100;
	uring_read_completions(&q, &f.memory, &max, take_cqe, &t);
	assert_int_equal(t.n, 3);
	assert_int_equal(t.user_data[0], 1);
	assert_int_equal(t.user_data[1], 3);
}

static void test_refused(void **state)
{
	struct uring_params p = params(0);
	struct uring_ring q;
	struct uring_maps none = {0};

	(void)state;
	p.sq_entries = 0;
	assert_non_null(uring_ring_init(&q, &p, &maps));
	p.sq_entries = 6;
	assert_non_null(uring_ring_init(&q, &p, &maps));
	p.sq_entries = 2 * URING_SQ_MAX;
	assert_non_null(uring_ring_init(&q, &p, &maps));
	p = params(0);
	p.cq_entries = UINT32_MAX;
	assert_non_null(uring_ring_init(&q, &p, &maps));
	p = params(1u << 30);
	assert_non_null(uring_ring_init(&q, &p, &maps));
	p = params(URING_SQPOLL);
	assert_non_null(uring_ring_init(&q, &p, &maps));
	p = params(0);
	assert_non_null(uring_ring_init(&q, &p, &none));
}

static void test_found(void **state)
{
	const struct uring_layout layout = {
		offsetof(struct rings, sq_head),    offsetof(struct rings, sq_tail),
		offsetof(struct rings, sq_entries), offsetof(struct rings, cq_tail),
		offsetof(struct rings, cq_entries), offsetof(struct rings, cqes)};
	struct faulty f;
	struct rings r;
	struct uring_ring q;

	(void)state;
	fill(&f, &r);
	r.sq_head = 7;
	r.cq_tail = 9;
	assert_null(uring_ring_find(&q, &f.memory, &maps, &layout));
	assert_int_equal(q.sq_next, 7);
	assert_int_equal(q.cq_next, 9);
	r.sq_entries = 3;
	assert_non_null(uring_ring_find(&q, &f.memory, &maps, &layout));
	f.rings = NULL;
	assert_non_null(
		uring_ring_find(&q, &f.memory, &(struct uring_maps){.sq = 1, .sqes = 1}, &layout));
}

/* Whatever the memory contains, one call reports at most one entry for each slot of the queue. */
static void test_changing(void **state)
{
	static const uint32_t flags[] = {0, URING_NO_SQARRAY, URING_CQE_MIXED, URING_CQE32,
					 URING_SQE128};
	struct faulty f;
	struct rings r;
	struct uring_ring q;

	(void)state;
	for (unsigned seed = 1; seed <= 2000; seed++) {
		begin(&f, &r, &q, flags[seed % ARRAY_SIZE(flags)]);
		f.random = seed;
		for (unsigned i = 0; i < 20; i++) {
			struct taken t = {0};
			uint32_t max = seed % 20, head;

			uring_read_submissions(&q, &f.memory, next(&f), take_sqe, &t);
			assert_true(t.n <= ENTRIES);
			uring_read_head(&q, &f.memory, &head);
			t.n = 0;
			uring_read_completions(&q, &f.memory, &max, take_cqe, &t);
			assert_true(t.n <= size_min(seed % 20, 2 * ENTRIES));
		}
		assert_true(f.reads < 1000);
	}
}

/* Every opcode with any flags has a row, and its fixed argument is an argument of this row. */
static void test_opcodes(void **state)
{
	struct uring_sqe sqe;

	(void)state;
	for (unsigned n = 0; n < 256 * 256; n++) {
		struct uring_call call;

		memset(&sqe, (int)(n >> 3 & 0xff), sizeof(sqe));
		sqe.opcode = (uint8_t)n;
		sqe.flags = (uint8_t)(n >> 8);
		call = uring_call_of(&sqe);
		assert_true(call.row < ROW_COUNT);
		assert_true(call.fixed_arg < SYSCALL_ARGS_MAX);
		assert_true(call.fixed_arg < (int)syscall_descs[call.row].nargs);
	}
}

/* Requests with the same user_data are found in the order of their submission. */
static void test_pending(void **state)
{
	static struct pending p;
	static struct request q[300];

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		q[i].shown.user_data = i % 3;
		q[i].shown.flags = i % 2 ? URING_SQE_CQE_SKIP : 0;
		pending_add(&p, &q[i]);
	}
	assert_null(pending_find(&p, 3));
	assert_ptr_equal(p.first_silent, &q[1]);
	/* Remove a request from the middle, the oldest one, and the newest one with user_data 1. */
	pending_remove(&p, &q[4]);
	pending_remove(&p, &q[1]);
	pending_remove(&p, &q[298]);
	assert_ptr_equal(p.first_silent, &q[3]);
	for (unsigned i = 7; i < 298; i += 3) {
		assert_ptr_equal(pending_find(&p, 1), &q[i]);
		pending_remove(&p, &q[i]);
	}
	assert_null(pending_find(&p, 1));
	while (p.oldest)
		pending_remove(&p, p.oldest);
	assert_null(p.newest);
	assert_null(p.first_silent);
	assert_null(p.last_silent);
	assert_null(pending_find(&p, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_submissions), cmocka_unit_test(test_head),
		cmocka_unit_test(test_completions), cmocka_unit_test(test_mixed_completions),
		cmocka_unit_test(test_refused),	    cmocka_unit_test(test_found),
		cmocka_unit_test(test_changing),    cmocka_unit_test(test_opcodes),
		cmocka_unit_test(test_pending),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
