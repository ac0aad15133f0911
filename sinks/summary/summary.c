/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/summary/fields.h"
#include "sinks/summary/path_key.h"
#include "sinks/summary/record.h"
#include "sinks/summary/rows.h"
#include "sinks/summary/sheet.h"
#include "sinks/summary/tree.h"
#include "sinks/threads.h"
#include "unwind.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

/*
 * Maximum length of a stack or path in bytes. Stacks or paths with the same first KEY_MAX bytes
 * share a row. C++ names make stacks long.
 */
#define KEY_MAX 8192
/* Syscall number in rows of events that are not syscalls. */
#define NO_SYSCALL (UINT64_MAX - 1)

/* The name and command line of a process. The name is the comm of its first thread. */
struct leader {
	char comm[16];
	struct foreign command;
};

struct summary {
	struct sink base;
	struct summary_config config;
	struct summary_rows rows;
	struct threads leaders; /* keys are pids, values are struct leader */
	struct strbuf key;
	uint64_t lost; /* number of events that are missing from the rows */
};

static void leader_free(struct leader *leader)
{
	if (!leader)
		return;
	foreign_replace(&leader->command, foreign(NULL));
	free(leader);
}

/* Returns the entry of the process whose first thread is `tid`. */
static struct leader *leader_of(struct summary *s, pid_t tid)
{
	struct leader *leader = threads_find(&s->leaders, tid);

	if (!leader) {
		leader = mem_zalloc(sizeof(*leader));
		threads_add(&s->leaders, tid, leader);
	}
	return leader;
}

/* Stores the name of a process if the event belongs to its first thread. */
static void learn_name(struct summary *s, const struct event *e)
{
	if (e->tid == e->tgid && e->comm[0])
		memcpy(leader_of(s, e->tid)->comm, e->comm, sizeof(e->comm));
}

static struct summary_row *entry_of_process(struct summary *s, const struct event *of, pid_t pid)
{
	const struct leader *leader;
	char name[16];
	struct summary_row *e;

	snprintf(name, sizeof(name), "%d", (int)pid);
	e = summary_rows_find(&s->rows, name, 0, s->rows.rows.n);
	if (summary_row_is_others(e))
		return e;
	leader = threads_find(&s->leaders, pid);
	if (!e->calls && leader)
		foreign_replace(&e->command, leader->command);
	/* execve changes the name of a process. Show its latest name. */
	if (of->comm[0] && pid == of->tid) {
		memcpy(e->comm, of->comm, sizeof(e->comm));
	} else if (!e->calls) {
		/*
		 * If the leader is not traced, its name is unknown. Show the name of one of its
		 * threads instead.
		 */
		memcpy(e->comm, leader ? leader->comm : of->comm, sizeof(e->comm));
	}
	return e;
}

static void summary_thread_begin(struct sink *sink, const struct event *e)
{
	struct summary *s = container_of(sink, struct summary, base);

	if (s->config.by == SUMMARY_BY_PROCESS || s->config.by == SUMMARY_BY_STACK)
		learn_name(s, e);
}

static void summary_thread_end(struct sink *sink, const struct event *e)
{
	struct summary *s = container_of(sink, struct summary, base);

	leader_free(threads_remove(&s->leaders, e->tid));
}

static void summary_process_command(struct sink *sink, const struct event *e,
				    struct foreign command)
{
	struct summary *s = container_of(sink, struct summary, base);
	struct summary_row *row;
	char name[16];

	if (s->config.by != SUMMARY_BY_PROCESS)
		return;
	foreign_replace(&leader_of(s, e->tgid)->command, command);
	snprintf(name, sizeof(name), "%d", (int)e->tgid);
	row = summary_rows_get(&s->rows, name);
	if (row)
		foreign_replace(&row->command, command);
}

/* Truncates a long name. A stack is truncated at the end of a frame. */
static void cut_key(struct strbuf *key, size_t max, bool is_stack)
{
	const char *semicolon;

	if (key->len <= max)
		return;
	semicolon = is_stack ? memrchr(key->data, ';', max) : NULL;
	key->len = semicolon ? (size_t)(semicolon - key->data) : max;
}

/*
 * Appends the name of the program: the comm of the process's first thread. For a successful execve,
 * this is the name before the call.
 */
static void put_program(struct summary *s, const struct event *e)
{
	char name[sizeof(e->comm) + 1] = "";
	const struct leader *leader;

	learn_name(s, e);
	leader = threads_find(&s->leaders, e->tgid);
	memcpy(name, leader ? leader->comm : e->comm, sizeof(e->comm));
	if (e->kind != EVENT_OTHER && event_syscall(e)->called_by[0])
		memcpy(name, event_syscall(e)->called_by, sizeof(e->comm));
	frame_word(&s->key, name[0] ? name : "?");
}

/* Builds the key "leaf;caller;…;main;program". */
static void key_stack(struct summary *s, const struct event *e)
{
	const struct frame *f;
	size_t n;

	if (!e->stack || !s->base.unwinder) {
		strbuf_puts(&s->key, "(no stack)");
	} else {
		f = stack_frames(s->base.unwinder, e->stack, &n);
		frames_line(&s->key, f, n);
		cut_key(&s->key, KEY_MAX, true);
	}
	strbuf_putc(&s->key, ';');
	put_program(s, e);
}

/*
 * Returns the row for an event in a summary by syscall. Events that are not syscalls have rows for
 * their own names. Requests of an io_uring have rows such as "io_uring:openat".
 */
static struct summary_row *entry_of_name(struct summary *s, const struct event *e)
{
	const struct syscall_event *call;

	if (e->request) {
		s->key.len = 0;
		strbuf_printf(&s->key, "%s:%s", e->source, e->name);
		return summary_rows_find(&s->rows, strbuf_str(&s->key), e->abi, NO_SYSCALL);
	}
	if (unlikely(e->kind == EVENT_OTHER))
		return summary_rows_find(&s->rows, e->name, e->abi, NO_SYSCALL);
	call = event_syscall(e);
	return summary_rows_find(&s->rows, e->name, call->abi ? call->abi->index : 0, call->set_nr);
}

static struct summary_row *entry_of(struct summary *s, const struct event *e)
{
	if (s->config.by == SUMMARY_BY_SYSCALL)
		return entry_of_name(s, e);
	s->key.len = 0;
	switch (s->config.by) {
	case SUMMARY_BY_STACK:
		key_stack(s, e);
		break;
	case SUMMARY_BY_THREAD:
		return entry_of_process(s, e, e->tid);
	case SUMMARY_BY_PROCESS:
		return entry_of_process(s, e, e->tgid);
	case SUMMARY_BY_FIELDS:
		fields_put_key(&s->key, s->config.group, e, s->base.unwinder);
		break;
	default:
		path_key(&s->key, e);
		break;
	}
	if (s->config.by != SUMMARY_BY_STACK)
		cut_key(&s->key, KEY_MAX, false);
	return summary_rows_find(&s->rows, strbuf_str(&s->key), 0, s->rows.rows.n);
}

static uint64_t take_off(uint64_t ns, uint64_t overhead)
{
	return ns > overhead ? ns - overhead : 0;
}

/* Counts an event with its elapsed time and, for a syscall, its system CPU time. */
static void count(struct summary *s, const struct event *e, uint64_t wall, uint64_t cpu)
{
	struct summary_row *n = entry_of(s, e);
	const uint64_t time = s->config.wall_clock ? wall : cpu;

	time_sum_add(&n->wall, (struct time_sum){wall, wall, wall}, !n->calls);
	time_sum_add(&n->time, (struct time_sum){time, time, time}, !n->calls);
	n->calls++;
	n->errors += e->ret_kind == RET_ERROR || e->ret_kind == RET_RESTART;
	if (n->histogram)
		histogram_count(n->histogram, wall);
	if (unlikely(s->config.sum || s->config.hist))
		fields_add(n, s->config.sum, s->config.hist, e);
}

static void count_call(struct summary *s, const struct syscall_event *e)
{
	const uint64_t overhead = s->config.overhead_ns;

	if (e->base.ret_kind == RET_NONE)
		return; /* tracer did not see the return of the call */
	count(s, &e->base, take_off(timespec_ns(e->base.duration), overhead),
	      take_off(e->cpu_ns, overhead));
}

/* Adds calls that the engine has counted. */
static void add_counts(struct summary *s, const struct counts_event *e)
{
	struct syscall_event call = e->call;
	struct summary_row *n;

	call.base.kind = EVENT_SYSCALL;
	n = entry_of(s, &call.base);
	time_sum_add(&n->wall, e->wall, !n->calls);
	time_sum_add(&n->time, s->config.wall_clock ? e->wall : e->cpu, !n->calls);
	n->calls += e->calls;
	n->errors += e->errors;
	for (unsigned i = 0; n->octaves && i < e->noctaves; i++)
		n->octaves->counts[i] += e->octaves[i];
}

static void summary_event(struct sink *sink, const struct event *e)
{
	struct summary *s = container_of(sink, struct summary, base);

	switch (e->kind) {
	case EVENT_SYSCALL:
		count_call(s, event_syscall(e));
		break;
	case EVENT_UNFINISHED:
		count(s, e, timespec_ns(e->duration), 0);
		break;
	case EVENT_OTHER:
		count(s, e, e->has_duration ? timespec_ns(e->duration) : 0, 0);
		break;
	case EVENT_COUNTS:
		add_counts(s, container_of(e, const struct counts_event, call.base));
		break;
	case EVENT_LOST:
		s->lost += event_lost(e)->count;
		break;
	default:
		break;
	}
}

/* Printing */

/* Writes rows in the selected format. In a table, rows with stacks are written as a tree. */
static void put_rows(struct sheet *t, const struct summary_row *rows, size_t n)
{
	if (t->config->format == SUMMARY_TABLE && t->config->by == SUMMARY_BY_STACK) {
		tree_put(t, rows, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (t->config->format == SUMMARY_TABLE)
			sheet_row(t, &rows[i]);
		else
			record_put(t, &rows[i]);
}

static int name_width(const struct summary_config *config, const struct summary_row *rows, size_t n)
{
	int width = summary_headings[SUMMARY_NAME].width;

	/*
	 * Only names of syscalls can widen the column. Stacks and paths are longer than any column.
	 */
	for (size_t i = 0; i < n && config->by == SUMMARY_BY_SYSCALL; i++)
		if ((int)strlen(rows[i].name) + 1 > width)
			width = (int)strlen(rows[i].name) + 1;
	return width;
}

/*
 * Returns how many of the n rows to show individually; with --top, the others are added up. With
 * --top or in a summary by stack, moves the row "(others)" to the end and does not show it
 * individually.
 */
static size_t rows_shown(const struct summary_config *config, struct summary_row *rows, size_t n)
{
	size_t others = 0, top = config->top;

	if (!top && config->by != SUMMARY_BY_STACK)
		return n;
	while (others < n && rows[others].nr != UINT64_MAX)
		others++;
	if (others < n) {
		struct summary_row moved = rows[others];

		memmove(&rows[others], &rows[others + 1], (n - others - 1) * sizeof(*rows));
		rows[--n] = moved;
	}
	return top && top < n ? top : n;
}

/* Writes the table for one ABI. Returns the total time of its calls. */
static uint64_t put_table(struct sheet *t, struct summary_row *rows, size_t n)
{
	const bool histograms = rows->histogram, octaves = rows->octaves;
	const bool table = t->config->format == SUMMARY_TABLE;
	struct summary_row total = {.name = (char *)"total"};
	struct summary_row rest = {.name = (char *)SUMMARY_OTHERS, .abi = rows->abi};
	size_t shown = rows_shown(t->config, rows, n);
	uint64_t time;

	if (histograms) {
		total.histogram = mem_zalloc(sizeof(*total.histogram));
		rest.histogram = mem_zalloc(sizeof(*rest.histogram));
	}
	if (octaves) {
		total.octaves = mem_zalloc(sizeof(*total.octaves));
		rest.octaves = mem_zalloc(sizeof(*rest.octaves));
	}
	for (size_t i = 0; i < n; i++)
		summary_row_add(&total, &rows[i]);
	for (size_t i = shown; i < n; i++)
		summary_row_add(&rest, &rows[i]);
	t->name_width = name_width(t->config, rows, n);
	if (t->config->by == SUMMARY_BY_FIELDS)
		sheet_fit(t, rows, shown);
	t->all = time = total.time.total;
	if (table) {
		sheet_head(t);
		sheet_rule(t);
	}
	put_rows(t, rows, shown);
	if (rest.calls && table)
		sheet_row(t, &rest);
	else if (rest.calls)
		record_put(t, &rest);
	/* The total counts as 100%, even if it is zero. */
	if (!t->all)
		t->all = total.time.total = 1;
	if (table) {
		sheet_rule(t);
		sheet_row(t, &total);
	}
	for (size_t i = 0; octaves && table && i < shown; i++)
		sheet_histogram(t, &rows[i]);
	free(rest.histogram);
	free(total.histogram);
	free(rest.octaves);
	free(total.octaves);
	return time;
}

static void put_tables(struct sheet *t, const struct summary_config *config,
		       struct summary_row *rows, size_t n)
{
	uint64_t time = 0;
	size_t of_abi;

	if (n)
		qsort_r(rows, n, sizeof(*rows), summary_compare, (void *)config);
	if (config->format == SUMMARY_CSV)
		record_head(t);
	if (config->format == SUMMARY_TABLE && n)
		sheet_legend(t);
	for (size_t i = 0; i < n; i += of_abi) {
		struct summary_row *first = &rows[i];

		for (of_abi = 1; i + of_abi < n && first[of_abi].abi == first->abi;)
			of_abi++;
		if (first->abi != abis[first->abi].arch->abi && config->format == SUMMARY_TABLE)
			strbuf_printf(&t->out, "System call usage summary for %s mode:\n",
				      abis[first->abi].personality);
		time |= put_table(t, first, of_abi);
	}
	if (config->hint && n && !time)
		strbuf_printf(&t->out,
			      "%s: CPU times are too short to measure; use -w for elapsed time\n",
			      msg_program());
}

static void put_lost(struct sheet *t, uint64_t n)
{
	if (n && t->config->format == SUMMARY_TABLE)
		strbuf_printf(&t->out, "%llu event%s lost and not counted here\n",
			      (unsigned long long)n, n == 1 ? " was" : "s were");
	else if (n)
		record_put_lost(t, n);
}

static int summary_end(struct sink *sink)
{
	struct summary *s = container_of(sink, struct summary, base);
	struct sheet t = {.config = &s->config};
	struct leader *leader;
	int rc = 0;

	put_tables(&t, &s->config, s->rows.rows.v, s->rows.rows.n);
	put_lost(&t, s->lost);
	if (t.out.len)
		rc = s->config.write(s->config.ctx, t.out.data, t.out.len);
	strbuf_deinit(&t.out);
	summary_rows_deinit(&s->rows);
	strbuf_deinit(&s->key);
	while ((leader = threads_take(&s->leaders)))
		leader_free(leader);
	threads_deinit(&s->leaders);
	free(s);
	return rc;
}

static const struct sink_ops summary_ops = {
	.event = summary_event,
	.thread_begin = summary_thread_begin,
	.thread_end = summary_thread_end,
	.process_command = summary_process_command,
	.end = summary_end,
};

unsigned summary_sink_wants(const struct summary_config *config)
{
	unsigned wants = WANTS_TIMES | WANTS_CPU_TIMES | WANTS_COMM;

	if (config->by == SUMMARY_BY_PROCESS)
		wants |= WANTS_TGID | WANTS_COMMAND;
	if (config->by == SUMMARY_BY_STACK)
		wants |= WANTS_STACKS;
	return wants;
}

struct sink *summary_sink_create(const struct summary_config *config)
{
	struct summary *s = mem_zalloc(sizeof(*s));

	s->base.ops = &summary_ops;
	s->base.unwatched = true;
	s->config = *config;
	s->rows.octaves = config->hist;
	s->rows.by_number = config->by == SUMMARY_BY_SYSCALL;
	for (unsigned i = 0; i < config->column_count; i++)
		s->rows.percentiles |= summary_is_percentile(config->columns[i]);
	s->rows.percentiles |= summary_is_percentile(config->sort_by);
	return &s->base;
}
