/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/search.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/rows/rows.h"
#include "tui/backwards.h"
#include "tui/places.h"
#include "util/clock.h"

static bool matches(const struct row *r, void *ctx)
{
	const struct goal *g = ctx;

	return (r->kind == ROWS_CALL || !g->query) &&
	       (!g->text || strcasestr(r->text, g->text) || strcasestr(r->comm, g->text));
}

/*
 * Like matches(), but also checks the query "error". Needed for rows in memory, because only rows
 * that the job `find` reads have already been selected by the query.
 */
static bool is_error(const struct row *r, void *ctx)
{
	return r->error && matches(r, ctx);
}

static bool finds_errors(const struct browser *b)
{
	return b->goal.query && !strcmp(b->goal.query, "error");
}

/*
 * Sets *from and *to to the nearest part before `time` (step -1) or after it (step 1) in which the
 * scan has counted failed calls. If there is no such part, sets *from to a time after *to. Returns
 * false if the scan has not counted that part of the trace.
 */
static bool error_part(const struct browser *b, int step, int64_t time, int64_t *from, int64_t *to)
{
	const mark_vec *m = &b->marks;
	size_t i = 0;

	if (!m->n || (step < 0 && m->v[m->n - 1].time < time) || (step > 0 && b->live))
		return false;
	*from = time;
	*to = time - 1;
	/* Part i is between the marks i - 1 and i. Find the part that contains the time. */
	while (i + 1 < m->n && m->v[i].time < time)
		i++;
	for (; i < m->n; i += (size_t)step) {
		const struct mark before = i ? m->v[i - 1] : (struct mark){b->began, 0};

		if (m->v[i].errors == before.errors || (step < 0 && before.time >= time))
			continue;
		*from = step > 0 && before.time < time ? time : before.time;
		*to = step < 0 && m->v[i].time > time ? time : m->v[i].time;
		return true;
	}
	return true;
}

static void start_find(struct browser *b, int64_t from, int64_t to)
{
	struct part part = {.from = from > 0 ? from : 0, .to = to};

	row_deinit(&b->found);
	b->find_from = part.from;
	b->find_to = to;
	browser_run(b, &b->find, "rows", &part, b->goal.query, -1);
}

void browser_find(struct browser *b, int step, const struct goal *goal)
{
	const struct row *r = model_selected(&b->model);
	int64_t from, to;
	ssize_t i = -1;

	if (goal) {
		free((char *)b->goal.query);
		free((char *)b->goal.text);
		b->goal.query = goal->query ? mem_strdup(goal->query) : NULL;
		b->goal.text = goal->text ? mem_strdup(goal->text) : NULL;
	}
	job_stop(&b->find);
	b->model.follows = false;
	b->find_later = 0;
	if (!b->goal.query && !b->goal.text)
		return;
	if (!r) {
		b->find_later = step;
		return;
	}
	if (finds_errors(b) || !b->goal.query)
		i = model_find(&b->model, step, b->goal.query ? is_error : matches, &b->goal);
	if (i >= 0) {
		model_select(&b->model, (size_t)i);
		b->message[0] = 0;
		b->changed = true;
		return;
	}
	row_copy(&b->here, r);
	b->find_step = step;
	if (finds_errors(b) && error_part(b, step, r->end, &from, &to) && from <= to)
		start_find(b, from, to);
	else if (step > 0)
		start_find(b, r->end, INT64_MAX);
	else
		start_find(b, r->end - back_span(b), r->end);
	browser_say(b, "searching... (Esc ends the search)");
}

bool browser_cancel(struct browser *b)
{
	b->find_later = 0;
	if (!b->find.pid)
		return false;
	job_stop(&b->find);
	browser_say(b, "search ended");
	return true;
}

/* Continues in the next part of the trace. Returns false if the search has reached its end. */
static bool find_more(struct browser *b)
{
	int64_t from, to;

	if (finds_errors(b) &&
	    error_part(b, b->find_step, b->find_step > 0 ? b->find_to + 1 : b->find_from, &from,
		       &to)) {
		if (from > to)
			return false;
	} else if (b->find_step > 0) {
		if (b->find_to == INT64_MAX)
			return false;
		from = b->find_to;
		to = INT64_MAX;
	} else {
		if (b->find_from <= b->began)
			return false;
		to = b->find_from;
		from = b->here.end - (b->here.end - b->find_from) * BACK_GROWTH;
	}
	start_find(b, from, to);
	return true;
}

/*
 * Handles the end of the job `find`: shows the row that was found, or continues in the next part of
 * the trace.
 */
static void finish_find(struct browser *b)
{
	struct row found = {0};

	browser_say_failure(b, &b->find);
	if (b->find.status && b->find.ended) {
		job_stop(&b->find);
		return;
	}
	job_stop(&b->find);
	if (!b->found.line && find_more(b))
		return;
	if (!b->found.line) {
		browser_say(b, b->find_step > 0 ? "not found after this call"
						: "not found before this call");
		return;
	}
	row_copy(&found, &b->found);
	row_deinit(&b->found);
	for (size_t i = 0; i < b->model.rows.n; i++)
		if (row_same(&b->model.rows.v[i], &found)) {
			model_select(&b->model, i);
			row_deinit(&found);
			b->message[0] = 0;
			b->changed = true;
			return;
		}
	browser_goto(b, found.end);
	b->wanted = found;
	b->message[0] = 0;
}

void find_read(struct browser *b)
{
	const struct timespec until = clock_after(BROWSER_WORK_NS);
	const char *line;
	struct row r;
	size_t n;

	do {
		while ((line = job_line(&b->find, &n))) {
			if (!browser_take_row(b, &r, line, n))
				continue;
			if (row_same(&r, &b->here)) {
				/*
				 * This is the row where the search began. A backward search keeps
				 * the last match before this row. A forward search needs a match
				 * after this row, so it drops matches before it.
				 */
				row_deinit(&r);
				if (b->find_step > 0)
					row_deinit(&b->found);
				continue;
			}
			if (matches(&r, &b->goal) && (b->find_step < 0 || r.end >= b->here.end)) {
				row_deinit(&b->found);
				b->found = r;
				if (b->find_step > 0 && r.end > b->here.end) {
					finish_find(b);
					return;
				}
				continue;
			}
			row_deinit(&r);
		}
		if (timespec_before(until, clock_after(0)))
			return;
	} while (job_read(&b->find));
	if (job_done(&b->find))
		finish_find(b);
}
