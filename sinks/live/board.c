/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/live/board.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* Limits for a snapshot on the board. Memory is used only for threads and calls that exist. */
#define THREADS_MAX 131072
#define CALLS_MAX   (4 * THREADS_MAX)
/* Number of attempts to copy data that is replaced at the same time. */
#define TRIES 5

/*
 * The data with number n is in element n % 2. The writer fills the other element and then
 * increments the number, so an element does not change while the number stays the same. The writer
 * and the reader each have a fence between their accesses to an element and an earlier store or a
 * later load of the number. Without these fences, a processor could reorder the accesses.
 */
struct live_board {
	atomic_uint_fast64_t snapshot, waits, request;
	uint64_t request_seen; /* number of the request that live_board_wanted() last returned; used
				  only by the process that traces */
	struct {
		size_t n;
		pid_t tids[LIVE_WAITS_MAX];
	} wanted[2];
	struct {
		size_t n;
		struct live_wait of[LIVE_WAITS_MAX];
	} described[2];
	struct {
		struct live_head head;
		size_t nthreads, ncalls;
		struct live_thread threads[THREADS_MAX];
		struct live_call calls[CALLS_MAX];
	} snapshots[2];
};

struct live_board *live_board_create(void)
{
	void *p = mmap(NULL, sizeof(struct live_board), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void live_board_destroy(struct live_board *b)
{
	if (b)
		munmap(b, sizeof(*b));
}

void live_board_put(struct live_board *b, const struct live_snapshot *s)
{
	const uint64_t number = atomic_load(&b->snapshot) + 1;
	typeof(b->snapshots[0]) *to = &b->snapshots[number % 2];
	size_t n = size_min(s->threads.n, THREADS_MAX), ncalls = 0;

	atomic_thread_fence(memory_order_release);
	for (size_t i = 0; i < n; i++) {
		const struct live_thread *t = &s->threads.v[i];

		if (t->first + t->ncalls > CALLS_MAX)
			n = i;
		else
			ncalls = t->first + t->ncalls;
	}
	to->head = s->head;
	to->nthreads = n;
	to->ncalls = ncalls;
	if (n)
		memcpy(to->threads, s->threads.v, n * sizeof(*to->threads));
	if (ncalls)
		memcpy(to->calls, s->calls.v, ncalls * sizeof(*to->calls));
	atomic_store(&b->snapshot, number);
}

/* Sets the number of elements to `count` and makes room for them. The caller sets the elements. */
#define RESIZE(vec, count)                                                                         \
	do {                                                                                       \
		(vec)->n = (count);                                                                \
		if ((vec)->n > (vec)->cap) {                                                       \
			(vec)->cap = (vec)->n;                                                     \
			(vec)->v = mem_realloc((vec)->v, (vec)->cap * sizeof(*(vec)->v));          \
		}                                                                                  \
	} while (0)

bool live_board_get(struct live_board *b, struct live_snapshot *s)
{
	for (int i = 0; i < TRIES; i++) {
		const uint64_t number = atomic_load(&b->snapshot);
		const typeof(b->snapshots[0]) *from = &b->snapshots[number % 2];

		if (!number || s->head.number == number)
			return false;
		RESIZE(&s->threads, size_min(from->nthreads, THREADS_MAX));
		RESIZE(&s->calls, size_min(from->ncalls, CALLS_MAX));
		if (s->threads.n)
			memcpy(s->threads.v, from->threads, s->threads.n * sizeof(*s->threads.v));
		if (s->calls.n)
			memcpy(s->calls.v, from->calls, s->calls.n * sizeof(*s->calls.v));
		s->head = from->head;
		s->head.number = number;
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load(&b->snapshot) == number)
			return true;
	}
	/*
	 * Each copy was overwritten while it was made, so return an empty snapshot. The next call
	 * of this function gets a newer one.
	 */
	s->threads.n = s->calls.n = 0;
	s->head.number = 0;
	return true;
}

void live_board_want(struct live_board *b, const pid_t *tids, size_t n)
{
	const uint64_t number = atomic_load(&b->request) + 1;

	n = size_min(n, LIVE_WAITS_MAX);
	b->wanted[number % 2].n = n;
	if (n)
		memcpy(b->wanted[number % 2].tids, tids, n * sizeof(*tids));
	atomic_store(&b->request, number);
}

size_t live_board_wanted(struct live_board *b, bool again, pid_t tids[LIVE_WAITS_MAX])
{
	const uint64_t number = atomic_load(&b->request);
	size_t n;

	if (!number || (number == b->request_seen && !again))
		return 0;
	b->request_seen = number;
	n = size_min(b->wanted[number % 2].n, LIVE_WAITS_MAX);
	/*
	 * The copy may be wrong if the view replaces the request at the same time. The next call of
	 * this function then returns the new request.
	 */
	memcpy(tids, b->wanted[number % 2].tids, n * sizeof(*tids));
	return n;
}

void live_board_put_waits(struct live_board *b, const struct live_wait *waits, size_t n)
{
	const uint64_t number = atomic_load(&b->waits) + 1;

	atomic_thread_fence(memory_order_release);
	n = size_min(n, LIVE_WAITS_MAX);
	b->described[number % 2].n = n;
	if (n)
		memcpy(b->described[number % 2].of, waits, n * sizeof(*waits));
	atomic_store(&b->waits, number);
}

size_t live_board_waits(struct live_board *b, struct live_wait waits[LIVE_WAITS_MAX],
			uint64_t *number)
{
	size_t n = 0;

	for (int i = 0; i < TRIES; i++) {
		*number = atomic_load(&b->waits);
		n = size_min(b->described[*number % 2].n, LIVE_WAITS_MAX);
		memcpy(waits, b->described[*number % 2].of, n * sizeof(*waits));
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load(&b->waits) == *number)
			return n;
	}
	return 0;
}
