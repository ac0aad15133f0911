/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/iovec.h"

struct value *decode_iovec_filled(struct decoder *d, uint64_t addr, uint64_t count, uint64_t left)
{
	struct type filled = ARRAY(STRUCT(iovec_filled), A0), plain = ARRAY(STRUCT(iovec), A0);
	struct type *t = d->failed ? &plain : &filled;
	struct value *v;

	t->len = (struct length)N(size_min(count, UINT32_MAX));
	d->left = left;
	v = decode_number(d, t, addr);
	d->left = 0;
	return v;
}

struct value *decode_iovec_out(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t count;

	if (!decode_length(d, &t->len, &count) || count > UINT64_MAX / 16)
		return value_addr(d->arena, n);
	return decode_iovec_filled(d, n, count, d->ev->ret);
}

struct value *decode_iovec_share(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t len = decode_field(d, "iov_len");

	if (len > d->left)
		len = d->left;
	d->left -= len;
	return decode_buffer(d, n, len);
}
