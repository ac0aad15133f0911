/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data from the entry of a call that is needed to decode its exit. */
#ifndef TRACER_DECODE_CORE_STATE_H
#define TRACER_DECODE_CORE_STATE_H

#include "event/event.h"

struct decode_state {
	/*
	 * The index in syscall_descs of the thread's previous call other than restart_syscall(2),
	 * or -1 if unknown. Used for restart_syscall(2), which resumes that call.
	 */
	int last_row;
	uint64_t saved; /* for the call's decoders: stored at entry, used at exit */
	struct value *before[EVENT_ARGS_MAX]; /* arguments at entry that are needed again at exit */
};

#endif
