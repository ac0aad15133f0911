/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data that decoding the exit of a call needs from its entry. */
#ifndef TRACER_DECODE_CORE_STATE_H
#define TRACER_DECODE_CORE_STATE_H

#include "event/event.h"

struct decode_state {
	/*
	 * The row of the thread's previous call, which restart_syscall(2) resumes; -1 if unknown.
	 */
	int last_row;
	uint64_t saved; /* stored by a row's decoder at entry for its decoder at exit */
	struct value *before[EVENT_ARGS_MAX]; /* arguments at entry that the exit needs again */
};

#endif
