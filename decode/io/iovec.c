/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/io/iovec.h"

struct value *decode_iovec_out(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct type filled = ARRAY(STRUCT(iovec_filled), A0),
			  plain = ARRAY(STRUCT(iovec), A0);
	struct type array = d->failed ? plain : filled;
	struct value *v;

	array.len = t->len;
	d->left = d->ev->base.ret;
	v = decode_number(d, &array, n);
	d->left = 0;
	return v;
}

struct value *decode_iovec_share(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t len = decode_field(d, "iov_len");

	if (len > d->left)
		len = d->left;
	d->left -= len;
	return decode_buffer(d, n, len);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads iovec_reads[] = {
	CUSTOM(decode_iovec_out, TYPE(type_array, ELEM_(STRUCT(iovec_data)))),
	CUSTOM(decode_iovec_share, BYTES(FIELD(iov_len))),
	{0}};
