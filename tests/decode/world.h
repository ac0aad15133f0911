/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Answers the questions of decoders from the facts of a case (call.h). The running system is not
 * asked.
 */
#ifndef TRACER_TESTS_DECODE_WORLD_H
#define TRACER_TESTS_DECODE_WORLD_H

#include "call.h"
#include "capture/answers.h"

struct world {
	struct facts facts; /* the facts to pass to decoders */
	struct answers answers;
	int tid; /* the thread that makes the call */
};

void world_init(struct world *w);
void world_deinit(struct world *w);
/*
 * Fills w with the facts of c, whose thread is tid. In addition there are the network interface 1,
 * "lo", and the generic netlink family 16, "nlctrl".
 */
void world_of_call(struct world *w, const struct call *c, int tid);

#endif
