/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/forwards.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"

void tail_stop(struct browser *b)
{
	job_stop(&b->tail);
	feeder_stop(b->feeder);
	b->feeder = 0;
	b->tail_skips = false;
}

void tail_start(struct browser *b, int64_t from)
{
	struct part part = {.from = from > b->kept_from ? from : b->kept_from, .to = INT64_MAX};
	int input = -1;

	tail_stop(b);
	b->model.at_end = false;
	if (b->live) {
		struct command piped = b->command;

		b->feeder = feeder_start(b->live, part.from, &input);
		b->command.words.v = mem_alloc(piped.words.n * sizeof(*piped.words.v));
		memcpy(b->command.words.v, piped.words.v, piped.words.n * sizeof(*piped.words.v));
		/*
		 * The last word is --read-trace=FILE. Replace it, so that the job reads its
		 * standard input.
		 */
		b->command.words.v[piped.words.n - 1] = (char *)"--read-trace=-";
		browser_run(b, &b->tail, "rows", &part, NULL, input);
		free(b->command.words.v);
		b->command = piped;
		close(input);
		return;
	}
	browser_run(b, &b->tail, "rows", &part, NULL, -1);
}

void tail_resume(struct browser *b)
{
	const struct row *last = &b->model.rows.v[b->model.rows.n - 1];

	row_copy(&b->last, last);
	tail_start(b, last->end);
	b->tail_skips = true;
}

static bool skips(struct browser *b, const struct row *r)
{
	if (!b->tail_skips)
		return false;
	if (r->end > b->last.end) {
		b->tail_skips = false;
		return false;
	}
	b->tail_skips = !row_same(r, &b->last);
	return true;
}

bool tail_is_wanted(const struct browser *b)
{
	const struct model *m = &b->model;

	return m->follows || b->wanted.line || m->cursor + m->height + BROWSER_AHEAD > m->items.n;
}

static void select_wanted(struct browser *b, const struct row *r)
{
	if (!b->wanted.line)
		return;
	if (row_same(r, &b->wanted))
		model_select(&b->model, b->model.rows.n - 1);
	else if (r->end <= b->wanted.end)
		return;
	row_deinit(&b->wanted);
}

void tail_read(struct browser *b)
{
	const struct timespec until = clock_after(BROWSER_WORK_NS);
	const char *line;
	struct row r;
	size_t n;

	while (tail_is_wanted(b)) {
		line = job_line(&b->tail, &n);
		if (line) {
			if (!browser_take_row(b, &r, line, n))
				continue;
			if (skips(b, &r)) {
				row_deinit(&r);
				continue;
			}
			model_append(&b->model, &r);
			select_wanted(b, &b->model.rows.v[b->model.rows.n - 1]);
			b->changed = true;
			continue;
		}
		if (timespec_before(until, clock_after(0)) || !job_read(&b->tail))
			break;
	}
	if (job_done(&b->tail)) {
		browser_say_failure(b, &b->tail);
		b->model.at_end = true;
		tail_stop(b);
		row_deinit(&b->wanted);
		b->changed = true;
	}
}
