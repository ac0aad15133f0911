/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/snapshot.h"

#include <stdlib.h>

#include "capture/memory.h"
#include "util/mem.h"

#define FIRST 2048u /* bytes to read at sp if the hint lists no other memory */
#define AT_SP 256u  /* minimum number of bytes to read at sp if the hint lists more memory */
#define AHEAD 512u  /* bytes to read if the walk has skipped memory that it does not need */
/*
 * Also read this number of bytes below each address, because frame pointers are often stored there.
 */
#define BELOW 64u
/*
 * If the gap between two runs (ranges of memory to read) has at most this number of bytes, both
 * runs are read at once, because this is cheaper than two reads.
 */
#define GAP_MAX	   1024u
#define REDUCE_AGE 32 /* unused runs are dropped from a hint after this many walks */

static void reserve(struct snapshot_part *p, size_t n)
{
	if (p->cap >= n)
		return;
	p->data = mem_realloc(p->data, n);
	p->cap = n;
}

/*
 * Creates a part with space for the n bytes of the tracee's memory at addr. Replaces the oldest
 * part.
 */
static struct snapshot_part *part_new(struct snapshot *s, uint64_t addr, size_t n)
{
	struct snapshot_part *p = &s->parts[s->next];

	s->next = (s->next + 1) % SNAPSHOT_PARTS;
	reserve(p, n);
	p->addr = addr;
	p->len = 0;
	p->used = 0;
	return p;
}

/* Reads the n runs into the first n parts. In the same batch, makes the reads in `more`. */
static void read_parts(struct snapshot *s, const struct snapshot_run *runs, unsigned n,
		       struct memory_batch *more)
{
	const size_t first = more->ops.n;

	for (unsigned i = 0; i < n; i++) {
		struct snapshot_part *p = part_new(s, runs[i].addr, runs[i].n);

		*vec_push(&more->ops) =
			(struct memory_op){.addr = p->addr, .buf = p->data, .n = runs[i].n};
	}
	s->reads++;
	memory_read_batch(s->memory, more->ops.v, more->ops.n);
	for (unsigned i = 0; i < n; i++) {
		const ssize_t got = more->ops.v[first + i].got;

		s->parts[i].len = got > 0 ? got : 0;
		s->bytes += s->parts[i].len;
	}
	more->ops.n = first;
}

/*
 * Cuts off the part of a run that is below sp. In the result, n is 0 if the whole run is below sp
 * or too far above sp.
 */
static struct snapshot_run clipped(struct snapshot_run r, uint64_t sp)
{
	uint64_t end = r.addr + r.n;

	if (end <= sp || (r.addr > sp && r.addr - sp > SNAPSHOT_DISTANCE))
		r.n = 0;
	else if (r.addr < sp)
		r = (struct snapshot_run){sp, end - sp};
	return r;
}

void snapshot_begin(struct snapshot *s, struct memory *memory, uint64_t sp,
		    const struct snapshot_hint *hint, struct memory_batch *more)
{
	struct snapshot_run runs[SNAPSHOT_RUNS + 1] = {{sp, AT_SP}};
	unsigned n = 1;

	s->memory = memory;
	s->sp = sp;
	s->reads = 0;
	s->bytes = 0;
	s->next = 0;
	s->ahead = AHEAD;
	for (unsigned i = 0; i < SNAPSHOT_PARTS; i++)
		s->parts[i].len = 0;
	s->part = &s->parts[0];
	for (unsigned i = 0; hint && i < hint->n; i++) {
		const struct snapshot_run r = clipped(hint->runs[i], sp);

		if (!r.n)
			continue;
		if (r.addr <= sp + GAP_MAX && n == 1)
			runs[0].n = size_min(size_max(AT_SP, r.addr + r.n - sp), SNAPSHOT_PART_MAX);
		else
			runs[n++] = r;
	}
	if (n == 1 && runs[0].n == AT_SP)
		runs[0].n = FIRST;
	read_parts(s, runs, n, more);
}

void snapshot_deinit(struct snapshot *s)
{
	for (unsigned i = 0; i < SNAPSHOT_PARTS; i++)
		free(s->parts[i].data);
	*s = (struct snapshot){0};
}

static bool has(const struct snapshot_part *p, uint64_t addr, size_t n)
{
	return addr >= p->addr && addr - p->addr < p->len && n <= p->len - (addr - p->addr);
}

/*
 * Reads a new part that should contain at least the n bytes at addr. The part is shorter if not all
 * of the memory can be read. Returns NULL if none of it can be read.
 */
static struct snapshot_part *read_part(struct snapshot *s, uint64_t addr, size_t n)
{
	const struct snapshot_part *last = s->part;
	uint64_t start = addr < BELOW ? addr : addr - BELOW, end = last->addr + last->len;
	struct snapshot_part *p;
	ssize_t got;

	/* The walk moved directly from one part to the next, so read larger parts from now on. */
	if (last->len && addr >= last->addr && start <= end)
		s->ahead = size_min(s->ahead * 2, SNAPSHOT_PART_MAX - BELOW);
	else
		s->ahead = AHEAD;
	n = size_max(n, s->ahead) + (addr - start);
	p = part_new(s, start, n);
	s->reads++;
	got = memory_read_some(s->memory, start, p->data, n);
	if (got < 0)
		return NULL;
	p->len = got;
	s->bytes += got;
	return p;
}

/* Copies n bytes from a part that contains them. */
static void take(struct snapshot_part *p, uint64_t addr, void *buf, size_t n)
{
	snapshot_use(p, addr - p->addr, n);
	memcpy(buf, p->data + (addr - p->addr), n);
}

bool snapshot_copy(struct snapshot *s, uint64_t addr, void *buf, size_t n)
{
	for (unsigned i = 0; i < SNAPSHOT_PARTS; i++) {
		if (!has(&s->parts[i], addr, n))
			continue;
		take(&s->parts[i], addr, buf, n);
		return true;
	}
	return false;
}

bool snapshot_read_slow(struct snapshot *s, uint64_t addr, void *buf, size_t n)
{
	struct snapshot_part *p = NULL;

	if (addr + n < addr)
		return false;
	for (unsigned i = 0; !p && i < SNAPSHOT_PARTS; i++)
		if (has(&s->parts[i], addr, n))
			p = &s->parts[i];
	if (!p)
		p = read_part(s, addr, n);
	if (p && has(p, addr, n)) {
		s->part = p;
		take(p, addr, buf, n);
		return true;
	}
	/*
	 * A recorded stack may end within the larger part. In this case, read only the n bytes,
	 * which may still be available.
	 */
	s->reads++;
	s->bytes += n;
	return !memory_read(s->memory, addr, buf, n);
}

/* Appends a run to h, or merges it into the last run. Returns false if h is full. */
static bool add_run(struct snapshot_hint *h, struct snapshot_run r)
{
	struct snapshot_run *last = h->n ? &h->runs[h->n - 1] : NULL;

	if (last && r.addr <= last->addr + last->n + GAP_MAX) {
		uint64_t end =
			r.addr + r.n > last->addr + last->n ? r.addr + r.n : last->addr + last->n;

		if (end - last->addr <= SNAPSHOT_PART_MAX) {
			last->n = end - last->addr;
			return true;
		}
		if (r.addr < last->addr + last->n) {
			r.addr = last->addr + last->n;
			if (r.addr >= end)
				return true;
			r.n = end - r.addr;
		}
	}
	if (h->n == SNAPSHOT_RUNS)
		return false;
	h->runs[h->n++] = r;
	return true;
}

/*
 * Converts the granules (units of 64 bytes) of p that the walk has used to runs. Returns the number
 * of runs.
 */
static unsigned used_runs(const struct snapshot_part *p, struct snapshot_run *runs)
{
	unsigned n = 0;

	for (uint64_t bits = p->used; bits;) {
		unsigned first = __builtin_ctzll(bits), end;

		bits |= bits - 1;
		end = ~bits ? (unsigned)__builtin_ctzll(~bits) : 64;
		bits = end < 64 ? bits >> end << end : 0;
		runs[n++] = (struct snapshot_run){p->addr + first * SNAPSHOT_GRANULE,
						  (end - first) * SNAPSHOT_GRANULE};
	}
	return n;
}

static int by_addr(const void *a, const void *b)
{
	const struct snapshot_run *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void snapshot_end(const struct snapshot *s, uint64_t sp, struct snapshot_hint *hint)
{
	struct snapshot_run all[SNAPSHOT_PARTS * 32 + SNAPSHOT_RUNS];
	bool reduce = ++hint->age >= REDUCE_AGE;
	struct snapshot_hint h = {0};
	unsigned n = 0;

	/* The hint already listed all memory that the walk needed. */
	if (s->reads == 1 && !reduce && hint->n)
		return;
	for (unsigned i = 0; i < SNAPSHOT_PARTS; i++)
		if (s->parts[i].len && s->parts[i].addr + s->parts[i].len > sp &&
		    s->parts[i].addr - sp <= SNAPSHOT_DISTANCE)
			n += used_runs(&s->parts[i], all + n);
	/* Keep runs that this walk did not need, because stacks of other syscalls may need them. */
	for (unsigned i = 0; !reduce && i < hint->n; i++)
		all[n++] = hint->runs[i];
	qsort(all, n, sizeof(*all), by_addr);
	for (unsigned i = 0; i < n; i++)
		if (!add_run(&h, all[i]))
			break;
	h.age = reduce ? 0 : hint->age;
	*hint = h;
}
