/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/live/live.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "event/find.h"
#include "event/wakeup.h"
#include "linux/arch/abi.h"
#include "sinks/live/board.h"
#include "sinks/summary/rows.h"
#include "sinks/threads.h"
#include "util/clock.h"
#include "util/mem.h"

/*
 * A thread that runs, or has ended since the last snapshot. The sums of other threads are in
 * objects with tid 0, see struct live_thread.
 */
struct thread {
	pid_t tid, tgid;
	char comm[16];
	bool ended;
	bool kernel;		  /* true if this is a kernel thread, which is not shown */
	pid_t waker;		  /* the thread that ended its last wait, or 0 */
	bool left;		  /* true if tracing of the thread ended before the thread did */
	struct summary_rows rows; /* the calls of the thread; a row for each syscall number */
	VEC(struct live_sums) before; /* for each row, its sums at the last snapshot */
	/*
	 * The call that was current at the last snapshot. `row` is the index of its row plus one,
	 * or 0 if there was no call. `counted` is the part of its time in nanoseconds that was
	 * added to the row. next_row and next_counted are the same for the next snapshot.
	 */
	size_t row, next_row;
	int64_t counted, next_counted;
	bool old, next_old; /* true if the call of `row` or of next_row began before tracing */
};

struct live_sink {
	struct sink base;
	struct live_config config;
	struct threads threads; /* keys are tids, or the key of key_of_rest() */
	VEC(struct thread *) all;
	struct live_snapshot snapshot;
	/* CLOCK_MONOTONIC times of the start and of the last snapshot, in nanoseconds */
	int64_t began, last;
	uint64_t lost;
	int error; /* -errno of a failed write, or 0 */
};

static struct live_sink *live_of(struct sink *sink)
{
	return container_of(sink, struct live_sink, base);
}

static int64_t now_ns(void)
{
	return (int64_t)timespec_ns(clock_after(0));
}

/* ---- threads ---- */

/*
 * Returns the key for the sums of the ended threads of a process. Keys of single threads are
 * positive.
 */
static pid_t key_of_rest(pid_t tgid)
{
	return -tgid;
}

static struct thread *add_thread(struct live_sink *l, pid_t key, pid_t tid, pid_t tgid)
{
	struct thread *t = mem_zalloc(sizeof(*t));

	t->tid = tid;
	t->tgid = tgid;
	t->rows.by_number = true;
	threads_add(&l->threads, key, t);
	*vec_push(&l->all) = t;
	return t;
}

static struct thread *thread_of(struct live_sink *l, pid_t tid, pid_t tgid)
{
	struct thread *t = threads_find(&l->threads, tid);

	if (!t)
		t = add_thread(l, tid, tid, tgid ? tgid : tid);
	else if (tgid)
		t->tgid = tgid;
	return t;
}

static struct thread *rest_of(struct live_sink *l, pid_t tgid)
{
	struct thread *t = threads_find(&l->threads, key_of_rest(tgid));

	return t ? t : add_thread(l, key_of_rest(tgid), 0, tgid);
}

static void free_thread(struct thread *t)
{
	summary_rows_deinit(&t->rows);
	vec_deinit(&t->before);
	free(t);
}

/* Removes a thread from the list and frees it. */
static void drop_thread(struct live_sink *l, struct thread *t)
{
	vec_for_each (&l->all, p)
		if (*p == t) {
			*p = l->all.v[--l->all.n];
			break;
		}
	free_thread(t);
}

/*
 * Subtracts the time that was added at the last snapshot for the call that was current at that
 * time. Then adds the time so far of the call that is current now. If the earlier call has ended,
 * its row contains its whole time.
 */
static void count_current(struct thread *t)
{
	/*
	 * When a call ends that began before tracing, no event adds its time to the row. The time
	 * that was added so far must therefore stay.
	 */
	const bool same_old = t->old && t->next_old && t->row == t->next_row;

	if (t->row && (!t->old || same_old))
		t->rows.rows.v[t->row - 1].wall.total -= (uint64_t)t->counted;
	if (t->next_row)
		t->rows.rows.v[t->next_row - 1].wall.total += (uint64_t)t->next_counted;
	t->row = t->next_row;
	t->counted = t->next_counted;
	t->old = t->next_old;
	t->next_row = 0;
	t->next_counted = 0;
	t->next_old = false;
}

/*
 * Adds the sums of the thread `from` to those of `to`, without the time of the current call of
 * `from`.
 */
static void move_sums(struct thread *to, struct thread *from)
{
	from->next_row = 0;
	count_current(from);
	vec_for_each (&from->rows.rows, row)
		summary_row_add(summary_rows_find(&to->rows, row->name, row->abi, row->nr), row);
}

/*
 * Removes `t` from the map. `t` is a thread that has ended, or the object for the ended threads of
 * a process. Adds the sums of `t` to the object for the ended threads of its process or, if the
 * whole process has ended, to the object for all ended processes.
 */
static void fold(struct live_sink *l, struct thread *t)
{
	/*
	 * The first thread of a process is the last one that ends, so its end is the end of the
	 * process.
	 */
	const bool is_process = !t->tid || t->tid == t->tgid;
	struct thread *rest = rest_of(l, is_process ? 0 : t->tgid);

	move_sums(rest, t);
	threads_remove(&l->threads, t->tid ? t->tid : key_of_rest(t->tgid));
}

static void live_thread_begin(struct sink *sink, const struct event *e)
{
	struct live_sink *l = live_of(sink);
	struct thread *t = threads_find(&l->threads, e->tid);

	if (t && t->ended) {
		/* `t` is an ended thread with the same id as the new thread. Keep only its sums. */
		fold(l, t);
		drop_thread(l, t);
	}
	t = thread_of(l, e->tid, e->tgid);
	memcpy(t->comm, e->comm, sizeof(t->comm));
}

static void live_thread_end(struct sink *sink, const struct event *e)
{
	struct live_sink *l = live_of(sink);
	struct thread *t = threads_find(&l->threads, e->tid);

	if (t)
		t->ended = !t->left;
}

static void live_thread_moved(struct sink *sink, const struct event *e, pid_t from)
{
	struct live_sink *l = live_of(sink);
	struct thread *old = threads_find(&l->threads, e->tid);
	struct thread *t = threads_find(&l->threads, from);

	if (!t || t == old)
		return;
	/* Both threads belong to the same process. After the execve, only one of them is left. */
	threads_remove(&l->threads, from);
	if (!old) {
		t->tid = e->tid;
		threads_add(&l->threads, e->tid, t);
		return;
	}
	move_sums(old, t);
	old->ended = false;
	drop_thread(l, t);
}

/* ---- sums ---- */

static struct summary_row *row_of(struct thread *t, const char *name, unsigned abi, uint64_t nr)
{
	return summary_rows_find(&t->rows, name, abi, nr);
}

/*
 * Adds a call. If an EVENT_SYSCALL has no result, tracer did not see the return of the call, for
 * example because the thread was killed. As with -c, neither such a call nor its time is counted.
 * An EVENT_UNFINISHED is counted.
 */
static void count(struct live_sink *l, const struct syscall_event *e)
{
	struct thread *t = thread_of(l, e->base.tid, e->base.tgid);
	struct summary_row *row;
	uint64_t bytes = 0;

	memcpy(t->comm, e->base.comm, sizeof(t->comm));
	if (e->base.ret_kind == RET_NONE && e->base.kind != EVENT_UNFINISHED)
		return;
	/*
	 * The duration of this event contains the time that was already added for the call. Clear
	 * `old`, so that count_current() subtracts that time.
	 */
	if (e->base.kind == EVENT_UNFINISHED)
		t->old = false;
	if (e->woken)
		t->waker = e->woken->tid;
	row = row_of(t, e->base.name, e->abi ? e->abi->index : 0, e->set_nr);
	row->wall.total += timespec_ns(e->base.duration);
	row->calls++;
	row->errors += e->base.ret_kind == RET_ERROR || e->base.ret_kind == RET_RESTART;
	if (event_bytes(&e->base, &bytes))
		row->sums[0] += (int64_t)bytes;
}

static void add_counts(struct live_sink *l, const struct counts_event *e)
{
	struct thread *t = thread_of(l, e->call.base.tid, e->call.base.tgid);
	struct summary_row *row = row_of(t, e->call.base.name, e->call.abi->index, e->call.set_nr);

	row->wall.total += e->wall.total;
	row->calls += e->calls;
	row->errors += e->errors;
	row->sums[0] += (int64_t)e->bytes;
}

static void live_event(struct sink *sink, const struct event *e)
{
	struct live_sink *l = live_of(sink);
	struct thread *t;

	switch (e->kind) {
	case EVENT_SYSCALL:
	case EVENT_UNFINISHED:
		count(l, event_syscall(e));
		break;
	case EVENT_COUNTS:
		add_counts(l, container_of(e, const struct counts_event, call.base));
		break;
	case EVENT_PROCESS:
		/* The name may be new after an execve. */
		t = threads_find(&l->threads, e->tid);
		if (t && *e->comm)
			memcpy(t->comm, e->comm, sizeof(t->comm));
		if (t)
			t->left |= event_process(e)->kind == PROCESS_DETACHED ||
				   event_process(e)->kind == PROCESS_LEFT;
		break;
	case EVENT_LOST:
		l->lost += event_lost(e)->count;
		break;
	default:
		break;
	}
}

void live_running(struct sink *sink, const struct live_running *r)
{
	struct live_sink *l = live_of(sink);
	struct thread *t = thread_of(l, r->tid, r->tgid);

	if (*r->comm)
		memcpy(t->comm, r->comm, sizeof(t->comm));
	t->kernel = r->kernel;
	if (r->waker)
		t->waker = r->waker;
	if (!r->name)
		return;
	t->next_row = (size_t)(row_of(t, r->name, r->abi, r->nr) - t->rows.rows.v) + 1;
	t->next_counted = r->for_ns;
	/* Do not count the time before the first interval. */
	if (r->old)
		t->next_counted =
			(int64_t)size_min((size_t)r->for_ns, (size_t)(now_ns() - l->began));
	t->next_old = r->old;
}

/* ---- snapshots ---- */

static struct live_sums sums_of(const struct summary_row *row)
{
	return (struct live_sums){.calls = row->calls,
				  .errors = row->errors,
				  .bytes = (uint64_t)row->sums[0],
				  .time = (int64_t)row->wall.total};
}

static void take_call(struct live_sink *l, struct live_thread *to, struct thread *t, size_t i)
{
	const struct summary_row *row = &t->rows.rows.v[i];
	struct live_call *c = vec_push(&l->snapshot.calls);
	struct live_sums *before;

	if (i >= t->before.n)
		*vec_push(&t->before) = (struct live_sums){0};
	before = &t->before.v[i];
	/*
	 * If a program makes thousands of different calls, the row may now belong to another call.
	 * Reset the previous sums in that case.
	 */
	if (before->calls > row->calls)
		*before = (struct live_sums){0};
	memset(c->name, 0, sizeof(c->name));
	memcpy(c->name, row->name, size_min(strlen(row->name), sizeof(c->name) - 1));
	c->all = sums_of(row);
	c->recent = (struct live_sums){.calls = c->all.calls - before->calls,
				       .errors = c->all.errors - before->errors,
				       .bytes = c->all.bytes - before->bytes,
				       .time = c->all.time - before->time};
	/* The time may be negative if the event for the end of a running call was lost. */
	if (c->recent.time < 0)
		c->recent.time = 0;
	*before = c->all;
	live_sums_add(&to->all, &c->all);
	live_sums_add(&to->recent, &c->recent);
	to->ncalls++;
}

static void take_thread(struct live_sink *l, struct thread *t)
{
	struct live_thread *to = vec_push(&l->snapshot.threads);

	count_current(t);
	*to = (struct live_thread){.tid = t->tid,
				   .tgid = t->tgid,
				   .ended = t->ended,
				   .waker = t->waker,
				   .first = l->snapshot.calls.n};
	memcpy(to->comm, t->comm, sizeof(to->comm));
	for (size_t i = 0; i < t->rows.rows.n; i++)
		take_call(l, to, t, i);
	/*
	 * A call that ends after the running calls were listed, but before the counts were read, is
	 * counted twice, so limit the time to the length of the interval.
	 */
	if (to->recent.time > l->snapshot.head.interval)
		to->recent.time = l->snapshot.head.interval;
	if (!t->row)
		return;
	memcpy(to->in_call, l->snapshot.calls.v[to->first + t->row - 1].name, sizeof(to->in_call));
	to->in_call_for = t->counted;
}

/* Removes the threads that have ended, and the objects for ended threads of ended processes. */
static void fold_ended(struct live_sink *l)
{
	/* fold() may append objects for ended threads. The loop keeps them, or folds them later. */
	for (size_t i = 0; i < l->all.n;) {
		struct thread *t = l->all.v[i];
		const bool is_rest = !t->tid && t->tgid;

		if (is_rest ? threads_find(&l->threads, t->tgid) != NULL : !t->ended) {
			i++;
			continue;
		}
		fold(l, t);
		l->all.v[i] = l->all.v[--l->all.n];
		free_thread(t);
	}
}

static void take_snapshot(struct live_sink *l, int64_t now, bool last)
{
	struct live_snapshot *s = &l->snapshot;

	s->threads.n = s->calls.n = 0;
	s->head = (struct live_head){.number = s->head.number + 1,
				     .since = now - l->began,
				     .interval = now - l->last,
				     .lost = l->lost,
				     .last = last};
	vec_for_each (&l->all, t)
		if (!(*t)->kernel)
			take_thread(l, *t);
	l->last = now;
}

/* ---- text ---- */

static void put_others(struct strbuf *b, const live_lines *lines, size_t shown,
		       const struct live_sink *l, const struct live_view *view)
{
	struct live_line rest = {.name = "(others)"};

	for (size_t i = shown; i < lines->n; i++)
		live_sums_add(&rest.sums, &lines->v[i].sums);
	live_table_line(b, &rest, NULL, &l->snapshot, view, SIZE_MAX);
	/* This line is for several threads, so it has no current call. Remove the "-". */
	while (b->len && (b->data[b->len - 1] == '-' || b->data[b->len - 1] == ' '))
		b->len--;
	strbuf_printf(b, "  %zu more", lines->n - shown);
	strbuf_putc(b, '\n');
}

static void put_table(struct live_sink *l, const struct live_view *view, live_describe describe,
		      void *ctx)
{
	const struct live_snapshot *s = &l->snapshot;
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	live_lines lines = {0};
	size_t shown;
	int err;

	live_table_threads(&lines, s, view);
	shown = size_min(lines.n, l->config.top);
	strbuf_printf(&b, "%s%.3f s", view->since_start ? "total after " : "at ",
		      (double)s->head.since / NSEC_PER_SEC);
	if (!view->since_start)
		strbuf_printf(&b, ", over the last %.3f s",
			      (double)s->head.interval / NSEC_PER_SEC);
	strbuf_printf(&b, ", sorted by %s:\n", live_key_name(view->key));
	live_table_head(&b, view, SIZE_MAX);
	strbuf_putc(&b, '\n');
	for (size_t i = 0; i < shown; i++) {
		struct live_wait wait = {0};

		if (describe && *lines.v[i].in_call)
			describe(ctx, lines.v[i].in_call_tid, &wait);
		live_table_line(&b, &lines.v[i], &wait, s, view, SIZE_MAX);
		strbuf_putc(&b, '\n');
	}
	if (shown < lines.n)
		put_others(&b, &lines, shown, l, view);
	if (s->head.lost)
		strbuf_printf(&b, "%llu event%s lost and not counted here\n",
			      (unsigned long long)s->head.lost,
			      s->head.lost == 1 ? " was" : "s were");
	strbuf_putc(&b, '\n');
	err = l->config.write(l->config.ctx, b.data, b.len);
	if (err && !l->error)
		l->error = err;
	vec_deinit(&lines);
}

void live_publish(struct sink *sink, int64_t now, live_describe describe, void *ctx)
{
	struct live_sink *l = live_of(sink);

	take_snapshot(l, now, false);
	if (l->config.board)
		live_board_put(l->config.board, &l->snapshot);
	else
		put_table(l, &l->config.view, describe, ctx);
	fold_ended(l);
}

static int live_end(struct sink *sink)
{
	struct live_sink *l = live_of(sink);
	struct live_view view = l->config.view;
	int err;

	take_snapshot(l, now_ns(), true);
	view.since_start = true;
	if (l->config.board)
		live_board_put(l->config.board, &l->snapshot);
	else
		put_table(l, &view, NULL, NULL);
	err = l->error;
	vec_for_each (&l->all, t)
		free_thread(*t);
	vec_deinit(&l->all);
	threads_deinit(&l->threads);
	live_snapshot_deinit(&l->snapshot);
	free(l);
	return err;
}

static void live_started(struct sink *sink)
{
	struct live_sink *l = live_of(sink);

	l->began = l->last = now_ns();
}

static const struct sink_ops live_ops = {
	.event = live_event,
	.thread_begin = live_thread_begin,
	.thread_end = live_thread_end,
	.thread_moved = live_thread_moved,
	.started = live_started,
	.end = live_end,
};

struct sink *live_sink_create(const struct live_config *config)
{
	struct live_sink *l = mem_zalloc(sizeof(*l));

	l->base.ops = &live_ops;
	l->base.unwatched = true;
	l->config = *config;
	return &l->base;
}
