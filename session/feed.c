/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/feed.h"

#include "cli/options.h"
#include "query/query.h"
#include "sinks/execs/execs.h"
#include "sinks/fds/fd_report.h"
#include "sinks/files/files.h"
#include "sinks/learn/learn.h"
#include "sinks/path/critical_path.h"
#include "sinks/registry.h"
#include "sinks/summary/summary.h"
#include "sinks/text/text.h"
#include "util/clock.h"
#include "util/msg.h"

/* Maximum time in nanoseconds for which an event may stay in a sink's buffer. */
#define FLUSH_NS 50000000

void feed_dirtied(struct feed *f)
{
	f->flush_at = clock_after(FLUSH_NS);
	f->dirty = true;
}

static int log_append(void *ctx, const char *text, size_t n)
{
	const struct feed *f = ctx;

	text_sink_append(f->sinks[0], text, n);
	return 0;
}

bool feed_open(struct feed *f, const struct options *o)
{
	const struct sink_config config = options_sink_config(o);
	struct summary_config summary = o->summary;
	struct files_config files = o->files_config;
	struct execs_config execs = o->execs_config;
	struct learn_config learn = o->learn_config;
	struct live_config live = o->live_config;
	struct sink *log;

	if (o->record_only)
		return true;
	log = o->format->create(&config);
	if (!log)
		return false;
	f->sinks[f->n++] = log;
	f->wants = sink_format_wants(o->format, &config);
	if (o->summarize) {
		summary.write = log_append;
		summary.ctx = f;
		f->sinks[f->n++] = summary_sink_create(&summary);
		f->wants |= summary_sink_wants(&summary);
	}
	if (o->fd_report) {
		f->sinks[f->n++] = fd_report_create(log_append, f);
		f->wants |= FD_REPORT_WANTS;
	}
	if (o->critical_path) {
		f->sinks[f->n++] =
			critical_path_create(o->critical_json, o->summary.top, log_append, f);
		f->wants |= CRITICAL_PATH_WANTS;
	}
	if (o->files) {
		files.write = log_append;
		files.ctx = f;
		f->sinks[f->n++] = files_create(&files);
		f->wants |= FILES_WANTS;
	}
	if (o->execs) {
		execs.write = log_append;
		execs.ctx = f;
		f->sinks[f->n++] = execs_create(&execs);
		f->wants |= EXECS_WANTS;
	}
	if (o->learn) {
		learn.write = log_append;
		learn.ctx = f;
		f->sinks[f->n++] = learn_create(&learn);
		f->wants |= LEARN_WANTS;
	}
	if (o->live_ns) {
		live.board = o->live_board;
		live.write = log_append;
		live.ctx = f;
		f->live = f->sinks[f->n++] = live_sink_create(&live);
		f->wants |= LIVE_WANTS;
	}
	if (o->blocked_ns || filter_needs_duration(&o->filter))
		f->wants |= WANTS_TIMES;
	if (o->wakers)
		f->wants |= WANTS_TIMES | WANTS_COMM | WANTS_TGID;
	if (o->query_needs & QUERY_NEEDS_TIMES)
		f->wants |= WANTS_TIMES;
	if (o->query_needs & QUERY_NEEDS_COMM)
		f->wants |= WANTS_COMM;
	if (o->query_needs & QUERY_NEEDS_TGID)
		f->wants |= WANTS_TGID;
	f->names_like_strace = o->text.pid_comm && !(o->format->wants & WANTS_COMM);
	return true;
}

void feed_name_stacks(struct feed *f, struct unwinder *unwinder)
{
	for (unsigned i = 0; i < f->n; i++)
		f->sinks[i]->unwinder = unwinder;
}

void feed_thread_begin(struct feed *f, const struct event *e)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->sinks[i]->ops->thread_begin)
			f->sinks[i]->ops->thread_begin(f->sinks[i], e);
	feed_count(f);
}

void feed_thread_end(struct feed *f, const struct event *e)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->sinks[i]->ops->thread_end)
			f->sinks[i]->ops->thread_end(f->sinks[i], e);
	feed_count(f);
}

void feed_thread_moved(struct feed *f, const struct event *e, pid_t from)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->sinks[i]->ops->thread_moved)
			f->sinks[i]->ops->thread_moved(f->sinks[i], e, from);
	feed_count(f);
}

void feed_process_command(struct feed *f, const struct event *e, struct foreign command)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->sinks[i]->ops->process_command)
			f->sinks[i]->ops->process_command(f->sinks[i], e, command);
}

void feed_started(struct feed *f)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->sinks[i]->ops->started)
			f->sinks[i]->ops->started(f->sinks[i]);
}

int feed_flush(struct feed *f)
{
	int err = 0;

	f->dirty = false;
	for (unsigned i = 0; i < f->n; i++) {
		struct sink *sink = f->sinks[i];
		int e = sink->ops->flush ? sink->ops->flush(sink) : 0;

		if (e > 0)
			feed_dirtied(f);
		else if (!err)
			err = e;
	}
	return err;
}

void feed_write_kept(struct feed *f, bool quiet, const char *why)
{
	for (unsigned i = 0; i < f->n; i++) {
		struct sink *sink = f->sinks[i];
		uint64_t seen = 0;
		size_t n = sink->ops->write_kept ? sink->ops->write_kept(sink, &seen) : 0;

		if (n && !quiet)
			msg("%s: wrote the last %zu of %llu events", why, n,
			    (unsigned long long)seen);
	}
}

uint64_t feed_unwritten(const struct feed *f)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < f->n; i++)
		if (f->sinks[i]->ops->unwritten)
			bytes += f->sinks[i]->ops->unwritten(f->sinks[i]);
	return bytes;
}

bool feed_unwatched(const struct feed *f)
{
	for (unsigned i = 0; i < f->n; i++)
		if (!f->sinks[i]->unwatched)
			return false;
	return true;
}

int feed_close(struct feed *f)
{
	int err = 0;

	/*
	 * End the second sink before the sink of the log, because the second sink appends its
	 * report to the log.
	 */
	while (f->n) {
		struct sink *sink = f->sinks[f->n - 1];
		int e = sink->ops->end(sink);

		f->n--;
		if (!err)
			err = e;
	}
	return err;
}
