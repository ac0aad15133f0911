/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The beginning of a text line, before the call, signal or other event: the thread, the time (-t,
 * -r), the syscall number (-n) and the instruction pointer (-i).
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
	bool more; /* an option adds more than the thread's id */
	/* The owner sets these and keeps them up to date. */
	unsigned threads; /* number of threads; lines name their thread if there are several */
	bool pid_column;  /* lines begin with "N ", not with "[pid N] " */
	/* State kept between lines. */
	struct timespec last; /* time of the previous line, for -r */
	time_t clock_second;  /* the second that clock_text shows */
	char clock_text[16];
	pid_t tid; /* id and text of the last "N " prefix */
	char tid_text[16];
	unsigned tid_width;
};

/* Both pointers are borrowed. *config must not change. */
void text_leader_init(struct text_leader *t, const struct text_config *config,
		      const struct text_style *style);

/* Appends the beginning of a line for e. has_ip means that e->ip is known. */
void text_leader(struct strbuf *b, struct text_leader *t, const struct event *e, bool has_ip);

/*
 * Appends a decimal point and the fraction of a second for nsec nanoseconds. Appends nothing for
 * UNIT_S.
 */
void text_fraction(struct strbuf *b, long nsec, enum time_unit unit);

#endif
