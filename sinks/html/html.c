/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/html/html.h"

#include <stdlib.h>

#include "event/find.h"
#include "event/wakeup.h"
#include "linux/syscall_desc.h"
#include "sinks/html/chunk.h"
#include "sinks/html/catalog.h"
#include "sinks/html/page.h"
#include "sinks/json/json_text.h"
#include "sinks/output.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/text/text_call.h"
#include "sinks/text/text_request.h"
#include "sinks/threads.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/names.h"
#include "util/shell.h"

static const char page[] =
#include "sinks/html/page.html.inc"
	;
static const char *const scripts[] = {
#include "sinks/html/classes.js.inc"
	,
#include "sinks/html/data.js.inc"
	,
#include "sinks/html/text.js.inc"
	,
#include "sinks/html/widgets.js.inc"
	,
#include "sinks/html/lanes.js.inc"
	,
#include "sinks/html/timeline.js.inc"
	,
#include "sinks/html/query.js.inc"
	,
#include "sinks/html/calls.js.inc"
	,
#include "sinks/html/details.js.inc"
	,
#include "sinks/html/flame.js.inc"
	,
#include "sinks/html/flame_page.js.inc"
	,
#include "sinks/html/arrows.js.inc"
	,
#include "sinks/html/processes.js.inc"
	,
#include "sinks/html/summary.js.inc"
	,
#include "sinks/html/address.js.inc"
	,
#include "sinks/html/main.js.inc"
	,
};

/*
 * Rows wait for their chunk to fill up, but only for one second or, if that is longer, 1% of the
 * run.
 */
#define WAIT_NS	   1000000000
#define WAIT_SHARE 100

struct html_sink {
	struct sink base;
	bool stacks, follow;
	struct text_config config;
	struct text_style style;
	struct strbuf title; /* the command line */
	struct output *out;
	struct chunk *chunk;
	struct catalog *catalog;
	struct threads threads; /* values are struct html_thread */
	uint32_t nthreads;	/* number of threads so far */
	struct timespec start;	/* CLOCK_MONOTONIC time of the first event: time 0 of the page */
	struct timespec clock;	/* CLOCK_REALTIME time of the first event */
	bool started, begun; /* `started`: true if `start` is set; `begun`: true if the first chunk
				was written */
	struct timespec opened; /* CLOCK_MONOTONIC time when the page was begun */
	struct timespec due;	/* CLOCK_MONOTONIC time at which the waiting rows must be written */
};

struct html_thread {
	uint32_t number;
	int64_t parent; /* index of the creating thread, or -1 */
	pid_t tid, tgid;
};

static struct html_sink *html_of(struct sink *s)
{
	return container_of(s, struct html_sink, base);
}

/* ---- threads ---- */

static void put_thread(struct html_sink *h, const struct html_thread *th)
{
	strbuf_printf(chunk_next(h->chunk, LIST_THREADS), "%u,%d,%d,%lld", th->number, th->tid,
		      th->tgid, (long long)th->parent);
}

static struct html_thread *thread_new(struct html_sink *h, pid_t tid)
{
	struct html_thread *th = mem_zalloc(sizeof(*th));

	th->number = h->nthreads++;
	th->parent = -1;
	th->tid = tid;
	threads_add(&h->threads, tid, th);
	return th;
}

/*
 * Returns the thread of an event. If the thread or its process was not known, writes the thread to
 * the page.
 */
static struct html_thread *html_thread(struct html_sink *h, const struct event *e)
{
	struct html_thread *th = threads_find(&h->threads, e->tid);
	bool told = th != NULL;

	if (!th)
		th = thread_new(h, e->tid);
	if (told && (th->tgid == e->tgid || !e->tgid))
		return th;
	th->tgid = e->tgid;
	put_thread(h, th);
	return th;
}

static void html_thread_end(struct sink *s, const struct event *e)
{
	free(threads_remove(&html_of(s)->threads, e->tid));
}

static void html_thread_moved(struct sink *s, const struct event *e, pid_t from)
{
	struct html_sink *h = html_of(s);
	struct html_thread *th = threads_remove(&h->threads, from);

	if (!th)
		return;
	free(threads_remove(&h->threads, e->tid));
	threads_add(&h->threads, e->tid, th);
	th->tid = e->tid;
	put_thread(h, th);
}

/* Records the parent of a thread. The child may already have had events. */
static void thread_forked(struct html_sink *h, const struct event *e, pid_t child)
{
	struct html_thread *parent = html_thread(h, e), *th;

	if (!h->follow)
		return;
	th = threads_find(&h->threads, child);
	if (!th)
		th = thread_new(h, child);
	th->parent = parent->number;
	put_thread(h, th);
}

/* ---- chunks ---- */

/* Appends the metadata of the run, for the first chunk. */
static void put_run(struct html_sink *h, struct strbuf *b)
{
	static const char *const classes[] = {"file", "desc",	"process", "network", "signal",
					      "ipc",  "memory", "creds",   "clock"};

	strbuf_puts(b, "\"title\":");
	json_string(b, h->title.data, h->title.len);
	strbuf_puts(b, ",\"clock\":");
	json_time(b, &h->clock, 6);
	strbuf_puts(b, h->stacks ? ",\"stacks\":true" : ",\"stacks\":false");
	strbuf_puts(b, ",\"classes\":[");
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (i)
			strbuf_putc(b, ',');
		json_cstring(b, classes[i]);
	}
	strbuf_putc(b, ']');
}

static void write_chunk(struct html_sink *h, bool last)
{
	attr_cleanup(strbuf_deinit) struct strbuf notes = {0};

	if (!h->begun)
		put_run(h, &notes);
	if (last)
		strbuf_puts(&notes, h->begun ? "\"complete\":true" : ",\"complete\":true");
	h->begun = true;
	chunk_write(h->chunk, strbuf_str(&notes), output_buf(h->out));
	output_commit(h->out);
}

static struct timespec now(void)
{
	return clock_after(0);
}

static int64_t since_start(struct html_sink *h, const struct event *e)
{
	struct timespec t;

	if (!h->started) {
		h->start = e->mono;
		h->clock = e->time;
		h->started = true;
	}
	t = timespec_sub(e->mono, h->start);
	return (int64_t)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* Returns the classes of a syscall (-e trace=%CLASS) as bits. */
static uint32_t classes_of(const struct syscall_event *e)
{
	return e->row < 0 ? 0 : syscall_desc_classes(&syscall_descs[e->row]);
}

static uint64_t stack_of(struct html_sink *h, struct stack *stack)
{
	const struct frame *f;
	size_t n;

	if (!stack || !h->stacks || !h->base.unwinder)
		return 0;
	f = stack_frames(h->base.unwinder, stack, &n);
	return (uint64_t)catalog_stack(h->catalog, f, n) << 4 | stack_status(stack, NULL);
}

/*
 * Adds a row called `name` for a thread called `comm`. The text of the row must already be in
 * chunk_text().
 */
static void put_row_of(struct html_sink *h, const struct event *e, const char comm[16],
		       const char *name, uint32_t classes, struct stack *stack, struct row row)
{
	const struct html_thread *th = html_thread(h, e);

	row.who = catalog_who(h->catalog, th->number, comm, strnlen(comm, sizeof(e->comm)));
	row.name = catalog_name(h->catalog, name, classes);
	row.stack = stack_of(h, stack);
	row.end = since_start(h, e) + (int64_t)row.duration;
	if (!chunk_rows(h->chunk)) {
		struct timespec t = now();
		uint64_t wait = timespec_ns(timespec_sub(t, h->opened)) / WAIT_SHARE;

		h->due = clock_after(wait > WAIT_NS ? wait : WAIT_NS);
	}
	chunk_row(h->chunk, &row);
	if (chunk_is_full(h->chunk))
		write_chunk(h, false);
	catalog_trim(h->catalog);
}

static void put_row(struct html_sink *h, const struct event *e, const char *name, uint32_t classes,
		    struct stack *stack, struct row row)
{
	put_row_of(h, e, e->comm, name, classes, stack, row);
}

/* ---- events ---- */

static void html_thread_begin(struct sink *s, const struct event *e)
{
	struct html_sink *h = html_of(s);

	html_thread(h, e);
	if (chunk_is_full(h->chunk))
		write_chunk(h, false);
}

/* Appends a string in shell syntax. */
static void put_word(struct strbuf *b, const struct value *v)
{
	shell_put_word(b, v->str, v->len);
	if (v->flags & VALUE_F_MORE)
		strbuf_puts(b, "…");
}

/*
 * Returns the value of an argument at syscall entry, or NULL if the value is unknown or not of this
 * kind.
 */
static const struct value *entry_value(const struct syscall_event *e, const char *name,
				       enum value_kind kind)
{
	const struct value *v;

	return event_argument(&e->base, name, false, &v) == FOUND && v->kind == kind ? v : NULL;
}

/* Adds the command line of a successful execve(2), from its arguments at syscall entry. */
static void put_command(struct html_sink *h, const struct syscall_event *e)
{
	attr_cleanup(strbuf_deinit) struct strbuf line = {0};
	const struct value *argv = entry_value(e, "argv", VALUE_ARRAY);
	const struct value *path = entry_value(e, "pathname", VALUE_STRING);
	uint32_t string;

	if (!argv)
		return;
	value_for_each(argv, v)
	{
		if (v->kind != VALUE_STRING)
			continue;
		if (line.len)
			strbuf_putc(&line, ' ');
		/*
		 * -s truncates argv[0], but not the path. Usually, both are equal. Show the path if
		 * argv[0] is truncated.
		 */
		put_word(&line, v == argv->child && v->flags & VALUE_F_MORE && path ? path : v);
	}
	if (argv->flags & VALUE_F_MORE)
		strbuf_puts(&line, " …");
	string = catalog_string(h->catalog, strbuf_str(&line), line.len);
	strbuf_printf(chunk_next(h->chunk, LIST_COMMANDS), "%u,%lld,%u",
		      html_thread(h, &e->base)->number, (long long)since_start(h, &e->base),
		      string);
}

/* Returns the id of the child that wait4(2) or waitid(2) returned, or 0. */
static pid_t reaped(const struct syscall_event *e)
{
	const struct event *b = &e->base;

	if (b->ret_kind != RET_VALUE || strncmp(b->name, "wait", strlen("wait")) != 0)
		return 0;
	if (strcmp(b->name, "waitid") != 0)
		return b->ret > 0 ? (pid_t)b->ret : 0;
	for (unsigned i = 0; i < b->nargs; i++) {
		const struct value *info = b->args[i].out, *pid;

		if (!info || info->kind != VALUE_STRUCT)
			continue;
		pid = value_member(info, "si_pid");
		if (pid)
			return (pid_t)pid->num;
	}
	return 0;
}

/* Records what ended the wait of a call. The next row must be the row of this call. */
static void put_wake(struct html_sink *h, const struct syscall_event *e)
{
	const struct wakeup *w = e->woken;
	const pid_t child = w ? 0 : reaped(e);
	const char *cause = wake_cause_name(w ? w->cause : WAKE_CHILD);
	int64_t at = since_start(h, &e->base) + (int64_t)timespec_ns(e->base.duration);
	uint32_t string;

	if (!w && !child)
		return;
	if (w)
		at = w->at - (int64_t)timespec_ns(h->start);
	string = catalog_string(h->catalog, cause, strlen(cause));
	strbuf_printf(chunk_next(h->chunk, LIST_WAKES), "%zu,%u,%d,%lld,%d", chunk_rows(h->chunk),
		      string, w ? w->tid : child, (long long)at, w && w->inferred);
}

static void put_call(struct html_sink *h, const struct syscall_event *e)
{
	static const enum row_kind kinds[] = {
		[RET_NONE] = ROW_UNFINISHED,
		[RET_VALUE] = ROW_CALL,
		[RET_ERROR] = ROW_FAILED,
		[RET_RESTART] = ROW_RESTART,
	};

	text_call(chunk_text(h->chunk), &h->style, e);
	if (e->desc && e->desc->flags & SYSCALL_F_EXECVE && e->base.ret_kind == RET_VALUE)
		put_command(h, e);
	put_wake(h, e);
	/* A successful execve has changed the thread's name. The row shows the old name. */
	put_row_of(h, &e->base, e->called_by[0] ? e->called_by : e->base.comm, e->base.name,
		   classes_of(e), e->base.stack,
		   (struct row){.kind = kinds[e->base.ret_kind],
				.duration = timespec_ns(e->base.duration),
				.bytes = event_weight(&e->base, WEIGHT_BYTES)});
}

static const char *signal_text(int sig)
{
	const char *name = signal_name(sig);

	return name ? name : "unknown signal";
}

static void put_signal(struct html_sink *h, const struct signal_event *e)
{
	struct strbuf *b = chunk_text(h->chunk);

	strbuf_puts(b, "--- ");
	strbuf_puts(b, signal_text(e->sig));
	if (e->base.args[0].in) {
		strbuf_putc(b, ' ');
		text_render(b, &h->style, e->base.args[0].in);
	}
	strbuf_puts(b, " ---");
	put_row(h, &e->base, signal_text(e->sig), 0, e->base.stack,
		(struct row){.kind = ROW_SIGNAL});
}

static void put_process(struct html_sink *h, const struct process_event *e)
{
	attr_cleanup(strbuf_deinit) struct strbuf name = {0};
	enum row_kind kind;

	switch (e->kind) {
	case PROCESS_EXITED:
		strbuf_printf(&name, "exited with %d", e->code);
		kind = ROW_EXITED;
		break;
	case PROCESS_KILLED:
		strbuf_printf(&name, "killed by %s%s", signal_text(e->code),
			      e->core_dumped ? " (core dumped)" : "");
		kind = ROW_KILLED;
		break;
	case PROCESS_STOPPED:
		strbuf_printf(&name, "stopped by %s", signal_text(e->code));
		kind = ROW_STOPPED;
		break;
	case PROCESS_SUPERSEDED:
		strbuf_puts(&name, "superseded by execve");
		kind = ROW_SUPERSEDED;
		break;
	case PROCESS_DETACHED:
		strbuf_puts(&name, "detached");
		kind = ROW_DETACHED;
		break;
	case PROCESS_FORKED:
		thread_forked(h, &e->base, e->code);
		return;
	default:
		return;
	}
	strbuf_printf(chunk_text(h->chunk), "+++ %s +++", strbuf_str(&name));
	put_row(h, &e->base, strbuf_str(&name), 0, e->base.stack, (struct row){.kind = kind});
}

static void put_blocked(struct html_sink *h, const struct syscall_event *e)
{
	struct syscall_event later = *e;

	later.base.mono = timespec_add(e->base.mono, e->base.duration);
	strbuf_printf(chunk_text(h->chunk), "--- blocked for %lld.%03ld s in %s ---",
		      (long long)e->base.duration.tv_sec, e->base.duration.tv_nsec / 1000000,
		      e->base.name);
	put_row(h, &later.base, "blocked", 0, e->base.stack, (struct row){.kind = ROW_BLOCKED});
}

static void put_lost(struct html_sink *h, const struct lost_event *e)
{
	struct strbuf *b = chunk_text(h->chunk);

	strbuf_printf(b, "--- lost %llu event%s: ", (unsigned long long)e->count,
		      e->count == 1 ? "" : "s");
	escape_foreign(b, e->cause);
	strbuf_puts(b, " ---");
	put_row(h, &e->base, "lost", 0, NULL, (struct row){.kind = ROW_LOST});
}

/* Writes an event from another source, with its values and result in text format. */
static void put_other(struct html_sink *h, const struct event *e)
{
	if (e->request)
		text_request(chunk_text(h->chunk), &h->style, event_syscall(e));
	else
		text_other(chunk_text(h->chunk), &h->style, e);
	put_row(h, e, e->name, 0, e->stack,
		(struct row){.kind = e->request ? ROW_REQUEST : ROW_OTHER,
			     .duration = timespec_ns(e->duration)});
}

static void html_event(struct sink *s, const struct event *e)
{
	struct html_sink *h = html_of(s);

	switch (e->kind) {
	case EVENT_SYSCALL:
	case EVENT_UNFINISHED:
		put_call(h, event_syscall(e));
		break;
	case EVENT_ENTER:
		/*
		 * Time 0 of the page is the beginning of the first call. A call becomes a row when
		 * it ends, so store the time of its beginning now.
		 */
		since_start(h, e);
		break;
	case EVENT_SIGNAL:
		put_signal(h, event_signal(e));
		break;
	case EVENT_PROCESS:
		put_process(h, event_process(e));
		break;
	case EVENT_BLOCKED:
		put_blocked(h, event_syscall(e));
		break;
	case EVENT_LOST:
		put_lost(h, event_lost(e));
		break;
	case EVENT_OTHER:
		put_other(h, e);
		break;
	case EVENT_HOLD:
	case EVENT_SNAPSHOT:
	case EVENT_COUNTS:
	case EVENT_RUN:
		break;
	}
}

/* ---- the page ---- */

/*
 * Writes the waiting rows if their time limit has passed. Rows wait until they fill a chunk, but
 * only for a limited time, so that few rows are lost if tracer is killed. Returns 1 if rows still
 * wait, 0 if none wait, or -errno.
 */
static int html_flush(struct sink *s)
{
	struct html_sink *h = html_of(s);
	bool waiting = chunk_rows(h->chunk);
	int err;

	if (waiting && !timespec_before(now(), h->due)) {
		write_chunk(h, false);
		waiting = false;
	}
	err = output_flush(h->out);
	return err ? err : waiting;
}

static int html_end(struct sink *s)
{
	struct html_sink *h = html_of(s);
	struct html_thread *th;
	int err;

	write_chunk(h, true);
	strbuf_puts(output_buf(h->out), "</body>\n</html>\n");
	err = output_close(h->out);
	while ((th = threads_take(&h->threads)))
		free(th);
	threads_deinit(&h->threads);
	catalog_destroy(h->catalog);
	chunk_destroy(h->chunk);
	strbuf_deinit(&h->title);
	free(h);
	return err;
}

static const struct sink_ops html_ops = {
	.event = html_event,
	.thread_begin = html_thread_begin,
	.thread_end = html_thread_end,
	.thread_moved = html_thread_moved,
	.flush = html_flush,
	.end = html_end,
};

struct sink *html_sink_create(const struct sink_config *config)
{
	struct output *out = output_open(config->path, config->append);
	struct html_sink *h;

	if (!out)
		return NULL;
	h = mem_zalloc(sizeof(*h));
	h->base.ops = &html_ops;
	h->stacks = config->stacks;
	if (config->text)
		h->config = *config->text;
	h->follow = h->config.follow;
	h->style.config = &h->config;
	for (size_t i = 0; i < config->command_len; i++) {
		if (i)
			strbuf_putc(&h->title, ' ');
		escape_foreign(&h->title, config->command[i]);
	}
	h->out = out;
	h->opened = now();
	h->chunk = chunk_create();
	h->catalog = catalog_create(h->chunk);
	/* The code comes before the data, so the page works even if the data is incomplete. */
	page_begin(output_buf(h->out), page, scripts, ARRAY_SIZE(scripts));
	return &h->base;
}
