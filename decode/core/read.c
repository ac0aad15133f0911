/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/read.h"

#include <errno.h>
#include <string.h>

#define RANGE_MAX (64 << 10) /* maximum number of bytes that one decode_read_range() reads */

/*
 * Makes the planned reads unless they have already been made. Must be called before any other read.
 */
static void read_ahead(struct decoder *d)
{
	struct prefetch *p = d->prefetch;
	void (*fill)(struct decoder * d) = p ? p->fill : NULL;

	if (!fill)
		return;
	p->fill = NULL;
	fill(d);
}

/*
 * Returns the longest range of bytes that begins at addr and was read ahead, or NULL. Sets *len to
 * its length in bytes.
 */
static const uint8_t *prefetch_find(struct decoder *d, uint64_t addr, size_t *len)
{
	const struct prefetch *p = d->prefetch;
	const uint8_t *bytes = NULL;

	read_ahead(d);
	*len = 0;
	for (unsigned i = 0; p && i < p->n; i++) {
		const struct plan_read *r = &p->reads[i];

		if (addr >= r->addr && addr - r->addr < r->got &&
		    r->got - (addr - r->addr) > *len) {
			*len = r->got - (addr - r->addr);
			bytes = r->bytes + (addr - r->addr);
		}
	}
	return bytes;
}

/*
 * Returns true if the ABI's pointers have 32 bits and addr does not fit in them. Such an address
 * counts as unreadable, even if there is memory at it.
 */
static bool out_of_reach(const struct decoder *d, uint64_t addr)
{
	return d->abi->long_size == 4 && addr > UINT32_MAX;
}

/* Returns true if the event's budget is used up. Otherwise charges a read of n bytes to it. */
static bool is_refused(struct decoder *d, size_t n)
{
	if (decode_is_spent(d))
		return true;
	arena_charge(d->arena, BUDGET_READ + n / 4);
	return false;
}

/*
 * Returns `result`, the result of a read at addr. If it is a negative errno, stores addr and the
 * errno in d.
 */
static ssize_t failed(struct decoder *d, uint64_t addr, ssize_t result)
{
	if (unlikely(result < 0)) {
		d->unread_addr = addr;
		d->unread_err = (int)result;
	}
	return result;
}

int decode_read(struct decoder *d, uint64_t addr, void *buf, size_t n)
{
	const uint8_t *bytes;
	size_t len;

	if (out_of_reach(d, addr))
		return failed(d, addr, -EFAULT);
	if (!n)
		return 0;
	bytes = prefetch_find(d, addr, &len);
	if (bytes && len >= n) {
		memcpy(buf, bytes, n);
		return 0;
	}
	if (is_refused(d, n))
		return failed(d, addr, -E2BIG);
	return failed(d, addr, memory_read(d->memory, addr, buf, n));
}

uint8_t *decode_read_new(struct decoder *d, uint64_t addr, size_t n, int *err)
{
	uint8_t *buf;
	int r;

	if (n > DECODE_BYTES_MAX || decode_is_spent(d)) {
		if (err)
			*err = -E2BIG;
		failed(d, addr, -E2BIG);
		return NULL;
	}
	buf = arena_alloc(d->arena, n);
	r = decode_read(d, addr, buf, n);
	if (err)
		*err = r;
	if (!r)
		return buf;
	arena_give_back(d->arena, buf, n, 0);
	return NULL;
}

void decode_read_range(struct decoder *d, uint64_t addr, size_t n)
{
	struct prefetch *p = d->prefetch;
	uint8_t *bytes;
	ssize_t got;

	read_ahead(d);
	if (!p || p->n == PREFETCH_MAX || !n)
		return;
	n = size_min(n, RANGE_MAX);
	bytes = arena_alloc(d->arena, n);
	got = decode_read_some(d, addr, bytes, n);
	if (got > 0)
		p->reads[p->n++] =
			(struct plan_read){.addr = addr, .bytes = bytes, .wanted = n, .got = got};
}

ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n)
{
	const uint8_t *bytes;
	size_t len;

	if (out_of_reach(d, addr))
		return failed(d, addr, -EFAULT);
	bytes = prefetch_find(d, addr, &len);
	if (bytes) {
		size_t k = strnlen((const char *)bytes, size_min(len, n));

		if (k < len || k == n) {
			memcpy(buf, bytes, k);
			return k;
		}
	}
	if (is_refused(d, 0))
		return failed(d, addr, -E2BIG);
	return failed(d, addr, memory_read_string(d->memory, addr, buf, n));
}

size_t decode_read_known(struct decoder *d, uint64_t addr, void *buf, size_t n)
{
	const uint8_t *bytes;
	size_t len;

	if (out_of_reach(d, addr))
		return 0;
	bytes = prefetch_find(d, addr, &len);
	if (!bytes)
		return 0;
	len = size_min(len, n);
	memcpy(buf, bytes, len);
	return len;
}

ssize_t decode_read_some(struct decoder *d, uint64_t addr, void *buf, size_t n)
{
	if (out_of_reach(d, addr))
		return failed(d, addr, -EFAULT);
	if (decode_read_known(d, addr, buf, n) == n)
		return n;
	if (is_refused(d, n))
		return failed(d, addr, -E2BIG);
	return failed(d, addr, memory_read_some(d->memory, addr, buf, n));
}
