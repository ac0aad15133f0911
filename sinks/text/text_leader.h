/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The beginning of a line, before the call, signal or other event. It contains the thread, the time
 * (-t, -r), the syscall number (-n) and the instruction pointer (-i).
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
	bool more; /* true if an option adds further parts to the beginning of the line */
	/* The owner sets these members and keeps them up to date. */
	unsigned threads; /* number of threads; if there are several, lines contain a thread id */
	bool pid_column;  /* true if lines begin with "N " instead of "[pid N] " */
	/* State that is kept from one line to the next. */
	struct timespec last; /* time of the previous line, for -r */
	time_t clock_second;  /* the second (since 1970) for which clock_text was formatted */
	char clock_text[16];
	pid_t tid; /* thread id in the last "N " prefix, and the text of this prefix */
	char tid_text[16];
	unsigned tid_width;
};

/* Initializes t. Both pointers are borrowed. *config must not change. */
void text_leader_init(struct text_leader *t, const struct text_config *config,
		      const struct text_style *style);

/* Appends the beginning of a line for `e`. `has_ip` means that e->ip is valid. */
void text_leader(struct strbuf *b, struct text_leader *t, const struct event *e, bool has_ip);

/*
 * Appends a decimal point and a fraction of a second with the precision of `unit`. Appends nothing
 * for UNIT_S.
 */
void text_fraction(struct strbuf *b, long nsec, enum time_unit unit);

#endif
