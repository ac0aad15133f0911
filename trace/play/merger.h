/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An engine that reports the events of several traces in the order of real time. Different runs may
 * contain the same thread ids. To keep them apart, MERGER_RUN is added to all ids in the second
 * trace, 2 * MERGER_RUN to all ids in the third trace, and so on.
 */
#ifndef TRACER_TRACE_PLAY_MERGER_H
#define TRACER_TRACE_PLAY_MERGER_H

#include "trace/play/player.h"

/* Larger than any thread id: the kernel's ids have at most 22 bits. */
#define MERGER_RUN 10000000
#define MERGER_MAX 64 /* maximum number of traces */

/*
 * Does the same as player_create() for n traces, where n is from 1 to MERGER_MAX. The traces are
 * borrowed.
 */
struct capture *merger_create(struct trace *const *traces, size_t n,
			      const struct player_config *config);

#endif
