/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinks/rows/rows.h"

/* Calls that return a new descriptor. */
#define OPENERS                                                                                    \
	"^(open|creat|socket|accept|dup|eventfd|timerfd_create|epoll_create|memfd_create|"         \
	"signalfd|pidfd_|inotify_init|userfaultfd|perf_event_open|io_uring_setup|bpf|mq_open)"

/* Number of rows that are removed at once. */
#define TRIM_ROWS (MODEL_ROWS_MAX / 4)

static bool are_similar(const struct row *a, const struct row *b)
{
	return a->kind == ROWS_CALL && b->kind == ROWS_CALL && a->tid == b->tid &&
	       a->error == b->error && !strcmp(a->name, b->name);
}

/* Adds the row with index i to the items. All rows before it must already be there. */
static void add_item(struct model *m, size_t i)
{
	struct item *last = m->items.n ? &m->items.v[m->items.n - 1] : NULL;

	if (m->folds && last && are_similar(&m->rows.v[i - 1], &m->rows.v[i]))
		last->n++;
	else
		*vec_push(&m->items) = (struct item){i, 1};
}

/* Scrolls so that the cursor is on the screen and the screen is filled. */
static void scroll(struct model *m)
{
	if (m->cursor >= m->items.n)
		m->cursor = m->items.n ? m->items.n - 1 : 0;
	if (m->top + m->height > m->items.n)
		m->top = m->items.n > m->height ? m->items.n - m->height : 0;
	if (m->top > m->cursor)
		m->top = m->cursor;
	if (m->height && m->cursor >= m->top + m->height)
		m->top = m->cursor - m->height + 1;
}

/* Rebuilds the items after row indexes have changed. Selects the row with index `row`. */
static void remake(struct model *m, size_t row)
{
	const size_t offset = m->cursor - m->top;

	m->items.n = 0;
	for (size_t i = 0; i < m->rows.n; i++)
		add_item(m, i);
	model_select(m, row);
	m->top = m->cursor > offset ? m->cursor - offset : 0;
	scroll(m);
}

static size_t selected_index(const struct model *m)
{
	return m->cursor < m->items.n ? m->items.v[m->cursor].first : 0;
}

void model_clear(struct model *m)
{
	vec_for_each (&m->rows, r)
		row_deinit(r);
	m->rows.n = m->items.n = m->cursor = m->top = 0;
	m->at_start = m->at_end = false;
}

void model_deinit(struct model *m)
{
	model_clear(m);
	while (model_pop(m))
		;
	vec_deinit(&m->rows);
	vec_deinit(&m->items);
	vec_deinit(&m->clauses);
}

const struct row *model_selected(const struct model *m)
{
	return m->items.n ? &m->rows.v[selected_index(m)] : NULL;
}

void model_append(struct model *m, struct row *r)
{
	if (m->rows.n >= MODEL_ROWS_MAX) {
		const size_t row = selected_index(m);

		for (size_t i = 0; i < TRIM_ROWS; i++)
			row_deinit(&m->rows.v[i]);
		m->rows.n -= TRIM_ROWS;
		memmove(m->rows.v, m->rows.v + TRIM_ROWS, m->rows.n * sizeof(*m->rows.v));
		m->at_start = false;
		remake(m, row > TRIM_ROWS ? row - TRIM_ROWS : 0);
	}
	*vec_push(&m->rows) = *r;
	add_item(m, m->rows.n - 1);
	if (m->follows) {
		m->cursor = m->items.n - 1;
		scroll(m);
	}
}

void model_prepend(struct model *m, const struct row *rows, size_t n)
{
	const size_t row = selected_index(m), old = m->rows.n;

	for (size_t i = 0; i < n; i++)
		(void)vec_push(&m->rows);
	if (n) {
		memmove(m->rows.v + n, m->rows.v, old * sizeof(*rows));
		memcpy(m->rows.v, rows, n * sizeof(*rows));
	}
	while (m->rows.n > MODEL_ROWS_MAX && m->rows.n > row + n + 1 + m->height) {
		row_deinit(&m->rows.v[--m->rows.n]);
		m->at_end = false;
	}
	remake(m, old ? row + n : m->rows.n);
}

void model_move(struct model *m, long by)
{
	const size_t last = m->items.n ? m->items.n - 1 : 0;

	if (by < 0)
		m->cursor = m->cursor > (size_t)-by ? m->cursor - (size_t)-by : 0;
	else
		m->cursor = last - m->cursor > (size_t)by ? m->cursor + (size_t)by : last;
	scroll(m);
}

void model_select(struct model *m, size_t row)
{
	size_t low = 0, high = m->items.n;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (m->items.v[middle].first <= row)
			low = middle;
		else
			high = middle;
	}
	m->cursor = low;
	scroll(m);
}

void model_fold(struct model *m, bool folds)
{
	m->folds = folds;
	remake(m, selected_index(m));
}

void model_resize(struct model *m, size_t height)
{
	m->height = height;
	scroll(m);
}

ssize_t model_find(const struct model *m, int step, bool (*matches)(const struct row *, void *),
		   void *ctx)
{
	ssize_t i = (ssize_t)selected_index(m);

	if (!m->items.n)
		return -1;
	if (step > 0)
		i += (ssize_t)m->items.v[m->cursor].n - 1;
	for (i += step; i >= 0 && i < (ssize_t)m->rows.n; i += step)
		if (matches(&m->rows.v[i], ctx))
			return i;
	return -1;
}

void model_push(struct model *m, const char *query, const char *label)
{
	*vec_push(&m->clauses) = (struct clause){mem_strdup(query), mem_strdup(label)};
}

bool model_pop(struct model *m)
{
	struct clause *c;

	if (!m->clauses.n)
		return false;
	c = &m->clauses.v[--m->clauses.n];
	free(c->query);
	free(c->label);
	return true;
}

void model_where(const struct model *m, struct strbuf *b)
{
	vec_for_each (&m->clauses, c)
		strbuf_printf(b, "%s(%s)", c == m->clauses.v ? "" : " && ", c->query);
}

/*
 * Appends a path as a pattern. Replaces the special characters * and [ with ?, so the pattern may
 * also match other paths.
 */
static void put_pattern(struct strbuf *b, const char *path)
{
	for (; *path; path++)
		strbuf_putc(b, strchr("*[", *path) ? '?' : *path);
}

/* Appends a path. Replaces escape sequences for bytes of UTF-8 characters by these bytes. */
static void put_readable(struct strbuf *b, const char *path)
{
	unsigned byte;

	for (const char *p = path; *p; p++)
		if (sscanf(p, "\\x%2x", &byte) == 1 && byte >= 0x80) {
			strbuf_putc(b, (char)byte);
			p += strlen("\\xNN") - 1;
		} else {
			strbuf_putc(b, *p);
		}
}

bool model_push_facet(struct model *m, const struct row *r, enum facet facet)
{
	attr_cleanup(strbuf_deinit) struct strbuf q = {0}, label = {0};

	switch (facet) {
	case FACET_PROCESS:
		strbuf_printf(&q, "pid == %d", (int)r->pid);
		strbuf_printf(&label, "process %d", (int)r->pid);
		break;
	case FACET_THREAD:
		strbuf_printf(&q, "tid == %d", (int)r->tid);
		strbuf_printf(&label, "thread %d", (int)r->tid);
		break;
	case FACET_FD:
		if (r->fd < 0)
			return false;
		strbuf_printf(&q,
			      "pid == %d && (fd == %d || ret == %d && (name =~ /" OPENERS
			      "/ || op in {F_DUPFD, F_DUPFD_CLOEXEC}))",
			      (int)r->pid, r->fd, r->fd);
		strbuf_printf(&label, "descriptor %d of %d", r->fd, (int)r->pid);
		break;
	case FACET_PATH:
		if (!*r->path)
			return false;
		strbuf_puts(&q, "path == \"");
		put_pattern(&q, r->path);
		strbuf_puts(&q, "\"");
		put_readable(&label, r->path);
		break;
	case FACET_NAME:
	case FACET_HIDE:
		if (r->kind != ROWS_CALL && r->kind != ROWS_RUNNING)
			return false;
		strbuf_printf(&q, facet == FACET_HIDE ? "!(name == \"%s\")" : "name == \"%s\"",
			      r->name);
		strbuf_printf(&label, "%s%s", facet == FACET_HIDE ? "-" : "", r->name);
		break;
	}
	model_push(m, strbuf_str(&q), strbuf_str(&label));
	return true;
}
