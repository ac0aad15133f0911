/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=folded: "comm;outermost;…;leaf;SYSCALL WEIGHT", a line for each
 * distinct stack, written when the run is over. flamegraph.pl, inferno and
 * speedscope read it.
 */
#ifndef TRACER_SINKS_FOLDED_H
#define TRACER_SINKS_FOLDED_H

#include "sinks/sink.h"

/* Stacks that weigh nothing are left out. NULL when the log cannot be opened (one message was
 * given). */
struct sink *folded_sink_create(const struct sink_config *config);

#endif
