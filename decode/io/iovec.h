/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arrays of struct iovec. */
#ifndef TRACER_DECODE_IOVEC_H
#define TRACER_DECODE_IOVEC_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * For rows: an array of as many iovecs as t->len says, filled with as many bytes as the
 * result says: each base is shown with the part of them that went there, or as an address
 * if the call failed.
 */
decode_fn decode_iovec_out;
/* A base of such an array: takes its share of what is left. */
decode_fn decode_iovec_share;

/* With data from the tracee, which is shown: IN(iov, IOVEC_IN(A2)). */
#define IOVEC_IN(...)  ARRAY(STRUCT(iovec_data), __VA_ARGS__)
#define IOVEC_OUT(...) FN_LEN(decode_iovec_out, __VA_ARGS__)
/* Addresses only. */
#define IOVEC(...) ARRAY(STRUCT(iovec), __VA_ARGS__)

/* What the hatches above read of memory. */
extern const struct hatch_reads iovec_reads[];

#endif
