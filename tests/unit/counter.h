/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An event source that is unknown to the rest of tracer: an engine with one thread whose only
 * events come from a counter. test_events.c checks that these events appear in every output format
 * and in a trace.
 */
#ifndef TRACER_TESTS_UNIT_COUNTER_H
#define TRACER_TESTS_UNIT_COUNTER_H

#include "cli/engine.h"

#define COUNTER_THREAD 5000300 /* larger than any pid that the kernel assigns */
#define COUNTER_EVENTS 3

/*
 * Event i (counted from 0) is named "even" or "odd" and has the values count=i and word="w<i>". The
 * last event also has a duration of 1 ms, the result -1 ENOENT, and a stack with the single frame
 * counter_function.
 */
extern const struct engine counter_engine;

#endif
