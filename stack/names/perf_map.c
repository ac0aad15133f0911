/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/names/perf_map.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stack/files/budget.h"
#include "stack/files/file_source.h"
#include "util/bisect.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/strbuf.h"
#include "util/vec.h"

/*
 * Limit on the bytes read from all perf map files of one process. No JIT compiler writes more.
 * Without this limit, tracer could spend unlimited time on a file that grows forever or is
 * recreated repeatedly.
 */
#define TOTAL_MAX (256ull << 20)
#define KEPT_MAX  (64u << 20) /* memory limit for one map, in bytes */
/*
 * Maximum memory for one byte of the file. It includes the name and the table entry, which exists
 * twice while the table grows.
 */
#define KEPT_PER_BYTE 3
#define CODES_MAX     (1u << 21)
#define READ_SIZE     (64u << 10)
#define NAME_LENGTH   4096
/*
 * New entries are searched sequentially until their number exceeds TAIL_MAX plus 1/8 of the size of
 * the table. Then they are sorted into the table.
 */
#define TAIL_MAX 256
/*
 * Delays before the file is opened again. Opening can be slow if a process implements the file
 * system (FUSE). After a timeout, the delay is LATE_NSEC. If the descriptor refers to a copy of the
 * file, or if the file was missing and the source opens files late, the delay is COPY_FACTOR times
 * the duration of the last open.
 */
#define LATE_NSEC   1000000000ull
#define COPY_FACTOR 20

struct code {
	uint64_t start, end;
	const char *name;
	uint32_t order;
};

struct perf_map {
	unsigned refs;
	pid_t tgid;
	struct file_source *source;
	int fd;
	bool copy; /* true if fd is a copy of the file, because its file system is slow */
	struct timespec next;	 /* earliest time to open the file again (CLOCK_MONOTONIC) */
	uint64_t read;		 /* number of bytes read from this file */
	uint64_t total;		 /* number of bytes read, including those from earlier files */
	struct strbuf rest;	 /* the incomplete last line */
	VEC(struct code) sorted; /* sorted by address, without overlaps */
	VEC(struct code) tail;	 /* in file order */
	uint32_t order;
	struct arena names;
	struct budget *budget;
	uint64_t bytes; /* number of bytes charged to the budget */
};

struct perf_map *perf_map_create(pid_t tgid, struct file_source *source, struct budget *budget)
{
	struct perf_map *p = mem_zalloc(sizeof(*p));

	p->refs = 1;
	p->tgid = tgid;
	p->source = source;
	p->budget = budget;
	p->fd = -1;
	return p;
}

static void forget(struct perf_map *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->read = 0;
	p->rest.len = 0;
	p->sorted.n = p->tail.n = 0;
	/* The names of the dropped entries are not freed, because frames may refer to them. */
}

struct perf_map *perf_map_get(struct perf_map *p)
{
	p->refs++;
	return p;
}

void perf_map_put(struct perf_map *p)
{
	if (!p || --p->refs)
		return;
	forget(p);
	vec_deinit(&p->sorted);
	vec_deinit(&p->tail);
	strbuf_deinit(&p->rest);
	arena_reset(&p->names);
	if (p->budget)
		p->budget->bytes -= p->bytes;
	free(p);
}

pid_t perf_map_tgid(const struct perf_map *p)
{
	return p->tgid;
}

static int compare_codes(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/*
 * Moves the entries of `tail` into the table `sorted`. A later entry replaces all earlier entries
 * that it overlaps.
 */
static void settle(struct perf_map *p)
{
	size_t kept = 0;

	vec_for_each (&p->tail, c)
		*vec_push(&p->sorted) = *c;
	p->tail.n = 0;
	if (!p->sorted.n)
		return;
	qsort(p->sorted.v, p->sorted.n, sizeof(p->sorted.v[0]), compare_codes);
	for (size_t i = 0; i < p->sorted.n; i++) {
		struct code c = p->sorted.v[i];
		bool dead = false;

		while (kept && p->sorted.v[kept - 1].end > c.start) {
			if (p->sorted.v[kept - 1].order > c.order) {
				dead = true;
				break;
			}
			kept--;
		}
		if (!dead)
			p->sorted.v[kept++] = c;
	}
	p->sorted.n = kept;
}

static void add_line(struct perf_map *p, const char *s, size_t n)
{
	char line[64 + NAME_LENGTH], *end;
	struct code c;
	uint64_t size;

	if (p->sorted.n + p->tail.n >= CODES_MAX)
		return;
	n = size_min(n, sizeof(line) - 1);
	memcpy(line, s, n);
	line[n] = 0;
	c.start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return;
	s = end + 1;
	size = strtoull(s, &end, 16);
	if (end == s || *end != ' ' || !end[1] || __builtin_add_overflow(c.start, size, &c.end) ||
	    !size)
		return;
	c.name = arena_strdup(&p->names, end + 1);
	c.order = p->order++;
	*vec_push(&p->tail) = c;
	if (p->tail.n > TAIL_MAX + p->sorted.n / 8)
		settle(p);
}

void perf_map_append(struct perf_map *p, const char *text, size_t len)
{
	const char *end = text + len, *nl;

	while ((nl = memchr(text, '\n', end - text))) {
		if (p->rest.len) {
			strbuf_add(&p->rest, text, nl - text);
			add_line(p, p->rest.data, p->rest.len);
			p->rest.len = 0;
		} else {
			add_line(p, text, nl - text);
		}
		text = nl + 1;
	}
	if (p->rest.len < sizeof(char[64 + NAME_LENGTH]))
		strbuf_add(&p->rest, text, end - text);
}

/*
 * Opens the file. Sets *took to the duration of the open in ns. Returns a descriptor, or -1 if the
 * file cannot be opened or if it is too early to open the file again.
 */
static int open_map(struct perf_map *p, uint64_t *took)
{
	const struct timespec begin = clock_after(0);
	char name[64];
	int fd;

	if (!p->source || timespec_before(begin, p->next))
		return -1;
	snprintf(name, sizeof(name), "/tmp/perf-%d.map",
		 (int)p->source->ops->inner_pid(p->source, p->tgid));
	fd = file_source_open(p->source, p->tgid, name, true);
	*took = timespec_ns(timespec_sub(clock_after(0), begin));
	if (fd < 0 && errno == ETIMEDOUT)
		p->next = clock_after(LATE_NSEC);
	else if (fd < 0 && p->source->late)
		p->next = clock_after(*took * COPY_FACTOR);
	return fd;
}

/*
 * Opens the file if it is not open, if the process has created a new one, or if the descriptor
 * refers to a copy. Sets *st to the status of the open file. Returns false if no file is open.
 */
static bool open_newest_map(struct perf_map *p, struct stat *st)
{
	uint64_t took;
	int fd;

	if (p->fd >= 0 && !p->copy) {
		/* If a program is restarted with the same pid, it writes a new file. */
		if (!fstat(p->fd, st) && (st->st_nlink || p->source->nameless) &&
		    (uint64_t)st->st_size >= p->read)
			return true;
		forget(p);
	}
	fd = open_map(p, &took);
	if (fd < 0)
		return p->fd >= 0 && !fstat(p->fd, st);
	if (fstat(fd, st) < 0) {
		close(fd);
		return false;
	}
	if ((uint64_t)st->st_size < p->read)
		forget(p);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = fd;
	p->copy = !st->st_nlink && !p->source->nameless;
	if (p->copy)
		p->next = clock_after(took * COPY_FACTOR);
	return true;
}

/*
 * Charges the memory for the next READ_SIZE bytes of the file to the budget. Returns false if the
 * budget has no room.
 */
static bool charge(struct perf_map *p)
{
	const uint64_t n = READ_SIZE * KEPT_PER_BYTE;

	if (!p->budget)
		return true;
	if (p->bytes + n > KEPT_MAX || !budget_has_room(p->budget, n))
		return false;
	p->bytes += n;
	p->budget->bytes += n;
	return true;
}

/*
 * Releases the memory that charge() charged to the budget for n bytes that were then not read.
 */
static void refund(struct perf_map *p, size_t n)
{
	if (!p->budget)
		return;
	p->bytes -= n * KEPT_PER_BYTE;
	p->budget->bytes -= n * KEPT_PER_BYTE;
}

void perf_map_refresh(struct perf_map *p)
{
	struct stat st;
	ssize_t n = 0;
	char *buf;

	if (!open_newest_map(p, &st))
		return;
	if ((uint64_t)st.st_size <= p->read)
		return;
	if (!budget_begin(p->budget))
		return;
	buf = mem_alloc(READ_SIZE);
	while (p->total < TOTAL_MAX && !budget_expired(p->budget) && charge(p)) {
		n = pread(p->fd, buf, READ_SIZE, p->read);
		refund(p, n > 0 ? READ_SIZE - n : READ_SIZE);
		if (n <= 0)
			break;
		perf_map_append(p, buf, n);
		p->read += n;
		p->total += n;
	}
	budget_end(p->budget);
	free(buf);
}

static bool overlaps(const struct code *a, const struct code *b)
{
	return a->start < b->end && b->start < a->end;
}

const char *perf_map_find(const struct perf_map *p, uint64_t pc, uint64_t *start)
{
	size_t n;
	const struct code *c;

	for (size_t i = p->tail.n; i-- > 0;) {
		const struct code *t = &p->tail.v[i];

		if (pc < t->start || pc >= t->end)
			continue;
		/*
		 * A later entry that overlaps entry i replaces entry i completely, even if the
		 * later entry does not cover pc.
		 */
		for (size_t k = i + 1; k < p->tail.n; k++)
			if (overlaps(&p->tail.v[k], t))
				return NULL;
		*start = t->start;
		return t->name;
	}
	n = bisect(p->sorted.n, i, p->sorted.v[i].start <= pc);
	if (!n || pc >= p->sorted.v[n - 1].end)
		return NULL;
	c = &p->sorted.v[n - 1];
	for (size_t k = 0; k < p->tail.n; k++)
		if (overlaps(&p->tail.v[k], c))
			return NULL;
	*start = c->start;
	return c->name;
}
