/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Resource limits, scheduling policies, priorities and CPU sets. */
#ifndef TRACER_DECODE_PROCESS_SCHED_H
#define TRACER_DECODE_PROCESS_SCHED_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* A resource limit. It is an unsigned long in getrlimit(2), and has 64 bits in prlimit(2). */
decode_fn decode_rlim;

/* A CPU set (see sched_setaffinity(2)): a bit mask of t->len bytes. */
decode_fn decode_cpuset;
#define CPUSET(...) FN_LEN(decode_cpuset, __VA_ARGS__)

/*
 * For sched(7): the result of sched_getscheduler(2), and struct sched_attr, both as an argument and
 * as the struct that sched_getattr(2) stores.
 */
decode_fn decode_ret_sched_policy;
decode_fn decode_sched_attr_entry, decode_sched_attr_exit, decode_sched_attr_filled;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads sched_reads[];

extern const struct type_ops type_ret_sched_policy;
#define RET_SCHED_POLICY TYPE(type_ret_sched_policy, .width = W_LONG)

#endif
