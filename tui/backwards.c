/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/backwards.h"

#include <string.h>

#include "tui/forwards.h"
#include "util/clock.h"

/*
 * Number of the latest rows to keep while a part of the trace is read. Earlier rows are dropped
 * when twice this number of rows are in memory.
 */
#define BACK_ROWS 4000

void back_clear(struct browser *b)
{
	vec_for_each (&b->rows, r)
		row_deinit(r);
	b->rows.n = 0;
}

int64_t back_span(const struct browser *b)
{
	const struct model *m = &b->model;
	int64_t span;

	if (m->rows.n < 100)
		return BACK_NS;
	span = (m->rows.v[m->rows.n - 1].end - m->rows.v[0].end) / (int64_t)m->rows.n * BACK_ROWS /
	       4;
	return span > 1000 ? span : 1000;
}

void back_start(struct browser *b, int64_t from, int64_t to)
{
	struct part part = {.from = from > 0 ? from : 0, .to = to};

	back_clear(b);
	b->back_from = part.from;
	b->back_to = to;
	browser_run(b, &b->back, "rows", &part, NULL, -1);
}

bool back_is_only(const struct browser *b)
{
	const struct model *m = &b->model;

	return !m->rows.n && b->place &&
	       (m->at_end || (b->live && !timespec_before(clock_after(0), b->place_at)));
}

bool back_is_needed(const struct browser *b)
{
	const struct model *m = &b->model;

	return !b->back.pid && !m->at_start &&
	       (back_is_only(b) || (m->rows.n && m->cursor < m->height + BROWSER_AHEAD / 2));
}

static void keep_row(struct browser *b, const struct row *r)
{
	if (b->rows.n >= 2 * BACK_ROWS) {
		for (size_t i = 0; i < BACK_ROWS; i++)
			row_deinit(&b->rows.v[i]);
		b->rows.n -= BACK_ROWS;
		memmove(b->rows.v, b->rows.v + BACK_ROWS, b->rows.n * sizeof(*r));
		b->back_from = b->rows.v[0].end;
		/* Earlier rows exist, so this is not the start of the trace. */
		if (b->back_from <= b->began)
			b->back_from = b->began + 1;
	}
	*vec_push(&b->rows) = *r;
}

/* Inserts the rows that were read into the model, before its other rows. */
static void finish_back(struct browser *b)
{
	const int64_t from = b->back_from;
	struct model *m = &b->model;
	const bool is_first = from <= b->began;

	job_stop(&b->back);
	/* Drop the rows that the model already has. */
	while (m->rows.n && b->rows.n && b->rows.v[b->rows.n - 1].end >= m->rows.v[0].end) {
		struct row *r = &b->rows.v[b->rows.n - 1];
		bool known = r->end > m->rows.v[0].end;

		for (size_t i = 0; !known && i < m->rows.n && m->rows.v[i].end == r->end; i++)
			known = row_same(r, &m->rows.v[i]);
		if (!known)
			break;
		row_deinit(r);
		b->rows.n--;
	}
	if (b->rows.n < m->height && !is_first) {
		const int64_t end = b->back_to < INT64_MAX ? b->back_to : b->newest;
		const int64_t span = end - from > BACK_NS / 100 ? end - from : BACK_NS / 100;

		back_start(b, end - span * BACK_GROWTH, b->back_to);
		return;
	}
	m->at_start = is_first;
	model_prepend(m, b->rows.v, b->rows.n);
	b->rows.n = 0;
	if (b->back_is_end) {
		m->at_end = !b->live;
		b->back_is_end = false;
		if (b->live && m->rows.n)
			tail_resume(b);
		else if (b->live)
			tail_start(b, 0);
	} else if (!m->at_end && !b->tail.pid) {
		tail_resume(b);
	}
	b->changed = true;
}

/*
 * Restarts the job `tail`, which reads later rows, if model_prepend() has removed rows from the end
 * of the model.
 */
static void check_tail(struct browser *b, int64_t last)
{
	const struct model *m = &b->model;

	if (m->rows.n && b->tail.pid && m->rows.v[m->rows.n - 1].end < last)
		tail_resume(b);
}

void back_read(struct browser *b)
{
	const struct timespec until = clock_after(BROWSER_WORK_NS);
	const int64_t last = b->model.rows.n ? b->model.rows.v[b->model.rows.n - 1].end : 0;
	const char *line;
	struct row r;
	size_t n;

	for (;;) {
		while ((line = job_line(&b->back, &n)))
			if (browser_take_row(b, &r, line, n))
				keep_row(b, &r);
		if (timespec_before(until, clock_after(0)) || !job_read(&b->back))
			break;
	}
	if (!job_done(&b->back))
		return;
	browser_say_failure(b, &b->back);
	finish_back(b);
	check_tail(b, last);
}
