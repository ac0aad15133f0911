/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/places.h"

#include "tui/backwards.h"
#include "tui/forwards.h"
#include "util/clock.h"

/*
 * Time to wait for rows of a live trace at a new place before earlier rows are shown, in
 * nanoseconds.
 */
#define PLACE_NS 300000000

static void forget_window(struct browser *b)
{
	tail_stop(b);
	job_stop(&b->back);
	back_clear(b);
	row_deinit(&b->wanted);
	b->back_is_end = false;
	b->place = 0;
	b->model.follows = false;
	model_clear(&b->model);
	b->changed = true;
}

void browser_start(struct browser *b)
{
	forget_window(b);
	b->model.at_start = true;
	tail_start(b, 0);
}

void browser_goto(struct browser *b, int64_t time)
{
	if (time <= b->began) {
		browser_start(b);
		return;
	}
	forget_window(b);
	b->place = time;
	b->place_at = clock_after(PLACE_NS);
	tail_start(b, time);
}

void browser_end(struct browser *b)
{
	const struct model *m = &b->model;
	int64_t span = back_span(b);

	if (m->at_end) {
		model_move(&b->model, (long)m->items.n);
		b->model.follows = b->live != NULL;
		return;
	}
	forget_window(b);
	b->model.follows = b->live != NULL;
	b->back_is_end = true;
	back_start(b, b->newest > span ? b->newest - span : 0, INT64_MAX);
}
