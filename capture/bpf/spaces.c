/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/spaces.h"

#include <stdlib.h>
#include <string.h>

#include "capture/bpf/mmaps.h"
#include "capture/bpf/threads.h"
#include "stack/files/map_table.h"
#include "util/bisect.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/table.h"
#include "util/vec.h"

typedef VEC(struct mapping *) mapping_vec;

/* An address space. Processes share it after vfork(2), or after clone(2) with CLONE_VM. */
struct space {
	unsigned refs;
	bool stale;	/* true if events were lost or late, so that `mapped` must be read again */
	bool doubtful;	/* with `stale`: true if `mapped` may contain wrong mappings */
	bool unknown;	/* true if no mappings were known when a stack was walked */
	pid_t tried;	/* with `unknown`: the thread whose mappings were read */
	uint64_t since; /* all mappings that were made before this time are already in `mapped` */
	/* At times before this one, the process may have had mappings that are not in `mapped`. */
	uint64_t complete_at;
	uint64_t version;   /* see version() of struct map_source_ops */
	mapping_vec mapped; /* sorted by address, without overlaps */
};

struct process {
	pid_t tgid;
	struct space *space;
};

struct spaces {
	struct map_source source; /* must be first: spaces_of() converts pointers to it */
	struct map_source *live;
	struct mmaps *mmaps;
	const struct threads *threads;
	uint64_t now;	      /* time of the current record */
	uint64_t versions;    /* number of versions so far */
	struct table by_tgid; /* values point to struct process */
	unsigned unknown;     /* number of address spaces whose `unknown` is set */
};

static struct spaces *spaces_of(struct map_source *s)
{
	return (struct spaces *)s;
}

/* -- mappings of one space -------------------------------------------------- */

static struct mapping *copy_of(const struct mapping *m)
{
	struct mapping *copy = mem_zalloc(sizeof(*copy));

	copy->start = m->start;
	copy->end = m->end;
	copy->offset = m->offset;
	copy->inode = m->inode;
	copy->dev_major = m->dev_major;
	copy->dev_minor = m->dev_minor;
	copy->executable = true;
	copy->refs = 1;
	copy->name = m->name ? mem_strdup(m->name) : NULL;
	return copy;
}

/* Returns a copy of the part of a mapping from lo to hi, which must be within the mapping. */
static struct mapping *part_of(const struct mapping *m, uint64_t lo, uint64_t hi)
{
	struct mapping *part = copy_of(m);

	part->offset += lo - m->start;
	part->start = lo;
	part->end = hi;
	return part;
}

static void clear(struct space *sp)
{
	vec_for_each (&sp->mapped, m)
		mapping_put(*m);
	sp->mapped.n = 0;
}

/* Returns the index of the first mapping that ends after addr. */
static size_t first_after(const struct space *sp, uint64_t addr)
{
	return bisect(sp->mapped.n, i, sp->mapped.v[i]->end <= addr);
}

/* Inserts a mapping into a range without mappings. Takes ownership of the reference to m. */
static void insert(struct space *sp, struct mapping *m)
{
	size_t at = first_after(sp, m->start);

	(void)vec_push(&sp->mapped);
	memmove(&sp->mapped.v[at + 1], &sp->mapped.v[at],
		(sp->mapped.n - 1 - at) * sizeof(struct mapping *));
	sp->mapped.v[at] = m;
}

/* Unmaps a range. Appends copies of the removed parts to *taken unless taken is NULL. */
static void unmap_range(struct space *sp, struct map_range r, mapping_vec *taken)
{
	size_t i = first_after(sp, r.lo);

	while (i < sp->mapped.n && sp->mapped.v[i]->start < r.hi) {
		struct mapping *m = sp->mapped.v[i];

		sp->mapped.n--;
		memmove(&sp->mapped.v[i], &sp->mapped.v[i + 1],
			(sp->mapped.n - i) * sizeof(struct mapping *));
		if (m->start < r.lo) {
			insert(sp, part_of(m, m->start, r.lo));
			i++;
		}
		if (m->end > r.hi)
			insert(sp, part_of(m, r.hi, m->end));
		if (taken)
			*vec_push(taken) = part_of(m, m->start < r.lo ? r.lo : m->start,
						   m->end > r.hi ? r.hi : m->end);
		mapping_put(m);
	}
}

/* Returns the first mapping that ends after addr, or NULL. */
static struct mapping *at_or_after(const struct space *sp, uint64_t addr)
{
	size_t at = first_after(sp, addr);

	return at < sp->mapped.n ? sp->mapped.v[at] : NULL;
}

static struct mapping *find(const struct space *sp, uint64_t addr)
{
	struct mapping *m = at_or_after(sp, addr);

	return m && m->start <= addr ? m : NULL;
}

/*
 * Applies an mremap(2): moves the mappings of range `from` to range `to`, which may have a
 * different size.
 */
static void move(struct space *sp, struct map_range from, struct map_range to)
{
	mapping_vec taken = {0};

	unmap_range(sp, from, &taken);
	unmap_range(sp, to, NULL);
	vec_for_each (&taken, p) {
		struct mapping *m = *p;
		/* The size of the last mapping in the range changes with the size of the range. */
		const bool last = m->end == from.hi;
		const uint64_t by = to.lo - from.lo;

		m->start += by;
		m->end = last ? to.hi : m->end + by;
		if (m->end > to.hi)
			m->end = to.hi;
		if (m->start < m->end)
			insert(sp, m);
		else
			mapping_put(m);
	}
	vec_deinit(&taken);
}

/* -- processes -------------------------------------------------------------- */

static struct space *space_new(struct spaces *s)
{
	struct space *sp = mem_zalloc(sizeof(*sp));

	sp->refs = 1;
	sp->version = ++s->versions;
	return sp;
}

static void space_put(struct space *sp)
{
	if (--sp->refs)
		return;
	clear(sp);
	vec_deinit(&sp->mapped);
	free(sp);
}

static struct table_slot *slot_of(const struct spaces *s, pid_t tgid)
{
	return table_find(&s->by_tgid, table_hash_number((uint64_t)tgid), NULL);
}

static struct process *process_find(const struct spaces *s, pid_t tgid)
{
	return table_get(&s->by_tgid, (uint64_t)tgid);
}

/*
 * Sets the address space of a process and releases its old one. Takes ownership of the reference to
 * sp.
 */
static void set_space(struct spaces *s, pid_t tgid, struct space *sp)
{
	struct process *p = process_find(s, tgid);

	if (!p) {
		p = mem_zalloc(sizeof(*p));
		p->tgid = tgid;
		table_add(&s->by_tgid, table_hash_number((uint64_t)tgid), (uintptr_t)p);
	} else {
		space_put(p->space);
	}
	p->space = sp;
}

/*
 * Reads the current mappings of a process, which are the same for all of its threads. The result is
 * empty if the process is gone.
 */
static struct map_table *read_current(const struct spaces *s, pid_t tid, pid_t tgid)
{
	struct map_table *t = s->live->ops->list(s->live, tid);

	if (t->n || tid == tgid)
		return t;
	map_table_put(t);
	return s->live->ops->list(s->live, tgid);
}

void spaces_attach(struct spaces *s, pid_t tid, pid_t tgid, uint64_t now)
{
	struct map_table *t;
	struct space *sp;

	if (process_find(s, tgid))
		return;
	sp = space_new(s);
	sp->since = now;
	t = read_current(s, tid, tgid);
	for (size_t i = 0; i < t->n; i++)
		insert(sp, copy_of(t->v[i]));
	map_table_put(t);
	set_space(s, tgid, sp);
}

/* The events of a process that happened after the current record. */
struct later {
	bool execs, loses;
	VEC(struct map_range) mapped;
};

static void add_later(void *ctx, const struct mmap_event *e)
{
	struct later *l = ctx;

	if (e->kind == MMAP_MAPPED)
		*vec_push(&l->mapped) = (struct map_range){e->mapping.start, e->mapping.end};
	l->execs |= e->kind == MMAP_EXEC;
	l->loses |= e->kind == MMAP_LOST;
}

static bool is_same(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->inode == b->inode && a->dev_major == b->dev_major && a->dev_minor == b->dev_minor;
}

/* Removes the mappings that are not in t. */
static void keep_only(struct space *sp, const struct map_table *t)
{
	for (size_t i = sp->mapped.n; i-- > 0;) {
		const struct mapping *m = sp->mapped.v[i], *now = map_table_find(t, m->start);

		if (!now || !is_same(m, now))
			unmap_range(sp, (struct map_range){m->start, m->end}, NULL);
	}
}

/*
 * Reads the mappings of a process after events were lost or late. The current record is older than
 * /proc, so only those mappings are used that the process also had at the time of the record.
 */
static void reload(struct spaces *s, struct space *sp, pid_t tid, pid_t tgid)
{
	struct map_table *t = read_current(s, tid, tgid);
	const uint64_t read_at = timespec_ns(clock_after(0));
	struct later later = {0};

	mmaps_look_ahead(s->mmaps, tgid, add_later, &later);
	sp->complete_at = UINT64_MAX;
	if (!t->n || later.execs) {
		/* The old address space is gone. */
		if (sp->doubtful)
			clear(sp);
	} else if (later.loses) {
		keep_only(sp, t);
	} else {
		clear(sp);
		for (size_t i = 0; i < t->n; i++)
			insert(sp, copy_of(t->v[i]));
		/* These mappings are added again when their events are applied. */
		vec_for_each (&later.mapped, r)
			unmap_range(sp, *r, NULL);
		sp->since = 0;
		sp->complete_at = read_at;
	}
	sp->stale = sp->doubtful = false;
	sp->version = ++s->versions;
	vec_deinit(&later.mapped);
	map_table_put(t);
}

/*
 * Returns the address space of a process. First reads its mappings from /proc if they are unknown
 * or stale. tid is a thread of the process.
 */
static struct space *space_of_process(struct spaces *s, pid_t tid, pid_t tgid)
{
	const struct process *p = process_find(s, tgid);

	if (unlikely(!p)) {
		/* The record about the process's creation was lost. */
		spaces_start(s, tgid);
		p = process_find(s, tgid);
		p->space->stale = true;
	}
	if (unlikely(p->space->stale))
		reload(s, p->space, tid, tgid);
	return p->space;
}

void spaces_fork(struct spaces *s, pid_t parent, pid_t child, bool shares)
{
	struct space *of, *sp;

	if (parent == child)
		return;
	of = space_of_process(s, parent, parent);
	if (shares) {
		of->refs++;
		set_space(s, child, of);
		return;
	}
	sp = space_new(s);
	/* If the parent is gone, the child may still exist. */
	sp->stale = of->complete_at > s->now;
	sp->complete_at = of->complete_at;
	sp->version = of->version;
	vec_for_each (&of->mapped, m)
		*vec_push(&sp->mapped) = mapping_get(*m);
	set_space(s, child, sp);
}

void spaces_start(struct spaces *s, pid_t tgid)
{
	set_space(s, tgid, space_new(s));
}

void spaces_exec(struct spaces *s, pid_t tgid, bool late)
{
	const struct process *p = process_find(s, tgid);

	if (!p)
		return;
	/* If a late event were applied now, it could remove newer mappings. */
	if (late)
		p->space->stale = p->space->doubtful = true;
	else
		set_space(s, tgid, space_new(s));
}

void spaces_end(struct spaces *s, pid_t tgid)
{
	struct process *p = process_find(s, tgid);

	if (!p)
		return;
	table_remove(&s->by_tgid, slot_of(s, tgid));
	space_put(p->space);
	free(p);
}

void spaces_map(struct spaces *s, pid_t tgid, uint64_t time, const struct mapping *m, bool late)
{
	const struct process *p = process_find(s, tgid);
	const struct mapping *after;
	struct space *sp;
	bool newer;

	if (!p || time < p->space->since)
		return;
	sp = p->space;
	/* It is not known whether a mapping in the same range is newer than a late event. */
	after = late ? at_or_after(sp, m->start) : NULL;
	newer = after && after->start < m->end;
	unmap_range(sp, (struct map_range){m->start, m->end}, NULL);
	if (!newer)
		insert(sp, copy_of(m));
	sp->stale |= late;
}

void spaces_invalidate(struct spaces *s)
{
	for (size_t i = 0; s->by_tgid.slots && i <= s->by_tgid.mask; i++) {
		const struct process *p =
			(const struct process *)(uintptr_t)s->by_tgid.slots[i].value;

		if (!p)
			continue;
		p->space->stale = p->space->doubtful = true;
		/*
		 * Read the mappings now, because the process may be gone when its next record
		 * arrives. If this fails, another thread may still exist.
		 */
		reload(s, p->space, p->tgid, p->tgid);
		p->space->stale = p->space->complete_at == UINT64_MAX;
	}
}

/* -- lookups ------------------------------------------------------------------ */

pid_t spaces_tgid(const struct spaces *s, pid_t tid)
{
	struct thread *t = threads_find(s->threads, tid);

	return t ? tcb_tgid(&t->tcb) : tid;
}

static struct space *space_of(struct spaces *s, pid_t tid)
{
	return space_of_process(s, tid, spaces_tgid(s, tid));
}

/*
 * Reads the mappings of an address space again, but only once for each thread. Used if no
 * executable mapping is known. Such an address space must be out of date, because the thread was
 * executing code when its stack was recorded.
 */
static void reload_unknown(struct spaces *s, struct space *sp, pid_t tid)
{
	if (sp->tried == tid)
		return;
	s->unknown += !sp->unknown;
	sp->unknown = true;
	sp->tried = tid;
	reload(s, sp, tid, spaces_tgid(s, tid));
}

const struct mapping *spaces_find(struct spaces *s, pid_t tid, uint64_t addr)
{
	struct space *sp = space_of(s, tid);

	if (unlikely(!sp->mapped.n))
		reload_unknown(s, sp, tid);
	return find(sp, addr);
}

unsigned spaces_unknown(const struct spaces *s)
{
	return s->unknown;
}

void spaces_advance(struct spaces *s, uint64_t now)
{
	if (now > s->now)
		s->now = now;
}

bool spaces_incomplete(struct spaces *s, pid_t tid)
{
	return space_of(s, tid)->complete_at > s->now;
}

static int source_find(struct map_source *source, pid_t tid, intptr_t *keep attr_unused,
		       uint64_t addr, bool names, struct mapping *m)
{
	const struct mapping *found = spaces_find(spaces_of(source), tid, addr);

	if (!found)
		return -ENOENT;
	*m = (struct mapping){.start = found->start,
			      .end = found->end,
			      .offset = found->offset,
			      .inode = found->inode,
			      .dev_major = found->dev_major,
			      .dev_minor = found->dev_minor,
			      .executable = true,
			      .name = names && found->name ? mem_strdup(found->name) : NULL};
	return 0;
}

static struct map_table *source_list(struct map_source *source, pid_t tid)
{
	const struct space *sp = space_of(spaces_of(source), tid);
	struct map_table *t = map_table_new(sp->mapped.n);

	for (size_t i = 0; i < sp->mapped.n; i++)
		t->v[t->n++] = copy_of(sp->mapped.v[i]);
	return t;
}

static bool source_reads_execute(struct map_source *source, pid_t tid)
{
	struct map_source *live = spaces_of(source)->live;

	return live->ops->reads_execute(live, tid);
}

static uint64_t source_version(struct map_source *source, pid_t tid)
{
	return space_of(spaces_of(source), tid)->version;
}

static bool source_incomplete(struct map_source *source, pid_t tid)
{
	return spaces_incomplete(spaces_of(source), tid);
}

static bool source_same(struct map_source *source, pid_t a, pid_t b)
{
	struct spaces *s = spaces_of(source);

	return space_of(s, a) == space_of(s, b);
}

static void source_forget(struct map_source *source attr_unused, intptr_t keep attr_unused)
{
}

static void source_gone(struct map_source *source, pid_t tid, struct map_range r,
			struct map_range to)
{
	struct space *sp = space_of(spaces_of(source), tid);

	if (to.hi)
		move(sp, r, to);
	else
		unmap_range(sp, r, NULL);
}

static const struct map_source_ops ops = {
	.find = source_find,
	.list = source_list,
	.reads_execute = source_reads_execute,
	.same = source_same,
	.version = source_version,
	.incomplete = source_incomplete,
	.forget = source_forget,
	.gone = source_gone,
};

struct spaces *spaces_create(struct map_source *live, struct mmaps *mmaps,
			     const struct threads *threads)
{
	struct spaces *s = mem_zalloc(sizeof(*s));

	s->source.ops = &ops;
	s->live = live;
	s->mmaps = mmaps;
	s->threads = threads;
	return s;
}

struct map_source *spaces_source(struct spaces *s)
{
	return &s->source;
}

void spaces_destroy(struct spaces *s)
{
	struct table_slot *slot;

	if (!s)
		return;
	while ((slot = table_any(&s->by_tgid)))
		spaces_end(s, ((struct process *)(uintptr_t)slot->value)->tgid);
	table_deinit(&s->by_tgid);
	free(s);
}
