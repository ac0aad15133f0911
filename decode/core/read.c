/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/read.h"

#include <errno.h>
#include <string.h>

#define PAGE 4096

/* The bytes of p that start at addr, and how many there are. */
static const uint8_t *prefetch_find(const struct prefetch *p, uint64_t addr, size_t *len)
{
	for (unsigned i = 0; p && i < p->n; i++) {
		uint64_t start = p->ranges[i].addr;

		if (addr >= start && addr - start < p->ranges[i].len) {
			*len = p->ranges[i].len - (addr - start);
			return p->ranges[i].bytes + (addr - start);
		}
	}
	return NULL;
}

/* No pointer of a 32-bit ABI reaches there, though the thread's address space may. */
static bool out_of_reach(const struct decoder *d, uint64_t addr)
{
	return d->abi->long_size == 4 && addr > UINT32_MAX;
}

int decode_read(struct decoder *d, uint64_t addr, void *buf, size_t n)
{
	const uint8_t *bytes;
	size_t len;

	if (out_of_reach(d, addr))
		return -EFAULT;
	if (!n)
		return 0;
	bytes = prefetch_find(d->prefetch, addr, &len);
	if (bytes && len >= n) {
		memcpy(buf, bytes, n);
		return 0;
	}
	return memory_read(d->memory, addr, buf, n);
}

uint8_t *decode_read_new(struct decoder *d, uint64_t addr, size_t n, int *err)
{
	uint8_t *buf;
	int r;

	if (n > DECODE_BYTES_MAX) {
		if (err)
			*err = -E2BIG;
		return NULL;
	}
	buf = arena_alloc(d->arena, n);
	r = decode_read(d, addr, buf, n);
	if (err)
		*err = r;
	return r < 0 ? NULL : buf;
}

ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n)
{
	const uint8_t *bytes;
	size_t len;

	if (out_of_reach(d, addr))
		return -EFAULT;
	bytes = prefetch_find(d->prefetch, addr, &len);
	if (bytes) {
		size_t k = strnlen((const char *)bytes, size_min(len, n));

		if (k < len || k == n) {
			memcpy(buf, bytes, k);
			return k;
		}
	}
	return memory_read_string(d->memory, addr, buf, n);
}

/* Bytes worth reading at a pointer of this type; 0: none. */
static size_t guess(struct decoder *d, const struct type *t)
{
	uint64_t n;

	if (t->ops == &type_ptr)
		t = t->elem;
	else if (!t->ops->fetch && !t->ops->memory)
		return 0;
	if (t->ops == &type_string)
		return t->flags & TYPE_F_PATH ? 256 : d->config->string_limit + 1;
	if (t->ops == &type_bytes)
		return decode_length(d, &t->len, &n) ? size_min(n, d->config->string_limit) : 0;
	if (t->ops == &type_array) {
		if (!decode_length(d, &t->len, &n))
			return 0;
		return size_min(n, PREFETCH_BYTES) * decode_size(d->abi, t->elem);
	}
	return decode_size(d->abi, t);
}

void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p)
{
	struct memory_op ops[PREFETCH_MAX];
	unsigned reg = 0, n = 0;

	for (unsigned i = 0; i < desc->nargs && n < PREFETCH_MAX; i++) {
		const struct arg_desc *a = &desc->args[i];
		unsigned r = a->reg ? a->reg - 1u : reg;
		bool at_entry = a->phase == PHASE_IN || a->phase == PHASE_INOUT;
		size_t want;
		uint64_t addr;

		if (a->phase == PHASE_HOOK_ENTER || a->phase == PHASE_HOOK_EXIT)
			continue;
		reg = r + 1;
		if (r >= SYSCALL_ARGS_MAX || at_entry == d->exiting)
			continue;
		addr = d->ev->raw_args[r];
		want = addr ? guess(d, &a->type) : 0;
		if (!want)
			continue;
		/* Not past the page: an unreadable next one would cost the whole read. */
		want = size_min(size_min(want, PREFETCH_BYTES), PAGE - addr % PAGE);
		ops[n++] = (struct memory_op){
			.addr = addr, .n = want, .buf = arena_alloc(d->arena, want)};
	}
	p->n = 0;
	if (n < 2) /* nothing to save */
		return;
	memory_read_batch(d->memory, ops, n);
	for (unsigned i = 0; i < n; i++) {
		if (ops[i].got <= 0)
			continue;
		p->ranges[p->n].addr = ops[i].addr;
		p->ranges[p->n].bytes = ops[i].buf;
		p->ranges[p->n++].len = ops[i].got;
	}
	d->prefetch = p;
}
