/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=folded: "comm;outermost;…;leaf;SYSCALL WEIGHT", one line for each distinct stack,
 * written at the end of the run. flamegraph.pl, inferno and speedscope read it.
 */
#ifndef TRACER_SINKS_PROFILE_FOLDED_H
#define TRACER_SINKS_PROFILE_FOLDED_H

#include "sinks/sink.h"

/*
 * Creates the sink. Stacks of weight 0 are not written. Returns NULL after a message if the log
 * cannot be opened.
 */
struct sink *folded_sink_create(const struct sink_config *config);

#endif
