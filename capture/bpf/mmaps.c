/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/mmaps.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/mem.h"
#include "util/vec.h"

/* Size in bytes of a CPU's buffer. An ordinary user may lock at most 516 KiB per CPU. */
#define BUFFER (256u << 10)
/* Maximum size of a record in bytes. The size field of records has 16 bits. */
#define RECORD_MAX 65536

struct buffer {
	int fd; /* the CPU's perf event, or -1 if the CPU is offline */
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	uint64_t last; /* time of the last event that was read from this buffer */
};

/* A record that was copied from a buffer. */
struct copied {
	uint64_t time;
	size_t at, n; /* position and size of the record in `bytes` of struct mmaps */
};

struct mmaps {
	unsigned n;
	size_t page; /* size of a page in bytes */
	struct buffer *buffers;
	VEC(struct copied) copied; /* the copied records, sorted by time */
	size_t next;		   /* index of the next record to return */
	uint64_t passed; /* all events that happened before this time have been returned */
	VEC(uint8_t) bytes;
	uint8_t record[RECORD_MAX] __attribute__((aligned(8)));
};

static int open_on(unsigned cpu)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_DUMMY,
				       .sample_type = PERF_SAMPLE_TIME,
				       .exclude_kernel = 1,
				       .mmap = 1,
				       .mmap2 = 1,
				       .comm = 1,
				       .comm_exec = 1,
				       .watermark = 1,
				       .wakeup_watermark = BUFFER,
				       .sample_id_all = 1,
				       .use_clockid = 1,
				       .clockid = CLOCK_MONOTONIC};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool open_buffer(struct mmaps *m, struct buffer *b, unsigned cpu)
{
	void *shared;

	b->fd = open_on(cpu);
	/* An offline CPU creates no mappings. */
	if (b->fd < 0)
		return errno == ENODEV;
	shared = mmap(NULL, m->page + BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	if (shared == MAP_FAILED) {
		/*
		 * mmap(2) returns EPERM if the limit for locked memory is exceeded. For open_on(),
		 * EPERM means that a privilege is missing.
		 */
		if (errno == EPERM)
			errno = ENOMEM;
		return false;
	}
	b->page = shared;
	b->data = (const uint8_t *)shared + m->page;
	return true;
}

struct mmaps *mmaps_open(unsigned cpus)
{
	struct mmaps *m = mem_zalloc(sizeof(*m));

	m->page = sysconf(_SC_PAGESIZE);
	m->buffers = mem_zalloc(cpus * sizeof(*m->buffers));
	for (; m->n < cpus; m->n++) {
		m->buffers[m->n].fd = -1;
		if (!open_buffer(m, &m->buffers[m->n], m->n)) {
			int err = errno;

			m->n++;
			mmaps_close(m);
			errno = err;
			return NULL;
		}
	}
	return m;
}

void mmaps_close(struct mmaps *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < m->n; i++) {
		if (m->buffers[i].page)
			munmap(m->buffers[i].page, m->page + BUFFER);
		if (m->buffers[i].fd >= 0)
			close(m->buffers[i].fd);
	}
	vec_deinit(&m->copied);
	vec_deinit(&m->bytes);
	free(m->buffers);
	free(m);
}

/* -- records ---------------------------------------------------------------- */

/* PERF_RECORD_MMAP2 of linux/perf_event.h. */
struct mmap2_record {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	uint32_t prot, flags;
	char filename[];
};

/* PERF_RECORD_COMM of linux/perf_event.h. */
struct comm_record {
	struct perf_event_header head;
	uint32_t pid, tid;
	char comm[];
};

/* Returns the name that the mapping has in /proc/PID/maps, or NULL if it has none. */
static const char *name_of(const char *filename)
{
	return *filename && strcmp(filename, "//anon") ? filename : NULL;
}

static bool parse_mapped(const struct mmap2_record *r, size_t n, struct mmap_event *e)
{
	if (n < sizeof(*r) + sizeof(e->time) ||
	    !memchr(r->filename, 0, n - sizeof(*r) - sizeof(e->time)))
		return false;
	if (!(r->prot & PROT_EXEC) || !r->len || r->addr + r->len < r->addr)
		return false;
	e->kind = MMAP_MAPPED;
	e->tgid = (pid_t)r->pid;
	e->mapping = (struct mapping){.start = r->addr,
				      .end = r->addr + r->len,
				      .offset = r->ino ? r->pgoff : 0,
				      .inode = r->ino,
				      .dev_major = r->maj,
				      .dev_minor = r->min,
				      .executable = true,
				      .name = (char *)(uintptr_t)name_of(r->filename)};
	return true;
}

bool mmaps_parse(const void *record, size_t n, struct mmap_event *e)
{
	const struct perf_event_header *head = record;
	const struct comm_record *comm = record;

	if (n < sizeof(*head) + sizeof(e->time) || head->size != n)
		return false;
	*e = (struct mmap_event){0};
	memcpy(&e->time, (const uint8_t *)record + n - sizeof(e->time), sizeof(e->time));
	switch (head->type) {
	case PERF_RECORD_MMAP2:
		return parse_mapped(record, n, e);
	case PERF_RECORD_COMM:
		if (!(head->misc & PERF_RECORD_MISC_COMM_EXEC) ||
		    n < sizeof(*comm) + sizeof(e->time))
			return false;
		e->kind = MMAP_EXEC;
		e->tgid = (pid_t)comm->pid;
		return true;
	case PERF_RECORD_LOST:
		e->kind = MMAP_LOST;
		return true;
	default:
		return false;
	}
}

/* -- reading ---------------------------------------------------------------- */

/* Copies n bytes from a position in a ring buffer. */
static void copy_out(const struct buffer *b, uint64_t at, void *to, size_t n)
{
	size_t from = at & (BUFFER - 1), part = size_min(n, BUFFER - from);

	memcpy(to, b->data + from, part);
	memcpy((uint8_t *)to + part, b->data, n - part);
}

static void insert_sorted(struct mmaps *m, uint64_t time, size_t n)
{
	const struct copied new = {time, m->bytes.n, n};
	size_t i;

	for (i = 0; i < n; i++)
		*vec_push(&m->bytes) = m->record[i];
	(void)vec_push(&m->copied);
	for (i = m->copied.n - 1; i > m->next && m->copied.v[i - 1].time > time; i--)
		m->copied.v[i] = m->copied.v[i - 1];
	m->copied.v[i] = new;
}

/* Inserts m->record, which contains the event e of the buffer b. */
static void insert_event(struct mmaps *m, struct buffer *b, const struct mmap_event *e, size_t n)
{
	/* The missing events happened after the previous event of this buffer. */
	if (e->kind == MMAP_LOST)
		insert_sorted(m, b->last, n);
	insert_sorted(m, e->time, n);
	b->last = e->time;
}

static void read_buffer(struct mmaps *m, struct buffer *b, uint64_t now)
{
	uint64_t tail = b->page->data_tail;
	const uint64_t head = __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);

	while (tail < head) {
		struct perf_event_header h;
		struct mmap_event e;

		copy_out(b, tail, &h, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail)
			break;
		copy_out(b, tail, m->record, h.size);
		if (mmaps_parse(m->record, h.size, &e)) {
			if (e.time >= now)
				break;
			insert_event(m, b, &e, h.size);
		}
		tail += h.size;
	}
	__atomic_store_n(&b->page->data_tail, tail, __ATOMIC_RELEASE);
}

void mmaps_refill(struct mmaps *m, uint64_t now)
{
	if (m->next == m->copied.n)
		m->next = m->copied.n = m->bytes.n = 0;
	for (unsigned i = 0; i < m->n; i++)
		if (m->buffers[i].page)
			read_buffer(m, &m->buffers[i], now);
}

bool mmaps_next(struct mmaps *m, uint64_t until, struct mmap_event *e)
{
	while (m->next < m->copied.n && m->copied.v[m->next].time < until) {
		const struct copied *t = &m->copied.v[m->next++];

		memcpy(m->record, m->bytes.v + t->at, t->n);
		if (mmaps_parse(m->record, t->n, e)) {
			e->late = t->time < m->passed;
			return true;
		}
	}
	if (until > m->passed)
		m->passed = until;
	return false;
}

void mmaps_look_ahead(struct mmaps *m, pid_t tgid, void (*f)(void *ctx, const struct mmap_event *e),
		      void *ctx)
{
	struct mmap_event e;

	mmaps_refill(m, timespec_ns(clock_after(0)));
	for (size_t i = m->next; i < m->copied.n; i++)
		if (mmaps_parse(m->bytes.v + m->copied.v[i].at, m->copied.v[i].n, &e) &&
		    (e.kind == MMAP_LOST || e.tgid == tgid))
			f(ctx, &e);
}

void mmaps_add(struct mmaps *m, const void *record, size_t n)
{
	struct buffer none = {0};
	struct mmap_event e;

	memcpy(m->record, record, n);
	if (mmaps_parse(record, n, &e))
		insert_event(m, &none, &e, n);
}
