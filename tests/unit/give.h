/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Passes events to a sink as the session does, according to their kinds. */
#ifndef TRACER_TESTS_UNIT_GIVE_H
#define TRACER_TESTS_UNIT_GIVE_H

#include <string.h>

#include "sinks/sink.h"

/*
 * Returns a copy of the event that contains only the members that identify its thread, syscall and
 * time.
 */
static inline struct event head_of(const struct event *e)
{
	struct event head = {.tid = e->tid,
			     .tgid = e->tgid,
			     .abi = e->abi,
			     .nr = e->nr,
			     .ip = e->ip,
			     .time = e->time,
			     .mono = e->mono};

	memcpy(head.comm, e->comm, sizeof(head.comm));
	return head;
}

static inline void give(struct sink *s, enum event_kind kind, struct event *e)
{
	e->kind = kind;
	s->ops->event(s, e);
}

static inline void give_call(struct sink *s, enum event_kind kind, struct syscall_event *e)
{
	give(s, kind, &e->base);
}

static inline void give_signal(struct sink *s, struct signal_event *e)
{
	give(s, EVENT_SIGNAL, &e->base);
}

static inline void give_process(struct sink *s, struct process_event *e)
{
	give(s, EVENT_PROCESS, &e->base);
}

static inline void give_lost(struct sink *s, struct lost_event *e)
{
	give(s, EVENT_LOST, &e->base);
}

#endif
