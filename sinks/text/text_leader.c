/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_leader.h"

#include <stdio.h>
#include <string.h>

#include "linux/arch/abi.h"
#include "sinks/text/text_secontext.h"
#include "sinks/text/text_value.h"
#include "util/clock.h"

static void put_padded(struct strbuf *b, uint64_t n, unsigned width, char pad)
{
	char s[20], *p = s + sizeof(s);

	do
		*--p = '0' + n % 10;
	while (n /= 10);
	while (s + sizeof(s) - p < width)
		*--p = pad;
	strbuf_add(b, p, s + sizeof(s) - p);
}

void text_fraction(struct strbuf *b, long nsec, enum time_unit unit)
{
	static const unsigned digits[] = {0, 3, 6, 9};
	static const long divisor[] = {1000000000, 1000000, 1000, 1};

	if (unit == UNIT_S)
		return;
	strbuf_putc(b, '.');
	put_padded(b, nsec / divisor[unit], digits[unit], '0');
}

static void put_clock(struct strbuf *b, struct text_leader *t, const struct timespec *now)
{
	const struct text_config *c = t->config;

	if (c->absolute == TIME_UNIX) {
		strbuf_udec(b, now->tv_sec);
	} else {
		/*
		 * Cache the text, because calling localtime() for each line would cost more than
		 * the rest of the line.
		 */
		if (now->tv_sec != t->clock_second || !t->clock_text[0]) {
			struct tm tm;

			localtime_r(&now->tv_sec, &tm);
			strftime(t->clock_text, sizeof(t->clock_text), "%T", &tm);
			t->clock_second = now->tv_sec;
		}
		strbuf_puts(b, t->clock_text);
	}
	text_fraction(b, now->tv_nsec, c->absolute_unit);
}

static void put_times(struct strbuf *b, struct text_leader *t, const struct event *e)
{
	const struct text_config *c = t->config;

	if (c->absolute != TIME_NONE) {
		put_clock(b, t, &e->time);
		strbuf_puts(b, c->relative ? " (+" : " ");
	}
	if (c->relative) {
		struct timespec d = {0, 0};

		if (t->last.tv_sec || t->last.tv_nsec) {
			d = timespec_sub(e->mono, t->last);
			/*
			 * Stops of different threads may be reported out of order, so the
			 * difference may be negative.
			 */
			if (d.tv_sec < 0)
				d.tv_sec = d.tv_nsec = 0;
		}
		t->last = e->mono;
		put_padded(b, d.tv_sec, 6, ' ');
		text_fraction(b, d.tv_nsec, c->relative_unit);
		strbuf_puts(b, c->absolute != TIME_NONE ? ") " : " ");
	}
}

/* Writes the instruction pointer, padded to the width of an address in the thread's ABI. */
static void put_ip(struct strbuf *b, const struct event *e, bool known)
{
	unsigned digits = 2 * abis[e->abi].long_size;
	char s[16];

	/*
	 * Use more digits if necessary, because a 64-bit program may make 32-bit calls from an
	 * address with more digits.
	 */
	while (known && digits < sizeof(s) && e->ip >> 4 * digits)
		digits++;
	for (unsigned i = 0; i < digits; i++)
		s[i] = known ? "0123456789abcdef"[e->ip >> 4 * (digits - 1 - i) & 15] : '?';
	strbuf_add(b, s, digits);
}

/* With -Y, writes "<comm>" after a pid. Returns false if the name is not shown or unknown. */
static bool put_comm(struct strbuf *b, const struct text_leader *t, const struct event *e)
{
	if (!t->config->pid_comm || !*e->comm)
		return false;
	strbuf_putc(b, '<');
	escape_bytes(b, e->comm, strnlen(e->comm, sizeof(e->comm)), t->config->hex_strings, true);
	strbuf_putc(b, '>');
	return true;
}

/* Formats the thread id that put_pid_column() writes. */
static attr_noinline void make_tid_text(struct text_leader *t, pid_t tid)
{
	t->tid = tid;
	t->tid_width = (unsigned)snprintf(t->tid_text, sizeof(t->tid_text), "%-5d ", tid);
}

/* Writes the thread id, padded to five columns, and a space. */
static void put_pid_column(struct strbuf *b, struct text_leader *t, const struct event *e)
{
	if (unlikely(t->tid != e->tid || !t->tid_width))
		make_tid_text(t, e->tid);
	/*
	 * A copy of constant size compiles to a few instructions. The bytes after tid_width are
	 * ignored.
	 */
	memcpy(strbuf_room(b, sizeof(t->tid_text)), t->tid_text, sizeof(t->tid_text));
	b->len += t->tid_width;
}

/* Writes "N<comm> ", the line prefix in a file. */
static attr_noinline void put_pid_comm(struct strbuf *b, const struct text_leader *t,
				       const struct event *e)
{
	strbuf_udec(b, e->tid);
	put_comm(b, t, e);
	strbuf_putc(b, ' ');
}

/* Writes "[pid N<comm>] ", the line prefix on stderr. */
static attr_noinline void put_pid_brackets(struct strbuf *b, const struct text_leader *t,
					   const struct event *e)
{
	text_punct(b, t->style, "[");
	strbuf_puts(b, "pid ");
	put_padded(b, e->tid, 5, ' ');
	put_comm(b, t, e);
	text_punct(b, t->style, "]");
	strbuf_putc(b, ' ');
}

static void put_pid(struct strbuf *b, struct text_leader *t, const struct event *e)
{
	const struct text_config *c = t->config;

	if (t->pid_column || (t->threads > 1 && c->path && !c->separately)) {
		if (likely(!c->pid_comm || !*e->comm))
			put_pid_column(b, t, e);
		else
			put_pid_comm(b, t, e);
	} else if (t->threads > 1 && !c->separately) {
		put_pid_brackets(b, t, e);
	}
}

/* Writes "[TYPE] ". */
static attr_noinline void put_secontext(struct strbuf *b, const struct text_leader *t,
					const char *context)
{
	text_punct(b, t->style, "[");
	text_secontext(b, t->config, context, NULL);
	text_punct(b, t->style, "]");
	strbuf_putc(b, ' ');
}

/* Writes the parts of the beginning of a line that depend on options. */
static attr_noinline void put_more(struct strbuf *b, struct text_leader *t, const struct event *e,
				   bool has_ip)
{
	const struct text_config *c = t->config;

	if (c->absolute != TIME_NONE || c->relative)
		put_times(b, t, e);
	if (c->syscall_numbers) {
		text_punct(b, t->style, "[");
		if (e->nr == UINT64_MAX)
			strbuf_puts(b, "???");
		else
			put_padded(b, e->nr, 4, ' ');
		text_punct(b, t->style, "]");
		strbuf_putc(b, ' ');
	}
	if (c->instruction_pointer) {
		text_punct(b, t->style, "[");
		put_ip(b, e, has_ip);
		text_punct(b, t->style, "]");
		strbuf_putc(b, ' ');
	}
}

void text_leader(struct strbuf *b, struct text_leader *t, const struct event *e, bool has_ip)
{
	if (likely(e->tid))
		put_pid(b, t, e);
	if (unlikely(e->secontext))
		put_secontext(b, t, e->secontext);
	if (t->more)
		put_more(b, t, e, has_ip);
}

void text_leader_init(struct text_leader *t, const struct text_config *config,
		      const struct text_style *style)
{
	*t = (struct text_leader){.config = config, .style = style};
	t->more = config->absolute != TIME_NONE || config->relative || config->syscall_numbers ||
		  config->instruction_pointer;
}
