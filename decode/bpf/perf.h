/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf_event_open(2): struct perf_event_attr of <linux/perf_event.h>, and its ioctl requests. */
#ifndef TRACER_DECODE_BPF_PERF_H
#define TRACER_DECODE_BPF_PERF_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"
#include "decode/time/time.h"

/* clang-format off */
/* Bit n_ of a word, shown as a separate member. Without -v, it is shown only if it is set. */
#define PERF_BIT_(w, n_) TYPE(type_fn, .width = (w), .fn = decode_perf_bit, .len = N(n_))
#define PERF_BIT(n)   PERF_BIT_(W64, n)
#define PERF_BIT32(n) PERF_BIT_(W32, n)
/*
 * The reserved bits of a word, from bit n_ upward. They are shown only if any of them is set, with
 * the comment `where`.
 */
#define PERF_RESERVED(w, n_, where) TYPE(type_fn, .width = (w), .fn = decode_perf_reserved, .len = N(n_), .text = (where))
/* clang-format on */

/*
 * A struct perf_event_attr. If the call failed with E2BIG, the kernel has replaced the caller's
 * size with the size that it supports. In this case, both sizes are shown.
 */
decode_fn decode_perf_attr;
/*
 * PERF_EVENT_IOC_QUERY_BPF. Shows the capacity of the array `ids` at entry, and the ids that the
 * kernel has stored at exit.
 */
decode_fn decode_perf_query_bpf_entry, decode_perf_query_bpf_exit;

/* Fields of struct perf_event_attr. */
decode_fn decode_perf_config, decode_perf_bit, decode_perf_reserved, decode_perf_skid,
	decode_perf_max_stack, decode_perf_bp_type;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads perf_reads[];

#endif
