/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/ring.h"

#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

int ring_open(struct ring *r, int map, size_t size)
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
			   .size = size};
	return 0;
}

void ring_over(struct ring *r, void *pages, size_t page, size_t size)
{
	*r = (struct ring){.consumed = pages,
			   .produced = (void *)((char *)pages + page),
			   .data = (const uint8_t *)pages + 2 * page,
			   .size = size};
}

void ring_close(struct ring *r)
{
	size_t page = page_size();

	if (!r->consumed)
		return;
	munmap((void *)r->consumed, page);
	munmap((void *)r->produced, page + 2 * r->size);
	*r = (struct ring){0};
}

const void *ring_next(struct ring *r, size_t *n, unsigned long *end)
{
	for (;;) {
		const uint32_t *head;
		uint32_t word;
		size_t len;

		if (r->next >= __atomic_load_n(r->produced, __ATOMIC_ACQUIRE))
			return NULL;
		head = (const uint32_t *)(r->data + (r->next & (r->size - 1)));
		word = __atomic_load_n(head, __ATOMIC_ACQUIRE);
		if (word & BPF_RINGBUF_BUSY_BIT)
			return NULL;
		len = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
		if (len > r->size)
			return NULL;
		r->next += align_up(BPF_RINGBUF_HDR_SZ + len, 8);
		if (word & BPF_RINGBUF_DISCARD_BIT)
			continue;
		*n = len;
		*end = r->next;
		return (const uint8_t *)head + BPF_RINGBUF_HDR_SZ;
	}
}

void ring_release(struct ring *r, unsigned long position)
{
	__atomic_store_n(r->consumed, position, __ATOMIC_RELEASE);
}

size_t ring_used(const struct ring *r)
{
	return __atomic_load_n(r->produced, __ATOMIC_ACQUIRE) - *r->consumed;
}
