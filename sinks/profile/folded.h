/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=folded: one line for each distinct stack, written at the end of the run:
 * "comm;outermost;…;leaf;SYSCALL WEIGHT". flamegraph.pl, inferno and speedscope read this format.
 */
#ifndef TRACER_SINKS_PROFILE_FOLDED_H
#define TRACER_SINKS_PROFILE_FOLDED_H

#include "sinks/sink.h"

/*
 * Creates the sink, which omits stacks with a weight of 0. If the log cannot be opened, prints a
 * message and returns NULL.
 */
struct sink *folded_sink_create(const struct sink_config *config);

#endif
