/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An engine that reports what several traces have recorded, in the order of real time. Threads of
 * different runs may have had the same numbers: those of the second trace are MERGER_RUN larger
 * than they were, those of the third one twice that, and so on.
 */
#ifndef TRACER_TRACE_PLAY_MERGER_H
#define TRACER_TRACE_PLAY_MERGER_H

#include "trace/play/player.h"

/* More than any thread id of a kernel, which has 22 bits. */
#define MERGER_RUN 10000000
#define MERGER_MAX 64 /* traces at once */

/* As player_create(); traces are borrowed, and there is at least one. */
struct capture *merger_create(struct trace *const *traces, size_t n,
			      const struct player_config *config);

#endif
