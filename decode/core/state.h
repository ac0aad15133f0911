/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data that decoding the exit of a call needs from its entry. */
#ifndef TRACER_DECODE_CORE_STATE_H
#define TRACER_DECODE_CORE_STATE_H

#include "event/event.h"

struct decode_state {
	int last_row;	/* row of the thread's previous call, which restart_syscall(2) resumes */
	uint64_t saved; /* set by the hook of a row at the entry, for its hook at the exit */
	struct value *before[EVENT_ARGS_MAX]; /* arguments at the entry that the exit shows */
};

#endif
