/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=folded: "comm;outermost;…;leaf;SYSCALL WEIGHT", a line for each
 * distinct stack, written when the run is over. flamegraph.pl, inferno and
 * speedscope read it.
 */
#ifndef TRACER_SINKS_PROFILE_FOLDED_H
#define TRACER_SINKS_PROFILE_FOLDED_H

#include "sinks/sink.h"

/*
 * Makes the sink. Stacks with the weight 0 are not written. Returns NULL after a message if the log
 * cannot be opened.
 */
struct sink *folded_sink_create(const struct sink_config *config);

#endif
