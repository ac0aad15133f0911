/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read plans (capture/plan.h) in the form in which the programs in the kernel follow them. */
#ifndef TRACER_CAPTURE_BPF_READS_H
#define TRACER_CAPTURE_BPF_READS_H

#include "capture/bpf/records.h"

struct plan;
struct plan_limits;

/*
 * Makes the ops of a plan, as limits shorten them, at most READS_OF_ONE. Returns their number.
 * What the programs cannot follow is left out, with all that hangs on it: then *whole is false.
 */
unsigned reads_of_plan(const struct plan *p, const struct plan_limits *limits, struct read_op *ops,
		       bool *whole);

#endif
