/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts read plans (capture/plan.h) to the form that the BPF programs execute. */
#ifndef TRACER_CAPTURE_BPF_READS_H
#define TRACER_CAPTURE_BPF_READS_H

#include "capture/bpf/map_values.h"

struct plan;
struct plan_limits;

/*
 * Converts the ops of plan p to at most READS_OF_ONE reads, and stores them in `ops`. `limits`
 * restricts the lengths of the reads, and ops with `full` are skipped unless limits->full is set.
 * Returns the number of reads. If an op is not supported, skips this op and all ops that depend on
 * it, and sets *whole to false. Otherwise, *whole is p->whole.
 */
unsigned reads_of_plan(const struct plan *p, const struct plan_limits *limits, struct read_op *ops,
		       bool *whole);

#endif
