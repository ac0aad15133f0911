/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of a case (call.h) as answers to what decoders ask: there is no running system. */
#ifndef TRACER_TESTS_DECODE_WORLD_H
#define TRACER_TESTS_DECODE_WORLD_H

#include "call.h"
#include "capture/answers.h"

struct world {
	struct facts facts; /* pass this one to decoders */
	struct answers answers;
	int tid; /* of the thread that makes the call */
};

void world_init(struct world *w);
void world_deinit(struct world *w);
/* Makes it the world of c, whose thread is tid. Besides c's facts there is the interface 1, "lo",
 * and the generic netlink family 16, "nlctrl"; nothing else exists. */
void world_of_call(struct world *w, const struct call *c, int tid);

#endif
