/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/event.h"

#include "event/wakeup.h"
#include "util/clock.h"

const char *event_type(const struct event *e)
{
	static const char *const types[] = {
		[EVENT_SYSCALL] = "syscall", [EVENT_ENTER] = "enter",
		[EVENT_HOLD] = "enter",	     [EVENT_UNFINISHED] = "syscall",
		[EVENT_BLOCKED] = "blocked", [EVENT_SNAPSHOT] = "snapshot",
		[EVENT_SIGNAL] = "signal",   [EVENT_PROCESS] = "process",
		[EVENT_LOST] = "lost",	     [EVENT_RUN] = "run",
		[EVENT_COUNTS] = "counts",
	};

	return e->kind == EVENT_OTHER ? e->source : types[e->kind];
}

int64_t event_cpu_ns(const struct syscall_event *e)
{
	const int64_t all = (int64_t)timespec_ns(e->base.duration), off = e->blocked + e->runnable;

	return all > off ? all - off : 0;
}

const char *wake_cause_name(enum wake_cause cause)
{
	static const char *const names[] = {
#define NAME(id, name) [WAKE_##id] = name,
		WAKE_CAUSES(NAME)
#undef NAME
	};

	return names[cause];
}
