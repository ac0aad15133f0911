/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/stack.h"

static const struct {
	const char *key, *text;
} statuses[STACK_STATUSES] = {
	[STACK_COMPLETE] = {"complete", ""},
	/* strace 7.2 prints the same text. strace gives no other reasons. */
	[STACK_FRAME_LIMIT] = {"frame-limit", "too many stack frames"},
	[STACK_NO_MAPPING] = {"no-mapping", "no executable mapping"},
	[STACK_NO_CFI] = {"no-cfi", "no unwind information"},
	[STACK_BAD_CFI] = {"bad-cfi", "invalid unwind information"},
	[STACK_UNREADABLE] = {"unreadable", "unreadable stack memory"},
	[STACK_LOOP] = {"loop", "stack frames in a loop"},
	[STACK_GONE] = {"gone", "thread is gone"},
	[STACK_OVER_BUDGET] = {"over-budget", "too much unwind information to read"},
	[STACK_UNSUPPORTED] = {"unsupported", "unsupported machine code"},
	[STACK_NOT_COPIED] = {"not-copied", "the copy of the stack ends"},
	[STACK_BEFORE_TRACING] = {"before-tracing",
				  "no copy of the stack: the call began before tracing"},
	[STACK_MAPS_LOST] = {"mappings-lost", "records of the mappings were lost"},
};

const char *stack_status_text(enum stack_status s)
{
	return (unsigned)s < STACK_STATUSES ? statuses[s].text : "";
}

const char *stack_status_key(enum stack_status s)
{
	return (unsigned)s < STACK_STATUSES ? statuses[s].key : "";
}
