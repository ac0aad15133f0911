/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a process may use: limits, priorities, policies, sets of CPUs. */
#ifndef TRACER_DECODE_SCHED_H
#define TRACER_DECODE_SCHED_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* getrlimit(2): a limit of long, or of 64 bits. */
decode_fn decode_rlim;

/* Sets of CPUs, of as many bytes as t->len says. */
decode_fn decode_cpuset;
#define CPUSET(...) FN_LEN(decode_cpuset, __VA_ARGS__)

/* Scheduling: sched(7), ioprio_get(2). */
decode_fn decode_sched_policy;
decode_fn decode_ret_sched_policy;
decode_fn decode_sched_attr, decode_sched_attr_filled;
bool sched_attr_has_policy(const struct decoder *d);
bool sched_attr_has_params(const struct decoder *d);
decode_fn decode_ioprio;
decode_fn decode_ret_ioprio;

/* What the hatches above read of memory. */
extern const struct hatch_reads sched_reads[];

extern const struct type_ops type_sched_policy;
#define SCHED_POLICY TYPE(type_sched_policy, .width = W32)

extern const struct type_ops type_ioprio;
#define IOPRIO TYPE(type_ioprio, .width = W32)

extern const struct type_ops type_ret_ioprio;
#define RET_IOPRIO TYPE(type_ret_ioprio, .width = W_LONG)

extern const struct type_ops type_ret_sched_policy;
#define RET_SCHED_POLICY TYPE(type_ret_sched_policy, .width = W_LONG)

#endif
