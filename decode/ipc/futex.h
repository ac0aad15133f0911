/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* futex(2) and its successors. */
#ifndef TRACER_DECODE_IPC_FUTEX_H
#define TRACER_DECODE_IPC_FUTEX_H

#include "decode/core/decode.h"

/* The operation of futex(2) with its flags, and the operation that FUTEX_WAKE_OP encodes. */
decode_fn decode_futex_op, decode_futex_wake_op;

extern const struct type_ops type_futex_op;
#define FUTEX_OP TYPE(type_futex_op, .width = W32)

/* The bit set by which FUTEX_WAKE_BITSET selects waiters. w is the bit set's width. */
#define FUTEX_BITSET(w) NAMED(UINT32_MAX, "FUTEX_BITSET_MATCH_ANY", NUM_(hex, w, false))

#endif
