/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An engine that reports the events of several traces in the order of real time. Different runs may
 * contain the same thread ids, so MERGER_RUN is added to the ids of the second trace, 2 *
 * MERGER_RUN to those of the third, and so on.
 */
#ifndef TRACER_TRACE_PLAY_MERGER_H
#define TRACER_TRACE_PLAY_MERGER_H

#include "trace/play/player.h"

/* Larger than any thread id, because the kernel's ids have at most 22 bits. */
#define MERGER_RUN 10000000
#define MERGER_MAX 64 /* maximum number of traces */

/*
 * Does the same as player_create() for several traces, at least one and at most MERGER_MAX. The
 * traces are borrowed.
 */
struct capture *merger_create(struct trace *const *traces, size_t n,
			      const struct player_config *config);

#endif
