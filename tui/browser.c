/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/browser.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinks/rows/rows.h"
#include "util/clock.h"

/* Number of rows that are read beyond the screen, in both directions. */
#define AHEAD 300
/* Maximum number of rows to keep from one backward read. */
#define BACK_ROWS 4000
/*
 * Length in nanoseconds of the first part to read backwards, if the density of events is unknown.
 */
#define BACK_NS 20000000
/* If the part contains too few rows, a part that is longer by this factor is read. */
#define BACK_GROWTH 8
/* The stack is read when the cursor has not moved for this time, in nanoseconds. */
#define REST_NS 80000000
/* Time for which rows are read before the keyboard is checked again, in nanoseconds. */
#define WORK_NS 30000000

static void row_copy(struct row *to, const struct row *from)
{
	const size_t n = row_size(from) - sizeof(*from) + 1;

	row_deinit(to);
	if (!from->line)
		return;
	*to = *from;
	to->line = mem_alloc(n);
	memcpy(to->line, from->line, n);
	to->name = to->line + (from->name - from->line);
	to->comm = to->line + (from->comm - from->line);
	to->path = to->line + (from->path - from->line);
	to->text = to->line + (from->text - from->line);
}

static void rows_clear(struct browser *b)
{
	vec_for_each (&b->rows, r)
		row_deinit(r);
	b->rows.n = 0;
}

static void say(struct browser *b, const char *text)
{
	snprintf(b->message, sizeof(b->message), "%s", text);
	b->changed = true;
}

/* Shows the message of a job that has failed. */
static void say_failure(struct browser *b, struct job *j)
{
	attr_cleanup(strbuf_deinit) struct strbuf text = {0};

	job_message(j, &text);
	if (j->status && text.len)
		say(b, strbuf_str(&text));
}

static void start(struct browser *b, struct job *j, const char *format, struct part *part,
		  const char *query, int input)
{
	attr_cleanup(strbuf_deinit) struct strbuf where = {0};
	char **argv;

	model_where(&b->model, &where);
	if (query)
		strbuf_printf(&where, "%s(%s)", where.len ? " && " : "", query);
	part->where = strbuf_str(&where);
	argv = command_make(&b->command, format, part);
	job_start(j, argv, input);
	command_free(argv);
}

/* Parses a line. Returns false if it is not a row, or if it is hidden by the filter. */
static bool take_row(struct browser *b, struct row *r, const char *line, size_t n)
{
	if (line[0] == ' ' || !row_parse(r, line, n))
		return false;
	/* A query does not filter the lines about processes. */
	if (r->kind == ROWS_PROCESS && b->model.clauses.n) {
		row_deinit(r);
		return false;
	}
	if (r->end > b->newest)
		b->newest = r->end;
	return true;
}

/* ---- forwards ---- */

static void stop_tail(struct browser *b)
{
	job_stop(&b->tail);
	feeder_stop(b->feeder);
	b->feeder = 0;
	b->tail_skips = false;
}

/* Starts to read the rows that end at or after a time. */
static void start_tail(struct browser *b, int64_t from)
{
	struct part part = {.from = from, .to = INT64_MAX};
	int input = -1;

	stop_tail(b);
	b->model.at_end = false;
	if (b->live) {
		struct command piped = b->command;

		b->feeder = feeder_start(b->live, from, &input);
		b->command.words.v = mem_alloc(piped.words.n * sizeof(*piped.words.v));
		memcpy(b->command.words.v, piped.words.v, piped.words.n * sizeof(*piped.words.v));
		/* The last word is --read-trace=FILE. */
		b->command.words.v[piped.words.n - 1] = (char *)"--read-trace=-";
		start(b, &b->tail, "rows", &part, NULL, input);
		free(b->command.words.v);
		b->command = piped;
		close(input);
		return;
	}
	start(b, &b->tail, "rows", &part, NULL, -1);
}

/* Continues after the last row in memory. */
static void resume_tail(struct browser *b)
{
	const struct row *last = &b->model.rows.v[b->model.rows.n - 1];

	row_copy(&b->last, last);
	start_tail(b, last->end);
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

/* Returns true if more rows after the last one are needed. */
static bool wants_more(const struct browser *b)
{
	const struct model *m = &b->model;

	return m->follows || b->wanted.line || m->cursor + m->height + AHEAD > m->items.n;
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

static void read_tail(struct browser *b)
{
	const struct timespec until = clock_after(WORK_NS);
	const char *line;
	struct row r;
	size_t n;

	while (wants_more(b)) {
		line = job_line(&b->tail, &n);
		if (line) {
			if (!take_row(b, &r, line, n))
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
		say_failure(b, &b->tail);
		b->model.at_end = true;
		stop_tail(b);
		row_deinit(&b->wanted);
		b->changed = true;
	}
}

/* ---- backwards ---- */

/* Estimates the length of a part that contains enough rows, in nanoseconds. */
static int64_t back_span(const struct browser *b)
{
	const struct model *m = &b->model;
	int64_t span;

	if (m->rows.n < 100)
		return BACK_NS;
	span = (m->rows.v[m->rows.n - 1].end - m->rows.v[0].end) / (int64_t)m->rows.n * BACK_ROWS /
	       4;
	return span > 1000 ? span : 1000;
}

static void start_back(struct browser *b, int64_t from, int64_t to)
{
	struct part part = {.from = from > 0 ? from : 0, .to = to};

	rows_clear(b);
	b->back_from = part.from;
	b->back_to = to;
	start(b, &b->back, "rows", &part, NULL, -1);
}

static bool needs_back(const struct browser *b)
{
	const struct model *m = &b->model;

	return !b->back.pid && !m->at_start && m->rows.n && m->cursor < m->height + AHEAD / 2;
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

		start_back(b, end - span * BACK_GROWTH, b->back_to);
		return;
	}
	m->at_start = is_first;
	model_prepend(m, b->rows.v, b->rows.n);
	b->rows.n = 0;
	if (b->back_is_end) {
		m->at_end = !b->live;
		b->back_is_end = false;
		if (b->live && m->rows.n)
			resume_tail(b);
		else if (b->live)
			start_tail(b, 0);
	} else if (!m->at_end && !b->tail.pid) {
		resume_tail(b);
	}
	b->changed = true;
}

/* Restarts the tail if model_prepend() has removed rows from the end of the model. */
static void check_tail(struct browser *b, int64_t last)
{
	const struct model *m = &b->model;

	if (m->rows.n && b->tail.pid && m->rows.v[m->rows.n - 1].end < last)
		resume_tail(b);
}

static void read_back(struct browser *b)
{
	const struct timespec until = clock_after(WORK_NS);
	const int64_t last = b->model.rows.n ? b->model.rows.v[b->model.rows.n - 1].end : 0;
	const char *line;
	struct row r;
	size_t n;

	for (;;) {
		while ((line = job_line(&b->back, &n)))
			if (take_row(b, &r, line, n))
				keep_row(b, &r);
		if (timespec_before(until, clock_after(0)) || !job_read(&b->back))
			break;
	}
	if (!b->back.ended)
		return;
	while ((line = job_line(&b->back, &n)))
		if (take_row(b, &r, line, n))
			keep_row(b, &r);
	say_failure(b, &b->back);
	finish_back(b);
	check_tail(b, last);
}

/* ---- places ---- */

static void forget_window(struct browser *b)
{
	stop_tail(b);
	job_stop(&b->back);
	rows_clear(b);
	row_deinit(&b->wanted);
	b->back_is_end = false;
	b->model.follows = false;
	model_clear(&b->model);
	b->changed = true;
}

void browser_start(struct browser *b)
{
	forget_window(b);
	b->model.at_start = true;
	start_tail(b, 0);
}

void browser_goto(struct browser *b, int64_t time)
{
	if (time <= b->began) {
		browser_start(b);
		return;
	}
	forget_window(b);
	start_tail(b, time);
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
	start_back(b, b->newest > span ? b->newest - span : 0, INT64_MAX);
}

void browser_filter(struct browser *b)
{
	const struct row *r = model_selected(&b->model);
	const int64_t time = r ? r->end : 0;
	const bool follows = b->model.follows;
	struct row wanted = {0};

	if (r)
		row_copy(&wanted, r);
	row_deinit(&b->shown);
	b->stack.len = 0;
	if (follows) {
		b->model.at_end = false;
		browser_end(b);
		row_deinit(&wanted);
	} else {
		browser_goto(b, time);
		b->wanted = wanted;
	}
	b->message[0] = 0;
	browser_scan(b);
}

/* ---- search ---- */

static bool matches(const struct row *r, void *ctx)
{
	const struct goal *g = ctx;

	return (r->kind == ROWS_CALL || !g->query) &&
	       (!g->text || strcasestr(r->text, g->text) || strcasestr(r->comm, g->text));
}

/*
 * Like matches(), with the query "error". For rows in memory, to which the query was not applied.
 */
static bool is_error(const struct row *r, void *ctx)
{
	return r->error && matches(r, ctx);
}

static void start_find(struct browser *b, int64_t from, int64_t to)
{
	struct part part = {.from = from > 0 ? from : 0, .to = to};

	row_deinit(&b->found);
	b->find_from = part.from;
	start(b, &b->find, "rows", &part, b->goal.query, -1);
}

void browser_find(struct browser *b, int step, const struct goal *goal)
{
	const struct row *r = model_selected(&b->model);
	const bool by_error = goal && goal->query && !strcmp(goal->query, "error");
	ssize_t i = -1;

	if (goal) {
		free((char *)b->goal.query);
		free((char *)b->goal.text);
		b->goal.query = goal->query ? mem_strdup(goal->query) : NULL;
		b->goal.text = goal->text ? mem_strdup(goal->text) : NULL;
	}
	job_stop(&b->find);
	b->model.follows = false;
	if (!r || (!b->goal.query && !b->goal.text))
		return;
	if (by_error || (b->goal.query && !strcmp(b->goal.query, "error")) || !b->goal.query)
		i = model_find(&b->model, step, b->goal.query ? is_error : matches, &b->goal);
	if (i >= 0) {
		model_select(&b->model, (size_t)i);
		b->message[0] = 0;
		b->changed = true;
		return;
	}
	row_copy(&b->here, r);
	b->find_step = step;
	if (step > 0)
		start_find(b, r->end, INT64_MAX);
	else
		start_find(b, r->end - back_span(b), r->end);
	say(b, "searching… (Esc ends the search)");
}

bool browser_cancel(struct browser *b)
{
	if (!b->find.pid)
		return false;
	job_stop(&b->find);
	say(b, "search ended");
	return true;
}

/* Shows the row that was found. */
static void finish_find(struct browser *b)
{
	struct row found = {0};

	say_failure(b, &b->find);
	if (b->find.status && b->find.ended) {
		job_stop(&b->find);
		return;
	}
	job_stop(&b->find);
	if (!b->found.line && b->find_step < 0 && b->find_from > b->began) {
		start_find(b, b->here.end - (b->here.end - b->find_from) * BACK_GROWTH,
			   b->here.end);
		return;
	}
	if (!b->found.line) {
		say(b,
		    b->find_step > 0 ? "not found after this call" : "not found before this call");
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

static void read_find(struct browser *b)
{
	const struct timespec until = clock_after(WORK_NS);
	const char *line;
	struct row r;
	size_t n;

	do {
		while ((line = job_line(&b->find, &n))) {
			if (!take_row(b, &r, line, n))
				continue;
			if (row_same(&r, &b->here)) {
				/* A backward search ends here. */
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

/* ---- stack ---- */

void browser_moved(struct browser *b)
{
	const struct row *r = model_selected(&b->model);

	if (!r || (b->shown.line && row_same(r, &b->shown)))
		return;
	row_copy(&b->shown, r);
	job_stop(&b->detail);
	b->stack.len = 0;
	b->in_stack = false;
	b->detail_due = true;
	b->detail_at = clock_after(REST_NS);
}

static void start_detail(struct browser *b)
{
	attr_cleanup(mem_free_ptr) char *query = mem_printf("tid == %d", (int)b->shown.tid);
	struct part part = {.from = b->shown.end - (int64_t)b->shown.duration,
			    .to = b->shown.end,
			    .stacks = true};

	b->detail_due = false;
	if (b->shown.line)
		start(b, &b->detail, "call", &part, query, -1);
}

static void read_detail(struct browser *b)
{
	const char *line;
	struct row r;
	size_t n;

	do {
		while ((line = job_line(&b->detail, &n))) {
			if (line[0] == ' ') {
				if (b->in_stack)
					strbuf_add(&b->stack, line, n + 1);
				continue;
			}
			b->in_stack = false;
			if (!row_parse(&r, line, n))
				continue;
			b->in_stack = row_same(&r, &b->shown);
			row_deinit(&r);
		}
	} while (job_read(&b->detail));
	if (!b->detail.ended)
		return;
	if (!b->stack.len) {
		job_message(&b->detail, &b->stack);
		if (!b->detail.status)
			b->stack.len = 0;
		strbuf_puts(&b->stack, b->stack.len ? "\n" : "(no stack)\n");
	}
	job_stop(&b->detail);
	b->changed = true;
}

/* ---- counts ---- */

void browser_scan(struct browser *b)
{
	struct part part = {.to = INT64_MAX};

	tree_clear(&b->tree);
	b->scanned = 0;
	b->calls = b->errors = 0;
	b->counted = false;
	start(b, &b->scan, "processes", &part, NULL, -1);
}

static void read_scan(struct browser *b)
{
	const char *line;
	size_t n;

	do {
		while ((line = job_line(&b->scan, &n))) {
			unsigned long long time, calls, errors;

			if (line[0] == 'P')
				tree_add(&b->tree, line, n);
			else if (sscanf(line, "T\t%llu\t%llu\t%llu\n", &time, &calls, &errors) ==
				 3) {
				b->scanned = (int64_t)time;
				b->calls = calls;
				b->errors = errors;
			}
			b->changed = true;
		}
	} while (job_read(&b->scan));
	if (!b->scan.ended)
		return;
	if (b->scanned > b->newest)
		b->newest = b->scanned;
	b->counted = true;
	/* A trace that is still being written does not have an end yet. */
	if (!b->live)
		say_failure(b, &b->scan);
	job_stop(&b->scan);
	tree_arrange(&b->tree);
	b->changed = true;
}

/* ---- calls that have not ended ---- */

void browser_list_running(struct browser *b)
{
	struct part part = {.from = b->newest, .to = INT64_MAX};

	vec_for_each (&b->waits, w)
		row_deinit(w);
	b->waits.n = 0;
	b->waits_known = false;
	start(b, &b->running, "rows", &part, NULL, -1);
}

static int compare_waits(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->duration > y->duration ? -1 : x->duration < y->duration;
}

static void read_running(struct browser *b)
{
	struct row r;
	size_t n;
	const char *line;

	do {
		while ((line = job_line(&b->running, &n))) {
			if (!take_row(b, &r, line, n))
				continue;
			if (r.kind == ROWS_RUNNING)
				*vec_push(&b->waits) = r;
			else
				row_deinit(&r);
		}
	} while (job_read(&b->running));
	if (!b->running.ended)
		return;
	job_stop(&b->running);
	qsort(b->waits.v, b->waits.n, sizeof(*b->waits.v), compare_waits);
	b->waits_known = true;
	b->changed = true;
}

/* ---- all ---- */

/* Finds the times of the first and the last event of the traces. */
static void measure(struct browser *b, const struct browser_config *config)
{
	for (size_t i = 0; i < config->npaths; i++) {
		int fd = open(config->paths[i], O_RDONLY | O_CLOEXEC);
		struct extent e;

		if (fd < 0)
			continue;
		extent_open(&e, fd);
		if (!b->began || (e.first && e.first < b->began))
			b->began = e.first;
		if (e.last > b->newest)
			b->newest = e.last;
		extent_close(&e);
		close(fd);
	}
	if (config->from > b->began)
		b->began = config->from;
	if (config->to < b->newest)
		b->newest = config->to;
}

void browser_update_extent(struct browser *b)
{
	extent_update(&b->extent);
	b->began = b->extent.first;
	if (b->extent.last > b->newest)
		b->newest = b->extent.last;
}

void browser_init(struct browser *b, const struct browser_config *config)
{
	*b = (struct browser){.live = config->live};
	command_init(&b->command, config->line, b->live != NULL);
	b->command.from = config->from;
	b->command.to = config->to;
	if (b->live) {
		attr_cleanup(mem_free_ptr) char *read =
			mem_printf("--read-trace=%s", b->live->path);

		command_add(&b->command, read);
		b->model.follows = true;
		extent_open(&b->extent, b->live->trace);
		browser_update_extent(b);
	}
	measure(b, config);
	b->model.at_start = true;
	start_tail(b, 0);
	browser_scan(b);
}

void browser_deinit(struct browser *b)
{
	struct job *jobs[] = {&b->back, &b->find, &b->detail, &b->scan, &b->running};

	stop_tail(b);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		job_stop(jobs[i]);
	rows_clear(b);
	vec_deinit(&b->rows);
	vec_for_each (&b->waits, w)
		row_deinit(w);
	vec_deinit(&b->waits);
	row_deinit(&b->last);
	row_deinit(&b->here);
	row_deinit(&b->found);
	row_deinit(&b->wanted);
	row_deinit(&b->shown);
	free((char *)b->goal.query);
	free((char *)b->goal.text);
	strbuf_deinit(&b->stack);
	tree_deinit(&b->tree);
	model_deinit(&b->model);
	command_deinit(&b->command);
	extent_close(&b->extent);
}

size_t browser_poll(struct browser *b, struct pollfd *p)
{
	struct job *jobs[BROWSER_FDS] = {&b->back, &b->find,	&b->detail,
					 &b->scan, &b->running, wants_more(b) ? &b->tail : NULL};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		if (jobs[i] && jobs[i]->pid && !jobs[i]->ended)
			p[n++] = (struct pollfd){.fd = jobs[i]->fd, .events = POLLIN};
	return n;
}

int browser_timeout(const struct browser *b)
{
	struct timespec now, left;

	/* Do not wait if lines are already in a buffer. */
	if ((b->tail.pid && wants_more(b) && (b->tail.ended || job_has_line(&b->tail))) ||
	    (needs_back(b) && !b->wanted.line) || job_has_line(&b->find))
		return 1;
	if (!b->detail_due)
		return -1;
	now = clock_after(0);
	if (!timespec_before(now, b->detail_at))
		return 0;
	left = timespec_sub(b->detail_at, now);
	return (int)(timespec_ns(left) / 1000000) + 1;
}

void browser_work(struct browser *b)
{
	if (b->tail.pid)
		read_tail(b);
	if (b->back.pid)
		read_back(b);
	if (needs_back(b) && !b->wanted.line) {
		const int64_t to = b->model.rows.v[0].end;

		start_back(b, to - back_span(b), to);
	}
	if (b->find.pid)
		read_find(b);
	if (b->detail_due && !timespec_before(clock_after(0), b->detail_at))
		start_detail(b);
	if (b->detail.pid)
		read_detail(b);
	if (b->scan.pid)
		read_scan(b);
	if (b->running.pid)
		read_running(b);
}
