/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/live/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/clock.h"
#include "util/escape.h"
#include "util/table.h"

#define COMM_SIZE 16
/* Minimum width of a table, in characters, for each of its optional columns. */
#define WITH_CALLS  40
#define WITH_BYTES  60
#define WITH_NOW    48
#define WITH_PID    100
#define WITH_MOST   120
#define NAME_COLUMN 15

static const char *const key_names[] = {
	[LIVE_BY_TIME] = "time",   [LIVE_BY_CALLS] = "calls", [LIVE_BY_ERRORS] = "errors",
	[LIVE_BY_BYTES] = "bytes", [LIVE_BY_WAIT] = "wait",   [LIVE_BY_NAME] = "name",
	[LIVE_BY_PID] = "pid",
};

const char *live_key_name(enum live_key key)
{
	return key_names[key];
}

/* ---- sorting ---- */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct live_line *x = a, *y = b;
	const struct live_view *view = ctx;
	int order = 0;

	switch (view->key) {
	case LIVE_BY_TIME:
		order = compare_numbers(y->sums.time, x->sums.time);
		break;
	case LIVE_BY_CALLS:
		order = compare_numbers((int64_t)y->sums.calls, (int64_t)x->sums.calls);
		break;
	case LIVE_BY_ERRORS:
		order = compare_numbers((int64_t)y->sums.errors, (int64_t)x->sums.errors);
		break;
	case LIVE_BY_BYTES:
		order = compare_numbers((int64_t)y->sums.bytes, (int64_t)x->sums.bytes);
		break;
	case LIVE_BY_WAIT:
		order = compare_numbers(*y->in_call ? y->in_call_for : -1,
					*x->in_call ? x->in_call_for : -1);
		break;
	case LIVE_BY_NAME:
		order = strncmp(x->name, y->name, sizeof(x->name));
		break;
	case LIVE_BY_PID:
		break;
	}
	/* Of lines with the same time, show those with more calls first: the busy threads. */
	if (!order && view->key == LIVE_BY_TIME)
		order = compare_numbers((int64_t)y->sums.calls, (int64_t)x->sums.calls);
	if (!order)
		order = compare_numbers(x->tgid, y->tgid);
	if (!order)
		order = compare_numbers(x->tid, y->tid);
	return order ? order : strncmp(x->name, y->name, sizeof(x->name));
}

static void sort(live_lines *lines, const struct live_view *view)
{
	if (lines->n)
		qsort_r(lines->v, lines->n, sizeof(*lines->v), compare, (void *)view);
}

static const struct live_sums *sums_of(const struct live_sums *all, const struct live_sums *recent,
				       const struct live_view *view)
{
	return view->since_start ? all : recent;
}

/* ---- threads and processes ---- */

static struct live_line *add_line(live_lines *lines, const struct live_thread *t)
{
	struct live_line *line = vec_push(lines);

	*line = (struct live_line){.tid = t->tid, .tgid = t->tgid};
	memcpy(line->name, t->comm, sizeof(t->comm));
	if (!t->tid)
		snprintf(line->name, sizeof(line->name), "%s", "(ended)");
	return line;
}

/*
 * Sets line->most to the call in which the thread has spent the most time, if that is more than
 * *most. Updates *most.
 */
static void set_most(struct live_line *line, const struct live_snapshot *s,
		     const struct live_thread *t, const struct live_view *view, int64_t *most)
{
	for (size_t i = 0; i < t->ncalls; i++) {
		const struct live_call *c = &s->calls.v[t->first + i];
		const int64_t time = sums_of(&c->all, &c->recent, view)->time;

		if (time <= *most)
			continue;
		*most = time;
		memcpy(line->most, c->name, sizeof(line->most));
	}
}

static void set_current(struct live_line *line, const struct live_thread *t)
{
	if (!*t->in_call || (*line->in_call && line->in_call_for >= t->in_call_for))
		return;
	memcpy(line->in_call, t->in_call, sizeof(line->in_call));
	line->in_call_for = t->in_call_for;
	line->in_call_tid = t->tid;
	line->waker = t->waker;
}

/* Returns the line of a process. `lines_by_pid` contains indexes plus one. */
static struct live_line *line_of_process(live_lines *lines, struct table *lines_by_pid,
					 const struct live_thread *t)
{
	const uint64_t hash = table_hash_number((uint64_t)t->tgid);
	const struct table_slot *slot = table_find(lines_by_pid, hash, NULL);
	struct live_line *line = slot ? &lines->v[slot->value - 1] : add_line(lines, t);

	if (!slot) {
		table_add(lines_by_pid, hash, lines->n);
		line->tid = 0;
		line->ended = true;
	}
	/* The process has the name of its first thread. */
	if (t->tid && (t->tid == t->tgid || !line->threads))
		memcpy(line->name, t->comm, sizeof(t->comm));
	line->threads += t->tid != 0;
	line->ended &= t->ended || !t->tid;
	return line;
}

void live_table_threads(live_lines *lines, const struct live_snapshot *s,
			const struct live_view *view)
{
	struct table lines_by_pid = {0};

	lines->n = 0;
	vec_for_each (&s->threads, t) {
		struct live_line *line;
		int64_t most = 0;

		/* Threads that ended earlier have no recent calls, so skip them. */
		if (!t->tid && !view->since_start)
			continue;
		line = view->folded ? line_of_process(lines, &lines_by_pid, t) : add_line(lines, t);
		if (!view->folded)
			line->ended = t->ended || !t->tid;
		live_sums_add(&line->sums, sums_of(&t->all, &t->recent, view));
		set_current(line, t);
		if (!view->folded)
			set_most(line, s, t, view, &most);
	}
	table_deinit(&lines_by_pid);
	sort(lines, view);
}

void live_table_calls(live_lines *lines, const struct live_snapshot *s,
		      const struct live_view *view, pid_t tgid, pid_t tid)
{
	lines->n = 0;
	vec_for_each (&s->threads, t) {
		if (t->tgid != tgid || (tid && t->tid != tid))
			continue;
		for (size_t i = 0; i < t->ncalls; i++) {
			const struct live_call *c = &s->calls.v[t->first + i];
			struct live_line *line = NULL;

			vec_for_each (lines, l)
				if (!strncmp(l->name, c->name, sizeof(l->name)))
					line = l;
			if (!line) {
				line = vec_push(lines);
				*line = (struct live_line){0};
				memcpy(line->name, c->name, sizeof(line->name));
			}
			live_sums_add(&line->sums, sums_of(&c->all, &c->recent, view));
		}
	}
	sort(lines, view);
}

/* ---- text ---- */

/* Appends a number in at most 6 characters, right-aligned. `k` is 1000 or 1024. */
static void put_number(struct strbuf *b, uint64_t n, unsigned k)
{
	static const char units[] = " KMGTPE";
	double scaled = (double)n;
	unsigned unit = 0;

	if (n < (k == 1024 ? 10000 : 100000)) {
		strbuf_printf(b, "%6llu", (unsigned long long)n);
		return;
	}
	for (; scaled >= k && units[unit + 1]; unit++)
		scaled /= k;
	strbuf_printf(b, scaled < 99.95 ? "%5.1f%c" : "%5.0f%c", scaled, units[unit]);
}

/* Appends a time in 6 characters. */
static void put_time(struct strbuf *b, int64_t ns)
{
	const double s = ns > 0 ? (double)ns / NSEC_PER_SEC : 0;

	if (s < 100)
		strbuf_printf(b, "%5.2fs", s);
	else if (s < 100000)
		strbuf_printf(b, "%5.0fs", s);
	else
		strbuf_printf(b, "%5.0fh", s / 3600);
}

/*
 * Appends the time in calls in 6 characters: as a share of the interval, or in seconds for sums
 * since the start.
 */
static void put_share(struct strbuf *b, int64_t time, const struct live_snapshot *s,
		      const struct live_view *view)
{
	const int64_t interval = s->head.interval;

	if (view->since_start)
		put_time(b, time);
	else
		strbuf_printf(b, "%5.1f%%",
			      interval > 0 && time > 0 ? 100.0 * (double)time / (double)interval
						       : 0.0);
}

/* Appends a name, padded to `width` columns. The name may contain any bytes. */
static void put_name(struct strbuf *b, const char *name, size_t size, size_t width)
{
	attr_cleanup(strbuf_deinit) struct strbuf escaped = {0};
	const size_t start = b->len;

	escape_name(&escaped, name, strnlen(name, size));
	strbuf_add(b, escaped.data, escaped.len);
	if (b->len - start < width)
		strbuf_pad(b, ' ', width - (b->len - start));
}

static const char *time_heading(const struct live_view *view)
{
	return view->since_start ? "  TIME" : " TIME%";
}

void live_table_head(struct strbuf *b, const struct live_view *view, size_t width)
{
	if (view->folded)
		strbuf_puts(b, "    PID THR ");
	else if (width >= WITH_PID)
		strbuf_puts(b, "    PID     TID ");
	else
		strbuf_puts(b, "    TID ");
	strbuf_printf(b, "%-*s %s", NAME_COLUMN, "NAME", time_heading(view));
	if (width >= WITH_CALLS)
		strbuf_puts(b, "  CALLS");
	if (width >= WITH_BYTES)
		strbuf_puts(b, "  ERRS  BYTES");
	if (width >= WITH_MOST && !view->folded)
		strbuf_printf(b, " %-*s", NAME_COLUMN, "MOSTLY IN");
	if (width >= WITH_NOW)
		strbuf_puts(b, " NOW IN");
}

/* Appends the current call of a thread, and the thread for which it waits. */
static void put_now(struct strbuf *b, const struct live_line *line, const struct live_wait *wait)
{
	if (line->ended) {
		strbuf_puts(b, " (ended)");
		return;
	}
	if (!*line->in_call) {
		strbuf_puts(b, " -");
		return;
	}
	strbuf_putc(b, ' ');
	put_time(b, line->in_call_for);
	strbuf_putc(b, ' ');
	if (line->threads > 1)
		strbuf_printf(b, "%d: ", (int)line->in_call_tid);
	if (wait && wait->holder)
		strbuf_printf(b, "[lock held by %d] ", (int)wait->holder);
	else if (wait && wait->joined)
		strbuf_printf(b, "[until %d ends] ", (int)wait->joined);
	strbuf_puts(b, wait && *wait->text ? wait->text : line->in_call);
	/* The waker comes last, because the line may be cut off and the call is more important. */
	if (line->waker)
		strbuf_printf(b, " [last woken by %d]", (int)line->waker);
}

void live_table_line(struct strbuf *b, const struct live_line *line, const struct live_wait *wait,
		     const struct live_snapshot *s, const struct live_view *view, size_t width)
{
	const bool is_rest = !line->tid && !line->threads;

	if (view->folded && line->tgid)
		strbuf_printf(b, "%7d %3zu ", (int)line->tgid, line->threads);
	else if (view->folded)
		strbuf_puts(b, "      -   - ");
	else if (width >= WITH_PID && line->tgid)
		strbuf_printf(b, "%7d ", (int)line->tgid);
	else if (width >= WITH_PID)
		strbuf_puts(b, "      - ");
	if (!view->folded && is_rest)
		strbuf_puts(b, "      - ");
	else if (!view->folded)
		strbuf_printf(b, "%7d ", (int)line->tid);
	put_name(b, line->name, sizeof(line->name), NAME_COLUMN);
	strbuf_putc(b, ' ');
	put_share(b, line->sums.time, s, view);
	if (width >= WITH_CALLS) {
		strbuf_putc(b, ' ');
		put_number(b, line->sums.calls, 1000);
	}
	if (width >= WITH_BYTES) {
		put_number(b, line->sums.errors, 1000);
		strbuf_putc(b, ' ');
		put_number(b, line->sums.bytes, 1024);
	}
	if (width >= WITH_MOST && !view->folded) {
		strbuf_putc(b, ' ');
		put_name(b, line->most, sizeof(line->most), NAME_COLUMN);
	}
	if (width >= WITH_NOW)
		put_now(b, line, wait);
}

void live_calls_head(struct strbuf *b, const struct live_view *view)
{
	strbuf_printf(b, "%s  CALLS  ERRS  BYTES CALL", time_heading(view));
}

void live_calls_line(struct strbuf *b, const struct live_line *line, const struct live_snapshot *s,
		     const struct live_view *view)
{
	put_share(b, line->sums.time, s, view);
	strbuf_putc(b, ' ');
	put_number(b, line->sums.calls, 1000);
	put_number(b, line->sums.errors, 1000);
	strbuf_putc(b, ' ');
	put_number(b, line->sums.bytes, 1024);
	strbuf_putc(b, ' ');
	put_name(b, line->name, sizeof(line->name), 0);
}
