/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/ioctl.h"

/* asm-generic/ioctl.h: number in bits 0–7, type 8–15, size 16–29, direction 30–31. */
static struct value *request_parts(struct decoder *d, uint32_t n)
{
	static const char *const directions[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
						 "_IOC_READ|_IOC_WRITE"};
	struct value *v = value_call(d->arena, "_IOC");

	v->num = n;
	v->width = 4;
	value_add(v, value_word(d->arena, directions[n >> 30], n >> 30));
	value_add(v, value_hex(d->arena, n >> 8 & 0xff));
	value_add(v, value_hex(d->arena, n & 0xff));
	value_add(v, value_hex(d->arena, n >> 16 & 0x3fff));
	return v;
}

/* The first row of the table that has this value, or NULL. */
static const struct xlat_entry *first_row(const struct xlat *x, uint64_t n)
{
	size_t lo = 0, hi = x->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (x->entries[mid].val < n)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < x->n && x->entries[lo].val == n ? &x->entries[lo] : NULL;
}

struct value *ioctl_request(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct xlat *x = &xlat_ioctl_requests;
	const struct xlat_entry *e = first_row(x, n), *end = x->entries + x->n;
	struct value *v;
	const char *name;

	if (!e)
		return request_parts(d, n);
	/* Drivers of different devices use one number: which one it is, only the fd would tell. */
	for (name = e->name, e++; e < end && e->val == n; e++)
		name = arena_printf(d->arena, "%s or %s", name, e->name);
	v = value_word(d->arena, name, n);
	v->width = 4;
	return v;
}
