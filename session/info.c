/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/info.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "cli/options.h"
#include "trace/format/records.h"
#include "trace/format/stops.h"
#include "trace/play/trace.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/msg.h"
#include "util/table.h"

/* Maximum number of processes that are counted. */
#define PROCESSES_MAX 1048576

struct trace_info {
	uint64_t bytes; /* total size of the bodies of all blocks, in bytes */
	uint64_t calls, requests, signals, lost;
	/* number of stacks; each raw stack is counted, but equal walked stacks are counted once */
	uint64_t stacks;
	uint64_t last; /* time of the last stop (CLOCK_MONOTONIC, in nanoseconds) */
	struct table processes;
};

static void add_process(struct trace_info *i, uint64_t tgid)
{
	const uint64_t hash = table_hash_number(tgid);

	if (tgid && i->processes.used < PROCESSES_MAX && !table_find(&i->processes, hash, NULL))
		table_add(&i->processes, hash, 1);
}

/* Returns the process id that a NEW record contains. */
static uint64_t process_of_new(struct cursor in)
{
	uint64_t bits;

	take_signed(&in);
	bits = cursor_uleb(&in) & (STOP_HAS_CPU | STOP_HAS_IP | STOP_HAS_SP);
	for (; bits; bits &= bits - 1)
		take_signed(&in);
	cursor_uleb(&in);
	return cursor_uleb(&in);
}

static void take_record(struct trace_info *i, uint64_t type, struct cursor in)
{
	struct begin_record begin;

	switch (type) {
	case RECORD_BEGIN:
		if (begin_take(&in, &begin))
			add_process(i, (uint64_t)begin.tgid);
		break;
	case RECORD_NEW:
		add_process(i, process_of_new(in));
		break;
	case RECORD_ENTER:
		i->calls++;
		break;
	case RECORD_SUBMITTED:
		i->requests++;
		break;
	case RECORD_SIGNAL:
		i->signals++;
		break;
	case RECORD_STACK:
	case RECORD_RAW:
		i->stacks++;
		break;
	default:
		break;
	}
}

static void take_block(struct trace_info *i, const struct block_header *h, const uint8_t *body,
		       size_t n)
{
	struct cursor in = {.p = body, .end = body + n};

	i->bytes += n;
	if (h->kind != BLOCK_EVENTS)
		return;
	i->lost = h->lost;
	i->last = h->last;
	while (in.p < in.end) {
		const uint64_t type = cursor_uint(&in, 1);
		const uint8_t *bytes;
		size_t len;

		bytes = take_bytes(&in, &len);
		if (!bytes)
			break;
		take_record(i, type, (struct cursor){.p = bytes, .end = bytes + len});
	}
}

static void put_words(struct strbuf *b, const struct trace_meta *m, const char *name)
{
	bool any = false;

	vec_for_each (&m->pairs, p) {
		if (strcmp(p->name, name) != 0)
			continue;
		strbuf_puts(b, any ? " " : "");
		escape_foreign(b, p->text);
		any = true;
	}
	strbuf_puts(b, any ? "\n" : "(unknown)\n");
}

static void put_member(struct strbuf *b, const struct trace_meta *m, const char *name,
		       const char *before)
{
	if (!foreign_given(meta_get(m, name)))
		return;
	strbuf_puts(b, before);
	escape_foreign(b, meta_get(m, name));
}

static void put_host(struct strbuf *b, const struct trace_meta *m)
{
	strbuf_puts(b, "host       ");
	put_member(b, m, "host", "");
	strbuf_puts(b, "\nkernel     ");
	put_member(b, m, "kernel", "");
	put_member(b, m, "machine", " ");
	strbuf_puts(b, "\ncommand    ");
	put_words(b, m, "command");
}

static void put_time(struct strbuf *b, const struct trace *t, const struct trace_info *i)
{
	const int64_t began = trace_began(t);
	const int64_t length = trace_time(i->last) - trace_time(trace_first(t)->first);
	time_t seconds = (time_t)(began / NSEC_PER_SEC);
	char text[64] = "(unknown)";
	struct tm tm;

	if (began && localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm);
	strbuf_printf(b, "recorded   %s, for %.3f s", text, length > 0 ? (double)length / 1e9 : 0);
	put_member(b, trace_meta(t), "tracer", ", by version ");
	put_member(b, trace_meta(t), "uid", ", uid ");
	strbuf_putc(b, '\n');
}

static void put_counts(struct strbuf *b, const struct trace_meta *m, const struct trace_info *i)
{
	strbuf_printf(b, "calls      %" PRIu64 "\n", i->calls);
	if (meta_get_number(m, "io-uring", 0) == META_REQUESTS)
		strbuf_printf(b, "requests   %" PRIu64 " of io_urings\n", i->requests);
	strbuf_printf(b, "signals    %" PRIu64 "\n", i->signals);
	strbuf_printf(b, "processes  %zu%s\n", i->processes.used,
		      i->processes.used == PROCESSES_MAX ? " or more" : "");
	if (!meta_get_number(m, "stacks", 0))
		strbuf_puts(b, "stacks     none: record with -k\n");
	else if (meta_get_number(m, "raw-stacks", 0))
		strbuf_printf(b, "stacks     %" PRIu64 ", raw\n", i->stacks);
	else
		strbuf_printf(b, "stacks     %" PRIu64 " different, as frames\n", i->stacks);
	strbuf_printf(b, "lost       %" PRIu64 "\n", i->lost);
	strbuf_printf(b, "size       %" PRIu64 " bytes uncompressed\n", i->bytes);
}

static void put_trace(struct strbuf *b, const char *path, struct trace *t)
{
	struct trace_info i = {0};
	struct block_header h;
	const uint8_t *body;
	size_t n;

	while (trace_next(t, &h, &body, &n))
		take_block(&i, &h, body, n);
	strbuf_puts(b, "trace      ");
	escape_name(b, path, strlen(path));
	strbuf_putc(b, '\n');
	put_host(b, trace_meta(t));
	put_time(b, t, &i);
	put_counts(b, trace_meta(t), &i);
	table_deinit(&i.processes);
}

int session_info(const struct options *o)
{
	struct strbuf b = {0};
	int status = 0;

	for (size_t i = 0; i < o->traces.n; i++) {
		if (i)
			strbuf_putc(&b, '\n');
		put_trace(&b, o->read_traces.v[i], o->traces.v[i]);
	}
	for (size_t done = 0; done < b.len && !status;) {
		ssize_t n = write(STDOUT_FILENO, b.data + done, b.len - done);

		if (n < 0 && errno != EINTR) {
			msg_errno("standard output");
			status = 1;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	strbuf_deinit(&b);
	return status;
}
