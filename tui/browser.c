/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/browser.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinks/rows/rows.h"
#include "tui/backwards.h"
#include "tui/forwards.h"
#include "tui/search.h"
#include "util/clock.h"

/* The cursor must rest for this time before the stack is read. */
#define REST_NS 80000000
/*
 * After a scan of a running program, the next scan waits for this multiple of the scan's duration.
 */
#define SCAN_PAUSE 10

const struct row *browser_selected(const struct browser *b)
{
	return b->wanted.line ? &b->wanted : model_selected(&b->model);
}

void browser_filter(struct browser *b)
{
	const struct row *r = browser_selected(b);
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
		browser_run(b, &b->detail, "call", &part, query, -1);
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

static void start_scan(struct browser *b)
{
	struct part part = {.from = b->kept_from, .to = INT64_MAX};

	tree_clear(&b->scan_tree);
	b->scan_marks.n = 0;
	b->scan_wanted = false;
	b->scan_began = clock_after(0);
	browser_run(b, &b->scan, "processes", &part, NULL, -1);
}

void browser_scan(struct browser *b)
{
	tree_clear(&b->tree);
	b->marks.n = 0;
	b->calls = b->errors = 0;
	b->counted = false;
	start_scan(b);
}

void browser_scan_again(struct browser *b)
{
	b->scan_wanted = true;
}

static void finish_scan(struct browser *b)
{
	mark_vec marks = b->marks;
	struct tree old = b->tree;
	uint64_t took = timespec_ns(timespec_sub(clock_after(0), b->scan_began));

	/*
	 * The job fails if the end of the trace is missing. Do not report this for a live trace,
	 * which is still being written.
	 */
	if (!b->live)
		browser_say_failure(b, &b->scan);
	job_stop(&b->scan);
	tree_keep_folds(&b->scan_tree, &old);
	tree_arrange(&b->scan_tree);
	b->tree = b->scan_tree;
	b->scan_tree = old;
	b->marks = b->scan_marks;
	b->scan_marks = marks;
	b->calls = b->scan_calls;
	b->errors = b->scan_errors;
	b->counted = true;
	/*
	 * The recording may have ended long after the last event, so use the time of the last
	 * counted part.
	 */
	if (!b->live && b->marks.n)
		b->newest = b->marks.v[b->marks.n - 1].time;
	b->scan_due = clock_after(took * SCAN_PAUSE);
}

static void read_scan(struct browser *b)
{
	const char *line;
	size_t n;

	do {
		while ((line = job_line(&b->scan, &n))) {
			unsigned long long time, calls, errors;

			if (line[0] == 'P')
				tree_add(&b->scan_tree, line, n);
			else if (sscanf(line, "T\t%llu\t%llu\t%llu\n", &time, &calls, &errors) ==
				 3) {
				if ((int64_t)time > b->newest)
					b->newest = (int64_t)time;
				b->scan_calls = calls;
				b->scan_errors = errors;
				*vec_push(&b->scan_marks) = (struct mark){(int64_t)time, errors};
			}
			b->changed = true;
		}
	} while (job_read(&b->scan));
	/* The old counts of a running program are shown until the new ones are complete. */
	if (!b->counted) {
		b->calls = b->scan_calls;
		b->errors = b->scan_errors;
	}
	if (b->scan.ended)
		finish_scan(b);
}

/* ---- calls that have not ended ---- */

static void waits_clear(row_vec *waits)
{
	vec_for_each (waits, w)
		row_deinit(w);
	waits->n = 0;
}

void browser_list_running(struct browser *b)
{
	struct part part = {.from = b->newest, .to = INT64_MAX};

	waits_clear(&b->waits_read);
	browser_run(b, &b->running, "rows", &part, NULL, -1);
}

static int compare_waits(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->duration > y->duration ? -1 : x->duration < y->duration;
}

static void read_running(struct browser *b)
{
	row_vec old;
	struct row r;
	size_t n;
	const char *line;

	do {
		while ((line = job_line(&b->running, &n))) {
			if (!browser_take_row(b, &r, line, n))
				continue;
			if (r.kind == ROWS_RUNNING)
				*vec_push(&b->waits_read) = r;
			else
				row_deinit(&r);
		}
	} while (job_read(&b->running));
	if (!b->running.ended)
		return;
	job_stop(&b->running);
	/* The new list is complete, so it replaces the old one, which was shown until now. */
	waits_clear(&b->waits);
	old = b->waits;
	b->waits = b->waits_read;
	b->waits_read = old;
	if (b->waits.n)
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
	tail_start(b, 0);
	browser_scan(b);
}

void browser_deinit(struct browser *b)
{
	struct job *jobs[] = {&b->back, &b->find, &b->detail, &b->scan, &b->running};

	tail_stop(b);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		job_stop(jobs[i]);
	back_clear(b);
	vec_deinit(&b->rows);
	waits_clear(&b->waits);
	waits_clear(&b->waits_read);
	vec_deinit(&b->waits);
	vec_deinit(&b->waits_read);
	row_deinit(&b->last);
	row_deinit(&b->here);
	row_deinit(&b->found);
	row_deinit(&b->wanted);
	row_deinit(&b->shown);
	free((char *)b->goal.query);
	free((char *)b->goal.text);
	strbuf_deinit(&b->stack);
	tree_deinit(&b->tree);
	tree_deinit(&b->scan_tree);
	vec_deinit(&b->marks);
	vec_deinit(&b->scan_marks);
	model_deinit(&b->model);
	command_deinit(&b->command);
	extent_close(&b->extent);
}

size_t browser_poll(struct browser *b, struct pollfd *p)
{
	struct job *jobs[BROWSER_FDS] = {&b->back,    &b->find,
					 &b->detail,  &b->scan,
					 &b->running, tail_is_wanted(b) ? &b->tail : NULL};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		if (jobs[i] && jobs[i]->pid && !jobs[i]->ended)
			p[n++] = (struct pollfd){.fd = jobs[i]->fd, .events = POLLIN};
	return n;
}

/* Returns the time in milliseconds until t, at least 0. */
static int until(struct timespec t)
{
	const struct timespec now = clock_after(0);

	return timespec_before(now, t) ? (int)(timespec_ns(timespec_sub(t, now)) / 1000000) + 1 : 0;
}

int browser_timeout(const struct browser *b)
{
	int timeout = -1;

	/* Do not wait if a buffer contains lines that were already read. */
	if ((b->tail.pid && tail_is_wanted(b) && (b->tail.ended || job_has_line(&b->tail))) ||
	    (back_is_needed(b) && !b->wanted.line) || job_has_line(&b->find))
		return 1;
	if (b->detail_due)
		timeout = until(b->detail_at);
	if (b->scan_wanted && !b->scan.pid && (timeout < 0 || until(b->scan_due) < timeout))
		timeout = until(b->scan_due);
	return timeout;
}

void browser_work(struct browser *b)
{
	if (b->tail.pid)
		tail_read(b);
	if (b->back.pid)
		back_read(b);
	if (back_is_only(b))
		row_deinit(&b->wanted);
	if (back_is_needed(b) && !b->wanted.line) {
		const int64_t to = b->model.rows.n ? b->model.rows.v[0].end : b->place;

		back_start(b, to - back_span(b), to);
	}
	if (b->find_later && !b->back.pid && model_selected(&b->model))
		browser_find(b, b->find_later, NULL);
	if (b->find.pid)
		find_read(b);
	if (b->detail_due && !timespec_before(clock_after(0), b->detail_at))
		start_detail(b);
	if (b->detail.pid)
		read_detail(b);
	if (b->scan.pid)
		read_scan(b);
	else if (b->scan_wanted && !timespec_before(clock_after(0), b->scan_due))
		start_scan(b);
	if (b->running.pid)
		read_running(b);
}
