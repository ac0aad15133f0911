/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* futex(2) and its successors. */
#ifndef TRACER_DECODE_FUTEX_H
#define TRACER_DECODE_FUTEX_H

#include "decode/core/decode.h"

/*
 * The operation of futex(2) with its flags, the encoded operation of FUTEX_WAKE_OP, a bit set to
 * wake or wait by, and the flags of futex_wait(2) and its kin.
 */
decode_fn decode_futex_op, decode_futex_wake_op, decode_futex_bitset, decode_futex2_flags;

extern const struct type_ops type_futex_op;
#define FUTEX_OP TYPE(type_futex_op, .width = W32)

extern const struct type_ops type_futex2_flags;
#define FUTEX2_FLAGS TYPE(type_futex2_flags, .width = W32)

extern const struct type_ops type_futex_bitset;
#define FUTEX_BITSET(w) TYPE(type_futex_bitset, .width = (w))

#endif
