/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A source of events that nothing in tracer knows: an engine with one thread, whose only events are
 * those of a counter. test_events.c shows that every format and a trace have them.
 */
#ifndef TRACER_TESTS_UNIT_COUNTER_H
#define TRACER_TESTS_UNIT_COUNTER_H

#include "cli/engine.h"

#define COUNTER_THREAD 5000300 /* beyond any pid of a kernel */
#define COUNTER_EVENTS 3

/*
 * Event i (from 0 on) is named "even" or "odd" and has the values count=i and word="w<i>". The last
 * one also has a duration of 1.5 ms and the result -1 ENOENT.
 */
extern const struct engine counter_engine;

#endif
