/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* futex(2) and its successors. */
#ifndef TRACER_DECODE_FUTEX_H
#define TRACER_DECODE_FUTEX_H

#include "decode/core/decode.h"

decode_fn decode_futex_op, decode_futex_wake_op, decode_futex_bitset, decode_futex2_flags;

#endif
