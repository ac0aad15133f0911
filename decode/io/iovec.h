/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arrays of struct iovec. */
#ifndef TRACER_DECODE_IO_IOVEC_H
#define TRACER_DECODE_IO_IOVEC_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * For tables of syscalls: an array of t->len iovecs whose buffers the call has filled. The result
 * of the call is the total number of bytes in these buffers. Each iov_base is shown as its part of
 * the data, or as an address if the call failed.
 */
decode_fn decode_iovec_out;
/*
 * The iov_base of an iovec that decode_iovec_out shows. d->left is the number of bytes that remain
 * for this and the following buffers. Shows min(iov_len, d->left) bytes, and subtracts their number
 * from d->left.
 */
decode_fn decode_iovec_share;

/* Buffers that the call sends. They are shown with their data. Use as IN(iov, IOVEC_IN(A2)). */
#define IOVEC_IN(...)  ARRAY(STRUCT(iovec_data), __VA_ARGS__)
#define IOVEC_OUT(...) FN_LEN(decode_iovec_out, __VA_ARGS__)
/* Buffers that are shown as addresses, without their data. */
#define IOVEC(...) ARRAY(STRUCT(iovec), __VA_ARGS__)

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads iovec_reads[];

#endif
