/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf_event_open(2) */
#ifndef TRACER_DECODE_PERF_H
#define TRACER_DECODE_PERF_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"
#include "decode/time/time.h"

/* clang-format off */
/* A bit of a word, as a member of its own; abbreviated, only one that is set. */
#define PERF_BIT_(w, n_) TYPE(type_fn, .width = (w), .fn = decode_perf_bit, .len = N(n_))
#define PERF_BIT(n)   PERF_BIT_(W64, n)
#define PERF_BIT32(n) PERF_BIT_(W32, n)
/* The bits of a word from n_ on, which mean nothing yet: shown if set, with where they are. */
#define PERF_RESERVED(w, n_, where) TYPE(type_fn, .width = (w), .fn = decode_perf_reserved, .len = N(n_), .text = (where))
/* clang-format on */

/* A struct perf_event_attr; with E2BIG the size that the kernel asks for instead. */
decode_fn decode_perf_attr;
/* PERF_EVENT_IOC_QUERY_BPF: room for ids, and the ids. */
decode_fn decode_perf_query_bpf;

/* Its fields, and which of them count. */
decode_fn decode_perf_config, decode_perf_bit, decode_perf_reserved, decode_perf_skid,
	decode_perf_max_stack, decode_perf_bp_type;

/* What the hatches above read of memory. */
extern const struct hatch_reads perf_reads[];

#endif
