/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/rows/rows.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/paths.h"
#include "sinks/output.h"
#include "sinks/text/text_call.h"
#include "sinks/text/text_request.h"
#include "unwind.h"
#include "util/clock.h"
#include "util/escape.h"

#define FLUSH_BYTES (32u << 10)

struct rows_sink {
	struct sink base;
	struct text_config config;
	struct text_style style;
	struct output *out;
	bool stacks;
	int64_t from;	  /* omit events that ended earlier */
	bool stops_early; /* with --to: true, because unfinished calls may end later in the trace */
	/*
	 * True if the trace comes from a pipe. It may then still be growing. Because reading it can
	 * block, rows are written at once.
	 */
	bool grows;
};

static struct rows_sink *rows_of(struct sink *s)
{
	return container_of(s, struct rows_sink, base);
}

static int first_fd(const struct event *e)
{
	for (unsigned i = 0; i < e->nargs; i++)
		if (e->args[i].in && e->args[i].in->kind == VALUE_FD)
			return (int)e->args[i].in->num;
	return -1;
}

static bool put_path(void *ctx, const char *path, size_t n)
{
	escape_bytes(ctx, path, n, HEX_NON_ASCII_CHARS, false);
	return true;
}

/*
 * Begins a row and returns the buffer of the output. The caller must append the text of the event.
 */
static struct strbuf *begin(struct rows_sink *r, enum row_kind kind, const struct event *e,
			    bool is_call)
{
	struct strbuf *b = output_buf(r->out);
	const uint64_t duration = timespec_ns(e->duration);
	const char *comm = e->comm;

	strbuf_printf(b, "%c\t%llu\t%llu\t%d\t%d\t%d\t%d\t", kind,
		      (unsigned long long)(timespec_ns(e->time) + duration),
		      (unsigned long long)duration, (int)e->tid, (int)e->tgid,
		      e->ret_kind == RET_ERROR ? (int)e->ret : 0, is_call ? first_fd(e) : -1);
	if (e->name)
		escape_name(b, e->name, strlen(e->name));
	strbuf_putc(b, '\t');
	/* A successful execve has changed the thread's name. The row has the old name. */
	if (is_call && event_syscall(e)->called_by[0])
		comm = event_syscall(e)->called_by;
	escape_name(b, comm, strnlen(comm, sizeof(e->comm)));
	strbuf_putc(b, '\t');
	if (is_call)
		event_paths(event_syscall(e), true, put_path, b);
	strbuf_putc(b, '\t');
	return b;
}

static void end(struct rows_sink *r, struct strbuf *b, const struct event *e)
{
	strbuf_putc(b, '\n');
	if (r->stacks && e->stack && r->base.unwinder)
		stack_text(r->base.unwinder, e->stack, b);
	if (r->grows || b->len > FLUSH_BYTES)
		output_flush(r->out);
}

static void put_call(struct rows_sink *r, const struct event *e, enum row_kind kind)
{
	struct strbuf *b = begin(r, kind, e, true);

	text_call(b, &r->style, event_syscall(e));
	end(r, b, e);
}

static void put_signal(struct rows_sink *r, const struct event *e)
{
	struct strbuf *b = begin(r, ROWS_SIGNAL, e, false);

	strbuf_puts(b, "--- ");
	text_signal_name(b, event_signal(e)->sig);
	if (e->args[0].in) {
		strbuf_putc(b, ' ');
		text_render(b, &r->style, e->args[0].in);
	}
	strbuf_puts(b, " ---");
	end(r, b, e);
}

static void put_process(struct rows_sink *r, const struct event *e)
{
	const struct process_event *p = event_process(e);
	struct strbuf *b;

	if (p->kind != PROCESS_EXITED && p->kind != PROCESS_KILLED && p->kind != PROCESS_STOPPED &&
	    p->kind != PROCESS_SUPERSEDED)
		return;
	b = begin(r, ROWS_PROCESS, e, false);
	switch (p->kind) {
	case PROCESS_EXITED:
		strbuf_printf(b, "+++ exited with %d +++", p->code);
		break;
	case PROCESS_SUPERSEDED:
		strbuf_printf(b, "+++ superseded by execve in pid %d +++", p->code);
		break;
	default:
		strbuf_puts(b, p->kind == PROCESS_KILLED ? "+++ killed by " : "--- stopped by ");
		text_signal_name(b, p->code);
		strbuf_puts(b, p->core_dumped		   ? " (core dumped) +++"
			       : p->kind == PROCESS_KILLED ? " +++"
							   : " ---");
		break;
	}
	end(r, b, e);
}

static void rows_event(struct sink *s, const struct event *e)
{
	struct rows_sink *r = rows_of(s);
	struct strbuf *b;

	/*
	 * Omit an unfinished call only if it may end later in the trace. Do not compare the sum of
	 * its time and duration with `from`, because the sum is not exact: the clocks for times and
	 * durations drift apart.
	 */
	if (e->kind == EVENT_UNFINISHED
		    ? r->stops_early
		    : (int64_t)(timespec_ns(e->time) + timespec_ns(e->duration)) < r->from)
		return;
	switch (e->kind) {
	case EVENT_SYSCALL:
		put_call(r, e, ROWS_CALL);
		break;
	case EVENT_UNFINISHED:
		put_call(r, e, ROWS_RUNNING);
		break;
	case EVENT_SIGNAL:
		put_signal(r, e);
		break;
	case EVENT_PROCESS:
		put_process(r, e);
		break;
	case EVENT_LOST:
		b = begin(r, ROWS_LOST, e, false);
		text_lost(b, event_lost(e));
		end(r, b, e);
		break;
	case EVENT_OTHER:
		b = begin(r, ROWS_OTHER, e, false);
		if (e->request)
			text_request(b, &r->style, event_syscall(e));
		else
			text_other(b, &r->style, e);
		end(r, b, e);
		break;
	default:
		break;
	}
}

static int rows_flush(struct sink *s)
{
	return output_flush(rows_of(s)->out);
}

static int rows_end(struct sink *s)
{
	struct rows_sink *r = rows_of(s);
	int err = output_close(r->out);

	free(r);
	return err;
}

static const struct sink_ops rows_ops = {
	.event = rows_event,
	.flush = rows_flush,
	.end = rows_end,
};

struct sink *rows_sink_create(const struct sink_config *config)
{
	struct rows_sink *r = mem_zalloc(sizeof(*r));
	struct stat st;

	r->base.ops = &rows_ops;
	r->config = *config->text;
	r->style.config = &r->config;
	r->stacks = config->stacks;
	r->from = config->from;
	r->stops_early = config->to < INT64_MAX;
	r->grows = !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode);
	r->out = output_open("-", false);
	if (r->out)
		return &r->base;
	free(r);
	return NULL;
}
