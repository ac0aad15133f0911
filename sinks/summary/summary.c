/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "sinks/json/json_text.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/summary/path_key.h"
#include "sinks/threads.h"
#include "unwind.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"
#include "util/utf8.h"
#include "util/vec.h"

/*
 * Bound of a table's rows. If the table is full, a new row takes the place of the smallest of a
 * few rows, so that rows that take much time stay.
 */
#define ENTRIES_MAX 4096
#define CANDIDATES  8
#define OTHERS	    "(others)"
/* Two stacks or paths that agree in so many bytes share a row. C++ names make long stacks. */
#define KEY_MAX 8192

/*
 * A histogram of latencies in nanoseconds. Each octave has 2^SUB_BITS buckets, so that
 * percentiles are right within 3%. The last octave contains everything from 73 minutes on.
 */
#define SUB_BITS 4
#define OCTAVES	 42
#define BUCKETS	 ((OCTAVES - SUB_BITS + 1) << SUB_BITS)

struct histogram {
	uint32_t buckets[BUCKETS];
};

struct entry {
	uint64_t hash;
	unsigned abi;
	uint64_t nr; /* by syscall its number, otherwise the order of appearance */
	char *name;
	char comm[16]; /* by thread and process */
	uint64_t calls, errors;
	uint64_t total, min, max;		 /* nanoseconds, of the kind that -w chooses */
	uint64_t wall_total, wall_min, wall_max; /* ns */
	struct histogram *histogram;		 /* of wall times, or NULL if no column needs it */
};

/* A process's name, which is that of its first thread. */
struct leader {
	char comm[16];
};

struct summary {
	struct sink base;
	struct summary_config config;
	bool percentiles;
	VEC(struct entry) entries;
	struct table by_name;	/* of 1 + index into entries */
	struct threads leaders; /* by process: struct leader, for the names */
	size_t hand;		/* where the next rows that may be replaced are */
	struct strbuf key;
};

static const struct {
	const char *name;
	enum summary_column column;
} column_names[] = {
	{"time-percent", SUMMARY_TIME_PERCENT},
	{"time", SUMMARY_TIME_PERCENT},
	{"total-time", SUMMARY_TOTAL_TIME},
	{"time-total", SUMMARY_TOTAL_TIME},
	{"min-time", SUMMARY_MIN_TIME},
	{"shortest", SUMMARY_MIN_TIME},
	{"time-min", SUMMARY_MIN_TIME},
	{"max-time", SUMMARY_MAX_TIME},
	{"longest", SUMMARY_MAX_TIME},
	{"time-max", SUMMARY_MAX_TIME},
	{"avg-time", SUMMARY_AVG_TIME},
	{"time-avg", SUMMARY_AVG_TIME},
	{"wall-total", SUMMARY_WALL_TOTAL},
	{"total-wall", SUMMARY_WALL_TOTAL},
	{"wall-min", SUMMARY_WALL_MIN},
	{"min-wall", SUMMARY_WALL_MIN},
	{"wall-max", SUMMARY_WALL_MAX},
	{"max-wall", SUMMARY_WALL_MAX},
	{"wall-avg", SUMMARY_WALL_AVG},
	{"avg-wall", SUMMARY_WALL_AVG},
	{"calls", SUMMARY_CALLS},
	{"count", SUMMARY_CALLS},
	{"errors", SUMMARY_ERRORS},
	{"error", SUMMARY_ERRORS},
	{"p50", SUMMARY_P50},
	{"p90", SUMMARY_P90},
	{"p99", SUMMARY_P99},
	{"name", SUMMARY_NAME},
	{"syscall", SUMMARY_NAME},
	{"syscall-name", SUMMARY_NAME},
	{"nothing", SUMMARY_NOTHING},
	{"none", SUMMARY_NOTHING},
};

/* Columns' names may be written with underscores or dashes. */
static bool same_column_name(const char *known, const char *name)
{
	while (*known && (*known == *name || (*known == '-' && *name == '_')))
		known++, name++;
	return *known == *name;
}

int summary_column_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(column_names); i++) {
		if (same_column_name(column_names[i].name, name))
			return column_names[i].column;
	}
	return -1;
}

void summary_config_init(struct summary_config *config)
{
	*config = (struct summary_config){
		.columns = {SUMMARY_TIME_PERCENT, SUMMARY_TOTAL_TIME, SUMMARY_AVG_TIME,
			    SUMMARY_CALLS, SUMMARY_ERRORS, SUMMARY_NAME},
		.column_count = 6,
		.sort_by = SUMMARY_TIME_PERCENT,
	};
}

void summary_config_columns_all(struct summary_config *config)
{
	config->column_count = 0;
	for (enum summary_column c = 0; c < SUMMARY_COLUMNS; c++)
		if (c < SUMMARY_P50 || c > SUMMARY_P99)
			config->columns[config->column_count++] = c;
}

/* Adding up */

static unsigned bucket_of(uint64_t ns)
{
	unsigned octave;

	if (ns < 1 << SUB_BITS)
		return ns;
	octave = 63 - __builtin_clzll(ns);
	if (octave >= OCTAVES)
		return BUCKETS - 1;
	return ((octave - SUB_BITS + 1) << SUB_BITS) +
	       (ns >> (octave - SUB_BITS) & ((1 << SUB_BITS) - 1));
}

/* The middle of a bucket. */
static uint64_t bucket_value(unsigned bucket)
{
	unsigned shift;
	uint64_t low;

	if (bucket < 1 << SUB_BITS)
		return bucket;
	shift = (bucket >> SUB_BITS) - 1;
	low = (uint64_t)((bucket & ((1 << SUB_BITS) - 1)) | 1 << SUB_BITS) << shift;
	return low + ((uint64_t)1 << shift) / 2;
}

static uint64_t percentile(const struct entry *e, unsigned percent)
{
	uint64_t wanted = (e->calls * percent + 99) / 100, seen = 0;

	for (unsigned i = 0; e->histogram && i < BUCKETS; i++) {
		seen += e->histogram->buckets[i];
		if (seen >= wanted && seen) {
			uint64_t v = bucket_value(i);

			/* The smallest and the largest latency are known exactly. */
			return v < e->wall_min ? e->wall_min : v > e->wall_max ? e->wall_max : v;
		}
	}
	return e->wall_max;
}

static struct table_slot *slot_find(struct summary *s, uint64_t hash, const char *name,
				    unsigned abi, uint64_t nr)
{
	struct table_slot *slot = NULL;

	while ((slot = table_find(&s->by_name, hash, slot))) {
		const struct entry *e = &s->entries.v[slot->value - 1];

		/*
		 * i386 has socket(2) and also socket through socketcall(2). They have two rows,
		 * as in strace.
		 */
		if (e->abi == abi && !strcmp(e->name, name) &&
		    (e->nr == nr || s->config.by != SUMMARY_BY_SYSCALL))
			break;
	}
	return slot;
}

static void entry_add(struct entry *total, const struct entry *e)
{
	if (!total->calls || e->min < total->min)
		total->min = e->min;
	if (!total->calls || e->wall_min < total->wall_min)
		total->wall_min = e->wall_min;
	if (e->max > total->max)
		total->max = e->max;
	if (e->wall_max > total->wall_max)
		total->wall_max = e->wall_max;
	total->calls += e->calls;
	total->errors += e->errors;
	total->total += e->total;
	total->wall_total += e->wall_total;
	for (unsigned i = 0; total->histogram && e->histogram && i < BUCKETS; i++)
		total->histogram->buckets[i] += e->histogram->buckets[i];
}

static struct entry *entry_new(struct summary *s, uint64_t hash, const char *name, unsigned abi,
			       uint64_t nr)
{
	struct entry *e = vec_push(&s->entries);

	*e = (struct entry){.hash = hash, .abi = abi, .nr = nr, .name = mem_strdup(name)};
	if (s->percentiles)
		e->histogram = mem_zalloc(sizeof(*e->histogram));
	return e;
}

static struct entry *others(struct summary *s, unsigned abi)
{
	uint64_t hash = table_hash(OTHERS, strlen(OTHERS));
	const struct table_slot *slot = slot_find(s, hash, OTHERS, abi, UINT64_MAX);

	if (slot)
		return &s->entries.v[slot->value - 1];
	table_add(&s->by_name, hash, s->entries.n + 1);
	return entry_new(s, hash, OTHERS, abi, UINT64_MAX);
}

/* Adds a row to the row of others and removes it from the table. The new row takes its memory. */
static struct entry *entry_evict(struct summary *s)
{
	size_t least = SIZE_MAX, index;
	struct entry *e, *to;

	for (unsigned i = 0; i < CANDIDATES; i++) {
		index = s->hand++ % ENTRIES_MAX;
		e = &s->entries.v[index];
		if (e->nr != UINT64_MAX &&
		    (least == SIZE_MAX || e->wall_total < s->entries.v[least].wall_total))
			least = index;
	}
	if (least == SIZE_MAX)
		return NULL;
	/* May move the entries. */
	to = others(s, s->entries.v[least].abi);
	e = &s->entries.v[least];
	entry_add(to, e);
	table_remove(&s->by_name, slot_find(s, e->hash, e->name, e->abi, e->nr));
	return e;
}

static struct entry *entry_find(struct summary *s, const char *name, unsigned abi, uint64_t nr)
{
	uint64_t hash = table_hash(name, strlen(name));
	const struct table_slot *slot = slot_find(s, hash, name, abi, nr);
	struct histogram *histogram;
	struct entry *e;

	if (slot)
		return &s->entries.v[slot->value - 1];
	if (s->entries.n < ENTRIES_MAX) {
		e = entry_new(s, hash, name, abi, nr);
	} else {
		e = entry_evict(s);
		if (!e)
			return others(s, abi);
		histogram = e->histogram;
		if (histogram)
			*histogram = (struct histogram){0};
		free(e->name);
		*e = (struct entry){.hash = hash,
				    .abi = abi,
				    .nr = nr,
				    .name = mem_strdup(name),
				    .histogram = histogram};
	}
	table_add(&s->by_name, hash, e - s->entries.v + 1);
	return e;
}

static struct entry *entry_of_process(struct summary *s, const struct event *of, pid_t pid)
{
	const struct leader *leader;
	char name[16];
	struct entry *e;

	snprintf(name, sizeof(name), "%d", (int)pid);
	e = entry_find(s, name, 0, s->entries.n);
	if (!strcmp(e->name, OTHERS))
		return e;
	/* execve changes the name. The last known one is shown. */
	if (of->comm[0] && pid == of->tid) {
		memcpy(e->comm, of->comm, sizeof(e->comm));
	} else if (!e->calls) {
		/*
		 * If the leader is not traced, its name is not known, and a thread's name is
		 * shown.
		 */
		leader = threads_find(&s->leaders, pid);
		memcpy(e->comm, leader ? leader->comm : of->comm, sizeof(e->comm));
	}
	return e;
}

static void summary_thread_begin(struct sink *sink, const struct event *e)
{
	struct summary *s = container_of(sink, struct summary, base);
	struct leader *leader;

	if (s->config.by != SUMMARY_BY_PROCESS || e->tid != e->tgid || !e->comm[0])
		return;
	leader = threads_find(&s->leaders, e->tid);
	if (!leader) {
		leader = mem_zalloc(sizeof(*leader));
		threads_add(&s->leaders, e->tid, leader);
	}
	memcpy(leader->comm, e->comm, sizeof(leader->comm));
}

static void summary_thread_end(struct sink *sink, const struct event *e)
{
	struct summary *s = container_of(sink, struct summary, base);

	free(threads_remove(&s->leaders, e->tid));
}

/* leaf;caller;…;main */
static void key_stack(struct summary *s, struct stack *stack)
{
	const struct frame *f;
	size_t n;

	if (!stack || !s->base.unwinder) {
		strbuf_puts(&s->key, "(no stack)");
		return;
	}
	f = stack_frames(s->base.unwinder, stack, &n);
	frames_line(&s->key, f, n);
}

static struct entry *entry_of(struct summary *s, const struct syscall_event *e)
{
	if (s->config.by == SUMMARY_BY_SYSCALL)
		return entry_find(s, e->name, e->abi ? e->abi->index : 0, e->set_nr);
	s->key.len = 0;
	switch (s->config.by) {
	case SUMMARY_BY_STACK:
		key_stack(s, e->stack);
		break;
	case SUMMARY_BY_THREAD:
		return entry_of_process(s, &e->base, e->base.tid);
	case SUMMARY_BY_PROCESS:
		return entry_of_process(s, &e->base, e->base.tgid);
	default:
		path_key(&s->key, e);
		break;
	}
	s->key.len = size_min(s->key.len, KEY_MAX);
	return entry_find(s, strbuf_str(&s->key), 0, s->entries.n);
}

static uint64_t take_off(uint64_t ns, uint64_t overhead)
{
	return ns > overhead ? ns - overhead : 0;
}

static void summary_exit(struct sink *sink, const struct syscall_event *e)
{
	struct summary *s = container_of(sink, struct summary, base);
	uint64_t wall, time;
	struct entry *n;

	if (e->ret_kind == RET_NONE)
		return; /* its end was not seen */
	n = entry_of(s, e);
	wall = take_off(timespec_ns(e->duration), s->config.overhead_ns);
	time = s->config.wall_clock ? wall : take_off(timespec_ns(e->stime), s->config.overhead_ns);
	if (!n->calls || wall < n->wall_min)
		n->wall_min = wall;
	if (!n->calls || time < n->min)
		n->min = time;
	if (wall > n->wall_max)
		n->wall_max = wall;
	if (time > n->max)
		n->max = time;
	n->wall_total += wall;
	n->total += time;
	n->calls++;
	n->errors += e->ret_kind == RET_ERROR || e->ret_kind == RET_RESTART;
	if (n->histogram)
		n->histogram->buckets[bucket_of(wall)]++;
}

/* Printing tables */

static uint64_t average(uint64_t total, uint64_t calls)
{
	return calls ? total / calls : 0;
}

static uint64_t sort_value(const struct entry *e, enum summary_column column)
{
	switch (column) {
	case SUMMARY_MIN_TIME:
		return e->min;
	case SUMMARY_MAX_TIME:
		return e->max;
	case SUMMARY_AVG_TIME:
		return average(e->total, e->calls);
	case SUMMARY_WALL_TOTAL:
		return e->wall_total;
	case SUMMARY_WALL_MIN:
		return e->wall_min;
	case SUMMARY_WALL_MAX:
		return e->wall_max;
	case SUMMARY_WALL_AVG:
		return average(e->wall_total, e->calls);
	case SUMMARY_CALLS:
		return e->calls;
	case SUMMARY_ERRORS:
		return e->errors;
	case SUMMARY_P50:
		return percentile(e, 50);
	case SUMMARY_P90:
		return percentile(e, 90);
	case SUMMARY_P99:
		return percentile(e, 99);
	default:
		return e->total;
	}
}

static int compare(const void *a, const void *b, void *config)
{
	const struct entry *x = a, *y = b;
	enum summary_column by = ((const struct summary_config *)config)->sort_by;
	uint64_t vx, vy;
	int c;

	if (x->abi != y->abi)
		return x->abi < y->abi ? -1 : 1;
	if (by == SUMMARY_NAME) {
		c = strcmp(x->name, y->name);
		if (c)
			return c;
	} else if (by != SUMMARY_NOTHING) {
		vx = sort_value(x, by);
		vy = sort_value(y, by);
		if (vx != vy)
			return vx > vy ? -1 : 1;
	}
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static const struct {
	const char *title;
	int width;
} columns[SUMMARY_COLUMNS] = {
	[SUMMARY_TIME_PERCENT] = {"% time", 6},
	[SUMMARY_TOTAL_TIME] = {"seconds", 11},
	[SUMMARY_MIN_TIME] = {"shortest", 8},
	[SUMMARY_MAX_TIME] = {"longest", 8},
	[SUMMARY_AVG_TIME] = {"usecs/call", 11},
	[SUMMARY_WALL_TOTAL] = {"wall-total", 11},
	[SUMMARY_WALL_MIN] = {"wall-min", 8},
	[SUMMARY_WALL_MAX] = {"wall-max", 8},
	[SUMMARY_WALL_AVG] = {"wall-avg", 11},
	[SUMMARY_CALLS] = {"calls", 9},
	[SUMMARY_ERRORS] = {"errors", 9},
	[SUMMARY_P50] = {"p50", 8},
	[SUMMARY_P90] = {"p90", 8},
	[SUMMARY_P99] = {"p99", 8},
	[SUMMARY_NAME] = {"syscall", 16},
};

static const char *const name_titles[] = {"syscall", "stack", "thread", "process", "path"};

struct sheet {
	const struct summary_config *config;
	int name_width;
	uint64_t all; /* the time that is 100%, in nanoseconds */
	bool zero;    /* all times so far are zero */
	struct strbuf out;
};

static void put_dashes(struct strbuf *out, int n)
{
	while (n-- > 0)
		strbuf_putc(out, '-');
}

/*
 * Tracees choose these names. Control characters in them would break the table or command a
 * terminal; they become question marks, and so do bytes that are not UTF-8.
 */
static void put_name(struct strbuf *out, const char *name, const char *comm, int width)
{
	const char *parts[] = {name, *comm ? " " : "", comm};
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *p = parts[i], *end = p + strlen(p);

		while (p < end) {
			unsigned len = utf8_printable(p, end - p);

			strbuf_add(out, len ? p : "?", len ? len : 1);
			p += len ? len : 1;
			n += len ? len : 1;
		}
	}
	for (; n < width; n++)
		strbuf_putc(out, ' ');
}

static void put_separator(struct sheet *t, unsigned i)
{
	if (i)
		strbuf_putc(&t->out, ' ');
}

static void put_head(struct sheet *t)
{
	const struct summary_config *c = t->config;

	for (unsigned i = 0; i < c->column_count; i++) {
		put_separator(t, i);
		if (c->columns[i] == SUMMARY_NAME)
			put_name(&t->out, name_titles[c->by], "",
				 i + 1 < c->column_count ? t->name_width : 0);
		else
			strbuf_printf(&t->out, "%*s", columns[c->columns[i]].width,
				      columns[c->columns[i]].title);
	}
	strbuf_putc(&t->out, '\n');
}

static void put_rule(struct sheet *t)
{
	const struct summary_config *c = t->config;

	for (unsigned i = 0; i < c->column_count; i++) {
		put_separator(t, i);
		put_dashes(&t->out, c->columns[i] == SUMMARY_NAME ? t->name_width
								  : columns[c->columns[i]].width);
	}
	strbuf_putc(&t->out, '\n');
}

static void put_cell(struct sheet *t, const struct entry *e, unsigned i)
{
	enum summary_column column = t->config->columns[i];
	uint64_t v = sort_value(e, column);
	int width = columns[column].width;

	switch (column) {
	case SUMMARY_NAME:
		put_name(&t->out, e->name, e->comm,
			 i + 1 < t->config->column_count ? t->name_width : 0);
		break;
	case SUMMARY_TIME_PERCENT:
		strbuf_printf(&t->out, "%*.2f", width, t->all ? 100.0 * v / t->all : 0.0);
		break;
	case SUMMARY_AVG_TIME:
	case SUMMARY_WALL_AVG:
		strbuf_printf(&t->out, "%*llu", width, (unsigned long long)v / 1000);
		break;
	case SUMMARY_CALLS:
		strbuf_printf(&t->out, "%*llu", width, (unsigned long long)v);
		break;
	case SUMMARY_ERRORS:
		strbuf_printf(&t->out, v ? "%*llu" : "%*.0llu", width, (unsigned long long)v);
		break;
	default:
		strbuf_printf(&t->out, "%*.6f", width, v / 1e9);
		break;
	}
}

static void put_row(struct sheet *t, const struct entry *e)
{
	for (unsigned i = 0; i < t->config->column_count; i++) {
		put_separator(t, i);
		put_cell(t, e, i);
	}
	strbuf_putc(&t->out, '\n');
}

/* Rows for programs: JSON and CSV. Times are seconds, and columns have the names of -U. */

static void put_key(struct strbuf *b, enum summary_column column)
{
	size_t i = 0;

	while (column_names[i].column != column)
		i++;
	for (const char *p = column_names[i].name; *p; p++)
		strbuf_putc(b, *p == '-' ? '_' : *p);
}

static void put_number(struct sheet *t, const struct entry *e, enum summary_column column)
{
	uint64_t v = sort_value(e, column);

	if (column == SUMMARY_TIME_PERCENT)
		strbuf_printf(&t->out, "%.2f", t->all ? 100.0 * v / t->all : 0.0);
	else if (column == SUMMARY_CALLS || column == SUMMARY_ERRORS)
		strbuf_udec(&t->out, v);
	else
		strbuf_printf(&t->out, "%llu.%09llu", (unsigned long long)v / NSEC_PER_SEC,
			      (unsigned long long)v % NSEC_PER_SEC);
}

static void put_object(struct sheet *t, const struct entry *e)
{
	const struct summary_config *c = t->config;
	struct strbuf *b = &t->out;

	strbuf_puts(b, "{\"type\":\"summary\",\"by\":\"");
	strbuf_puts(b, name_titles[c->by]);
	if (c->by == SUMMARY_BY_SYSCALL) {
		strbuf_puts(b, "\",\"abi\":\"");
		strbuf_puts(b, abis[e->abi].name);
	}
	strbuf_puts(b, "\",");
	json_text_member(b, "name", e->name, strlen(e->name));
	if (e->comm[0]) {
		strbuf_putc(b, ',');
		json_text_member(b, "comm", e->comm, strnlen(e->comm, sizeof(e->comm)));
	}
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME)
			continue;
		strbuf_puts(b, ",\"");
		put_key(b, c->columns[i]);
		strbuf_puts(b, "\":");
		put_number(t, e, c->columns[i]);
	}
	strbuf_puts(b, "}\n");
}

/* RFC 4180: quotes are doubled. What cannot be shown is a question mark, as in the table. */
static void put_csv_text(struct strbuf *b, const char *text)
{
	struct strbuf shown = {0};

	put_name(&shown, text, "", 0);
	strbuf_putc(b, '"');
	for (size_t i = 0; i < shown.len; i++) {
		if (shown.data[i] == '"')
			strbuf_putc(b, '"');
		strbuf_putc(b, shown.data[i]);
	}
	strbuf_putc(b, '"');
	strbuf_deinit(&shown);
}

static void put_csv_head(struct sheet *t)
{
	const struct summary_config *c = t->config;

	strbuf_puts(&t->out, "by,abi,name,comm");
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME)
			continue;
		strbuf_putc(&t->out, ',');
		put_key(&t->out, c->columns[i]);
	}
	strbuf_puts(&t->out, "\r\n");
}

static void put_csv(struct sheet *t, const struct entry *e)
{
	const struct summary_config *c = t->config;
	char comm[sizeof(e->comm) + 1] = "";

	memcpy(comm, e->comm, sizeof(e->comm));
	strbuf_puts(&t->out, name_titles[c->by]);
	strbuf_putc(&t->out, ',');
	if (c->by == SUMMARY_BY_SYSCALL)
		strbuf_puts(&t->out, abis[e->abi].name);
	strbuf_putc(&t->out, ',');
	put_csv_text(&t->out, e->name);
	strbuf_putc(&t->out, ',');
	put_csv_text(&t->out, comm);
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME)
			continue;
		strbuf_putc(&t->out, ',');
		put_number(t, e, c->columns[i]);
	}
	strbuf_puts(&t->out, "\r\n");
}

/* A row in the format that is asked for. */
static void put_entry(struct sheet *t, const struct entry *e)
{
	if (t->config->format == SUMMARY_JSON)
		put_object(t, e);
	else if (t->config->format == SUMMARY_CSV)
		put_csv(t, e);
	else
		put_row(t, e);
}

/* Prints the table of one ABI. */
static void put_table(struct sheet *t, struct entry *entries, size_t n)
{
	struct histogram *h = entries->histogram ? mem_zalloc(sizeof(*h)) : NULL;
	struct entry total = {.name = (char *)"total", .histogram = h};
	struct entry rest = {.name = (char *)OTHERS,
			     .histogram = h ? mem_zalloc(sizeof(*h)) : NULL};
	uint64_t top = t->config->top, shown = 0;
	bool table = t->config->format == SUMMARY_TABLE;

	t->name_width = columns[SUMMARY_NAME].width;
	for (size_t i = 0; i < n; i++) {
		int width = strlen(entries[i].name) + 1;

		entry_add(&total, &entries[i]);
		/* Stacks and paths are wider than any column. */
		if (width > t->name_width && t->config->by == SUMMARY_BY_SYSCALL)
			t->name_width = width;
	}
	t->all = total.total;
	t->zero &= !t->all;
	if (table) {
		put_head(t);
		put_rule(t);
	}
	for (size_t i = 0; i < n; i++) {
		/* What did not fit into the table is no row of its own. */
		if (top && (shown == top || entries[i].nr == UINT64_MAX)) {
			entry_add(&rest, &entries[i]);
		} else {
			put_entry(t, &entries[i]);
			shown++;
		}
	}
	rest.abi = entries->abi;
	if (rest.calls)
		put_entry(t, &rest);
	/* The total is 100% even if it is zero. */
	if (!t->all)
		t->all = total.total = 1;
	if (table) {
		put_rule(t);
		put_row(t, &total);
	}
	free(rest.histogram);
	free(h);
}

static int summary_end(struct sink *sink)
{
	struct summary *s = container_of(sink, struct summary, base);
	struct leader *leader;
	struct sheet t = {.config = &s->config, .zero = true};
	size_t n, i;
	int rc = 0;

	if (s->entries.n)
		qsort_r(s->entries.v, s->entries.n, sizeof(*s->entries.v), compare, &s->config);
	if (s->config.format == SUMMARY_CSV)
		put_csv_head(&t);
	for (i = 0; i < s->entries.n; i += n) {
		struct entry *first = &s->entries.v[i];

		for (n = 1; i + n < s->entries.n && first[n].abi == first->abi;)
			n++;
		if (first->abi != abi_native()->index && s->config.format == SUMMARY_TABLE)
			strbuf_printf(&t.out, "System call usage summary for %s mode:\n",
				      abis[first->abi].personality);
		put_table(&t, first, n);
	}
	if (s->config.hint && s->entries.n && t.zero)
		strbuf_printf(&t.out,
			      "%s: too little CPU time to be counted; -w adds up how long calls "
			      "took\n",
			      msg_program());
	if (t.out.len)
		rc = s->config.write(s->config.ctx, t.out.data, t.out.len);
	strbuf_deinit(&t.out);
	vec_for_each (&s->entries, e) {
		free(e->name);
		free(e->histogram);
	}
	vec_deinit(&s->entries);
	strbuf_deinit(&s->key);
	while ((leader = threads_take(&s->leaders)))
		free(leader);
	threads_deinit(&s->leaders);
	table_deinit(&s->by_name);
	free(s);
	return rc;
}

static const struct sink_ops summary_ops = {
	.exit = summary_exit,
	.thread_begin = summary_thread_begin,
	.thread_end = summary_thread_end,
	.end = summary_end,
};

unsigned summary_sink_wants(const struct summary_config *config)
{
	unsigned wants = WANTS_TIMES | WANTS_CPU_TIMES | WANTS_COMM;

	if (config->by == SUMMARY_BY_PROCESS)
		wants |= WANTS_TGID;
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
	for (unsigned i = 0; i < config->column_count; i++)
		s->percentiles |=
			config->columns[i] >= SUMMARY_P50 && config->columns[i] <= SUMMARY_P99;
	s->percentiles |= config->sort_by >= SUMMARY_P50 && config->sort_by <= SUMMARY_P99;
	return &s->base;
}
