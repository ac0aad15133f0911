/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/ring.h"

#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A ring's contents are moved to the store if more than this many bytes of the ring are in use. */
#define DRAIN_ABOVE(r) ((r)->size / 4)
#define HUGE_PAGE      ((size_t)2 << 20)

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

int ring_open(struct ring *r, int map, size_t size, size_t store)
{
	size_t page = page_size();
	void *consumer, *producer;

	consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	producer = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, map, page);
	if (producer == MAP_FAILED) {
		int err = -errno;

		munmap(consumer, page);
		return err;
	}
	*r = (struct ring){.consumed = consumer,
			   .produced = producer,
			   .data = (const uint8_t *)producer + page,
			   .size = size,
			   .store_size = store};
	return 0;
}

void ring_over_memory(struct ring *r, void *pages, size_t page, size_t size, size_t store)
{
	*r = (struct ring){.consumed = pages,
			   .produced = (void *)((char *)pages + page),
			   .data = (const uint8_t *)pages + 2 * page,
			   .size = size,
			   .store_size = store};
}

/*
 * Returns the size in bytes of the duplicate after the end of the store. It repeats the start of
 * the store, so that records that wrap around are contiguous.
 */
static size_t slack(const struct ring *r)
{
	return size_min(r->size, RING_RECORD_MAX);
}

static void close_store(struct ring *r)
{
	if (r->store)
		munmap(r->store, r->store_size + slack(r));
	r->store = NULL;
}

void ring_close(struct ring *r)
{
	size_t page = page_size();

	close_store(r);
	if (!r->consumed)
		return;
	munmap((void *)r->consumed, page);
	munmap((void *)r->produced, page + 2 * r->size);
	*r = (struct ring){0};
}

const void *ring_at(const struct ring *r, unsigned long position)
{
	if (position < r->moved)
		return r->store + ((position - r->base) & (r->store_size - 1));
	return r->data + (position & (r->size - 1));
}

/*
 * Returns the header of the record at a position: its size and flag bits. Returns -1 if the record
 * is not finished.
 */
static int64_t head_at(const struct ring *r, unsigned long position)
{
	uint32_t word = __atomic_load_n((const uint32_t *)ring_at(r, position), __ATOMIC_ACQUIRE);

	if (word & BPF_RINGBUF_BUSY_BIT || (word & ~BPF_RINGBUF_DISCARD_BIT) > r->size)
		return -1;
	return word;
}

static size_t record_size(int64_t head)
{
	return align_up(BPF_RINGBUF_HDR_SZ + (size_t)(head & ~(int64_t)BPF_RINGBUF_DISCARD_BIT), 8);
}

bool ring_next(struct ring *r, unsigned long *start, unsigned long *bytes, size_t *n)
{
	while (r->next < __atomic_load_n(r->produced, __ATOMIC_ACQUIRE)) {
		int64_t head = head_at(r, r->next);

		if (head < 0)
			return false;
		*start = r->next;
		r->next += record_size(head);
		if (head & BPF_RINGBUF_DISCARD_BIT)
			continue;
		*bytes = *start + BPF_RINGBUF_HDR_SZ;
		*n = (size_t)head;
		return true;
	}
	return false;
}

void ring_release(struct ring *r, unsigned long position)
{
	r->released = position;
	if (position > r->moved)
		__atomic_store_n(r->consumed, position, __ATOMIC_RELEASE);
}

size_t ring_used(const struct ring *r)
{
	return __atomic_load_n(r->produced, __ATOMIC_ACQUIRE) - *r->consumed;
}

/*
 * Allocates the store at a multiple of HUGE_PAGE, so that the kernel can use huge pages. The page
 * faults for small pages would take longer than all other work. If the allocation fails, only the
 * ring is used.
 */
static void open_store(struct ring *r)
{
	const size_t n = r->store_size + slack(r);
	uint8_t *at = mmap(NULL, n + HUGE_PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	if (at == MAP_FAILED) {
		r->store_size = 0;
		return;
	}
	before = -(uintptr_t)at % HUGE_PAGE;
	if (before)
		munmap(at, before);
	munmap(at + before + n, HUGE_PAGE - before);
	r->store = at + before;
	madvise(r->store, n, MADV_HUGEPAGE);
}

/*
 * Copies n bytes to an offset in the store. Also updates the duplicate of the store's start if the
 * bytes are in that part.
 */
static void store_bytes(struct ring *r, size_t offset, const uint8_t *bytes, size_t n)
{
	memcpy(r->store + offset, bytes, n);
	if (offset < slack(r))
		memcpy(r->store + r->store_size + offset, bytes, size_min(n, slack(r) - offset));
}

/* Moves the records between two positions of the ring to the store. */
static void move_to_store(struct ring *r, unsigned long start, unsigned long end)
{
	size_t offset, first;

	/*
	 * If the store is empty, fill it from its start again, because that memory may still be in
	 * a CPU cache.
	 */
	if (r->released >= start)
		r->base = start;
	offset = (start - r->base) & (r->store_size - 1);
	first = size_min(end - start, r->store_size - offset);
	store_bytes(r, offset, r->data + (start & (r->size - 1)), first);
	if (first < end - start)
		store_bytes(r, 0, r->data + ((start + first) & (r->size - 1)), end - start - first);
	r->moved = end;
	__atomic_store_n(r->consumed, end, __ATOMIC_RELEASE);
}

/*
 * Returns the position up to which the records can be moved to the store: all records before it are
 * finished, and they fit into the store. Returns 0 if nothing needs to be moved.
 */
static unsigned long movable(const struct ring *r, unsigned long produced)
{
	unsigned long end = r->next > *r->consumed ? r->next : *r->consumed;

	/*
	 * With `serial`, the writer finishes each record before it begins the next one. If anything
	 * was written after `seen`, all records before `seen` are therefore finished. If nothing
	 * was written, the ring is not filling up, so nothing needs to be moved.
	 */
	if (r->serial && r->seen - r->released <= r->store_size)
		return produced > r->seen ? r->seen : 0;
	while (end < produced) {
		int64_t head = head_at(r, end);

		if (head < 0 || end + record_size(head) - r->released > r->store_size)
			break;
		end += record_size(head);
	}
	return end;
}

void ring_drain(struct ring *r)
{
	unsigned long produced = __atomic_load_n(r->produced, __ATOMIC_ACQUIRE);
	unsigned long start = *r->consumed, end;

	if (!r->store_size || produced - start <= DRAIN_ABOVE(r)) {
		r->seen = produced;
		return;
	}
	if (!r->store)
		open_store(r);
	if (!r->store)
		return;
	/*
	 * The store is nearly full. Wait until more of the store is free, because moving many
	 * records at once is cheaper.
	 */
	if (start > r->released && r->store_size - (start - r->released) < DRAIN_ABOVE(r)) {
		r->seen = produced;
		return;
	}
	end = movable(r, produced);
	r->seen = produced;
	if (end <= start || end - r->released > r->store_size)
		return;
	move_to_store(r, start, end);
}

void ring_trim(struct ring *r)
{
	if (r->store && r->released >= r->moved)
		close_store(r);
}
