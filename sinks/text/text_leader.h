/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The beginning of a text line before its call, signal or other event: the thread, the time (-t,
 * -r), the syscall number (-n), the instruction pointer (-i).
 */
#ifndef TRACER_SINKS_TEXT_TEXT_LEADER_H
#define TRACER_SINKS_TEXT_TEXT_LEADER_H

#include "event/event.h"
#include "sinks/text/text_config.h"
#include "util/strbuf.h"

struct text_style;

struct text_leader {
	const struct text_config *config;
	const struct text_style *style;
	bool more; /* an option adds to the thread's id */
	/* Set by the owner, who keeps them up to date. */
	unsigned threads; /* number of threads; if there are several, lines name theirs */
	bool pid_column;  /* they are named by "N ", not by "[pid N] " */
	/* Kept from line to line. */
	struct timespec last; /* time of the previous line, for -r */
	time_t clock_second;  /* the second that clock_text shows */
	char clock_text[16];
	pid_t tid; /* of the last line that named its thread by "N ", and that text */
	char tid_text[16];
	unsigned tid_width;
};

/* Both are borrowed, and do not change. */
void text_leader_init(struct text_leader *t, const struct text_config *config,
		      const struct text_style *style);

/* Appends the beginning of a line for e. has_ip: e->ip is known. */
void text_leader(struct strbuf *b, struct text_leader *t, const struct event *e, bool has_ip);

/* Appends a point and the fraction of a second of nsec nanoseconds; nothing for UNIT_S. */
void text_fraction(struct strbuf *b, long nsec, enum time_unit unit);

#endif
