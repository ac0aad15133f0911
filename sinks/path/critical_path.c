/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/path/critical_path.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/json/json_text.h"
#include "sinks/path/walk.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/strbuf.h"

/* Default number of rows in the text table (--top). Further rows are added up in a single row. */
#define ROWS_MAX 25

/*
 * Total time that a thread spent in calls with the same name and cause or, if `call` is NULL,
 * between calls.
 */
struct row {
	pid_t tid, tgid;
	char comm[16]; /* name of the thread */
	const char *call;
	const char *cause; /* name of the cause that ended the waits, or NULL */
	bool awaited;  /* true if the path reached the thread through a wait of another thread */
	bool inferred; /* true if the waker was inferred for at least one of these waits */
	int64_t time;  /* in nanoseconds */
	uint64_t steps;
};

struct critical_path {
	struct sink base;
	bool json;
	size_t top; /* number of rows in the text table */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
	struct history history;
};

struct rows {
	VEC(struct row) v;
	struct table by_key;
	int64_t time; /* total time of all rows */
	uint64_t steps;
};

static struct critical_path *path_of(struct sink *s)
{
	return container_of(s, struct critical_path, base);
}

static void on_event(struct sink *s, const struct event *e)
{
	history_add(&path_of(s)->history, e);
}

static void on_thread_moved(struct sink *s, const struct event *e, pid_t from)
{
	history_move(&path_of(s)->history, e, from);
}

static bool is_same(const struct row *a, const struct row *b)
{
	return a->tid == b->tid && a->tgid == b->tgid && a->call == b->call &&
	       a->cause == b->cause && !memcmp(a->comm, b->comm, sizeof(a->comm));
}

/*
 * Adds a step to the row with the same thread, thread name, call and cause. Creates the row if
 * needed.
 */
static void add_step(struct rows *rows, const struct history *h, const struct path_step *s)
{
	const struct past_thread *th = &h->threads.v[s->thread - 1];
	struct row row = {.tid = th->tid,
			  .tgid = th->tgid,
			  .call = s->name,
			  .cause = s->waited ? wake_cause_name(s->cause) : NULL};
	const uint64_t hash = table_hash_number((uint64_t)th->tid);
	const struct table_slot *slot = NULL;
	struct row *found = NULL;

	memcpy(row.comm, path_comm(h, s->thread, s->begin), sizeof(row.comm));
	while (!found && (slot = table_find(&rows->by_key, hash, slot)))
		if (is_same(&rows->v.v[slot->value - 1], &row))
			found = &rows->v.v[slot->value - 1];
	if (!found) {
		found = vec_push(&rows->v);
		*found = row;
		table_add(&rows->by_key, hash, rows->v.n);
	}
	found->awaited |= s->waiter != 0;
	found->inferred |= s->inferred;
	found->time += s->end - s->begin;
	found->steps++;
	rows->time += s->end - s->begin;
	rows->steps++;
}

/* Comparison function that sorts rows by time, largest first. */
static int compare(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return strcmp(a->call ? a->call : "", b->call ? b->call : "");
}

static double percent(const struct rows *rows, int64_t time)
{
	return rows->time ? 100.0 * (double)time / (double)rows->time : 0;
}

static void put_numbers(struct strbuf *b, const struct rows *rows, int64_t time, uint64_t steps)
{
	const struct timespec t = timespec_of(time);

	strbuf_printf(b, "%6.2f %4lld.%06ld %10llu", percent(rows, time), (long long)t.tv_sec,
		      t.tv_nsec / 1000, (unsigned long long)steps);
}

/*
 * Writes how many wakers on the path the kernel reported, and how many were inferred. Writes
 * nothing if there are none.
 */
static void put_wakers(struct strbuf *b, const struct path *path)
{
	if (path->reported || path->inferred)
		strbuf_printf(
			b,
			"Wakers on the path: %zu reported by the kernel, %zu inferred from the "
			"order of calls\n",
			path->reported, path->inferred);
}

static void put_text(struct strbuf *b, const struct rows *rows, size_t top)
{
	struct row rest = {0};
	size_t more = 0;

	strbuf_puts(b, "% time     seconds      steps      pid      tid thread           activity\n"
		       "------ ----------- ---------- -------- -------- ---------------- "
		       "----------------\n");
	for (size_t i = 0; i < rows->v.n; i++) {
		const struct row *row = &rows->v.v[i];
		const size_t start = b->len;

		if (i >= top) {
			rest.time += row->time;
			rest.steps += row->steps;
			more++;
			continue;
		}
		put_numbers(b, rows, row->time, row->steps);
		strbuf_printf(b, " %8d %8d ", (int)row->tgid, (int)row->tid);
		escape_bytes(b, row->comm, strnlen(row->comm, sizeof(row->comm)), HEX_NEVER, true);
		strbuf_pad(b, ' ', b->len - start < 65 ? 65 - (b->len - start) : 1);
		strbuf_puts(b, row->call ? row->call : "running");
		if (row->cause)
			strbuf_printf(b, " (%s)", row->cause);
		strbuf_putc(b, '\n');
	}
	if (more) {
		put_numbers(b, rows, rest.time, rest.steps);
		strbuf_printf(b, "%37s%zu other rows\n", "", more);
	}
	strbuf_puts(b, "------ ----------- ---------- -------- -------- ---------------- "
		       "----------------\n");
	put_numbers(b, rows, rows->time, rows->steps);
	strbuf_printf(b, "%37stotal\n", "");
}

static void put_json(struct strbuf *b, const struct rows *rows)
{
	for (size_t i = 0; i < rows->v.n; i++) {
		const struct row *row = &rows->v.v[i];
		const struct timespec t = timespec_of(row->time);

		strbuf_printf(b, "{\"type\":\"critical_path\",\"pid\":%d,\"tid\":%d,",
			      (int)row->tgid, (int)row->tid);
		json_text_member(b, "comm", row->comm, strnlen(row->comm, sizeof(row->comm)));
		strbuf_puts(b, ",\"activity\":");
		json_cstring(b, row->call ? row->call : "running");
		strbuf_puts(b, ",\"cause\":");
		if (row->cause)
			json_cstring(b, row->cause);
		else
			strbuf_puts(b, "null");
		strbuf_printf(b, ",\"inferred\":%s",
			      !row->awaited   ? "null"
			      : row->inferred ? "true"
					      : "false");
		strbuf_printf(b, ",\"steps\":%llu,\"time_percent\":%.2f,\"total_time\":",
			      (unsigned long long)row->steps, percent(rows, row->time));
		json_time(b, &t, 9);
		strbuf_puts(b, "}\n");
	}
}

static int on_end(struct sink *s)
{
	struct critical_path *c = path_of(s);
	struct path path = {0};
	struct rows rows = {0};
	struct strbuf b = {0};
	int err;

	path_walk(&c->history, &path);
	vec_for_each (&path.steps, step)
		add_step(&rows, &c->history, step);
	if (rows.v.n)
		qsort(rows.v.v, rows.v.n, sizeof(*rows.v.v), compare);
	if (c->json) {
		put_json(&b, &rows);
	} else {
		put_text(&b, &rows, c->top);
		put_wakers(&b, &path);
	}
	err = c->write(c->ctx, b.data, b.len);
	strbuf_deinit(&b);
	table_deinit(&rows.by_key);
	vec_deinit(&rows.v);
	vec_deinit(&path.steps);
	history_deinit(&c->history);
	free(c);
	return err;
}

static const struct sink_ops path_ops = {
	.event = on_event, .thread_moved = on_thread_moved, .end = on_end};

struct sink *critical_path_create(bool json, size_t top,
				  int (*write)(void *ctx, const char *text, size_t n), void *ctx)
{
	struct critical_path *c = mem_zalloc(sizeof(*c));

	c->base.ops = &path_ops;
	c->base.unwatched = true;
	c->json = json;
	c->top = top ? top : ROWS_MAX;
	c->write = write;
	c->ctx = ctx;
	return &c->base;
}
