/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Answers the decoders' questions from the facts of a case (see call.h), not from the running
 * system.
 */
#ifndef TRACER_TESTS_DECODE_WORLD_H
#define TRACER_TESTS_DECODE_WORLD_H

#include "call.h"
#include "answers.h"

struct world {
	struct facts facts; /* facts to pass to decoders */
	struct answers answers;
	int tid; /* the thread that makes the syscall */
};

void world_init(struct world *w);
void world_deinit(struct world *w);
/*
 * Initializes w from the facts of c, for the thread `tid`. Also adds the network interface "lo"
 * with index 1, and the generic netlink family "nlctrl" with id 16.
 */
void world_of_call(struct world *w, const struct call *c, int tid);

#endif
