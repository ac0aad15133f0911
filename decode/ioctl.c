/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/ioctl.h"

#include <string.h>

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

/*
 * Types of requests whose argument is not guessed at: the sizes in their
 * numbers are no guide, or what they point to has pointers of its own.
 */
static bool is_opaque(uint8_t type)
{
	return type && (strchr("$>=EKLMORTVWXfiopu", type) ||
			strchr("\x12\x89\x94\xa4\xaa\xae\xb7\xfd", type));
}

struct value *ioctl_unknown(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t op = decode_arg_raw(d, 1), size = op >> 16 & 0x3fff;
	unsigned direction = op >> 30;
	/* _IOC_WRITE is 1, _IOC_READ 2; without a direction it could be either. */
	bool writes = direction != 2, reads = direction != 1;
	struct value *v;

	if (!size || is_opaque(op >> 8) || !first_row(&xlat_ioctl_requests, op) || !n)
		return d->exiting ? NULL : value_hex(d->arena, n);
	if (!d->exiting && !writes)
		return NULL; /* nothing to show yet */
	v = decode_buffer(d, n, size);
	if (v->kind != VALUE_STRING)
		return value_hex(d->arena, n);
	v->flags |= VALUE_F_HEX_STRING;
	if (!d->exiting && reads)
		v->flags |= VALUE_F_OPEN;
	return d->before ? value_change(d->arena, (struct value *)d->before, v) : v;
}
