/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An engine that reports the events of several traces in the order of real time. Threads of
 * different runs may have had the same ids, so MERGER_RUN is added to those of the second trace,
 * twice that to those of the third, and so on.
 */
#ifndef TRACER_TRACE_PLAY_MERGER_H
#define TRACER_TRACE_PLAY_MERGER_H

#include "trace/play/player.h"

/* More than any thread id of a kernel, which has at most 22 bits. */
#define MERGER_RUN 10000000
#define MERGER_MAX 64 /* maximum number of traces */

/* Like player_create(). The traces are borrowed; there must be at least one. */
struct capture *merger_create(struct trace *const *traces, size_t n,
			      const struct player_config *config);

#endif
