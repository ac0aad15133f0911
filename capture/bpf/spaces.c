/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/spaces.h"

#include <stdlib.h>
#include <string.h>

#include "capture/bpf/threads.h"
#include "stack/files/map_table.h"
#include "util/bisect.h"
#include "util/mem.h"
#include "util/table.h"
#include "util/vec.h"

typedef VEC(struct mapping *) mapping_vec;

/* An address space. Processes share it after vfork(2), or after clone(2) with CLONE_VM. */
struct space {
	unsigned refs;
	bool stale;	/* true if the mappings may be wrong, so that they must be read again */
	bool unknown;	/* true if no mappings were known when a stack was walked */
	uint64_t since; /* all mappings that were made before this time are already in `mapped` */
	mapping_vec mapped; /* sorted by address, without overlaps */
};

struct process {
	pid_t tgid;
	struct space *space;
};

struct spaces {
	struct map_source source; /* must be first: spaces_of() converts pointers to it */
	struct map_source *live;
	const struct threads *threads;
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

static struct mapping *find(const struct space *sp, uint64_t addr)
{
	size_t at = first_after(sp, addr);

	return at < sp->mapped.n && sp->mapped.v[at]->start <= addr ? sp->mapped.v[at] : NULL;
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

static struct space *space_new(void)
{
	struct space *sp = mem_zalloc(sizeof(*sp));

	sp->refs = 1;
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
 * Reads the current mappings of a thread. Returns false and changes nothing if the thread is gone.
 */
static bool reload(struct spaces *s, struct space *sp, pid_t tid)
{
	struct map_table *t = s->live->ops->list(s->live, tid);
	const bool there = t->n;

	if (there) {
		clear(sp);
		for (size_t i = 0; i < t->n; i++)
			insert(sp, copy_of(t->v[i]));
		sp->stale = false;
	}
	map_table_put(t);
	return there;
}

void spaces_attach(struct spaces *s, pid_t tid, pid_t tgid, uint64_t now)
{
	struct space *sp;

	if (process_find(s, tgid))
		return;
	sp = space_new();
	sp->since = now;
	reload(s, sp, tid);
	set_space(s, tgid, sp);
}

void spaces_fork(struct spaces *s, pid_t parent, pid_t child, bool shares)
{
	const struct process *p = process_find(s, parent);
	struct space *sp;

	if (parent == child || !p)
		return;
	if (shares) {
		p->space->refs++;
		set_space(s, child, p->space);
		return;
	}
	sp = space_new();
	sp->stale = p->space->stale;
	vec_for_each (&p->space->mapped, m)
		*vec_push(&sp->mapped) = mapping_get(*m);
	set_space(s, child, sp);
}

void spaces_start(struct spaces *s, pid_t tgid)
{
	set_space(s, tgid, space_new());
}

void spaces_exec(struct spaces *s, pid_t tgid)
{
	if (process_find(s, tgid))
		set_space(s, tgid, space_new());
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

void spaces_map(struct spaces *s, pid_t tgid, uint64_t time, const struct mapping *m)
{
	const struct process *p = process_find(s, tgid);

	if (!p || time < p->space->since)
		return;
	unmap_range(p->space, (struct map_range){m->start, m->end}, NULL);
	insert(p->space, copy_of(m));
}

void spaces_invalidate_process(struct spaces *s, pid_t tgid)
{
	const struct process *p = process_find(s, tgid);

	if (p)
		p->space->stale = true;
}

void spaces_invalidate(struct spaces *s)
{
	for (size_t i = 0; s->by_tgid.slots && i <= s->by_tgid.mask; i++) {
		const struct table_slot *slot = &s->by_tgid.slots[i];

		if (slot->value)
			((struct process *)(uintptr_t)slot->value)->space->stale = true;
	}
}

/* -- lookups ------------------------------------------------------------------ */

pid_t spaces_tgid(const struct spaces *s, pid_t tid)
{
	struct thread *t = threads_find(s->threads, tid);

	return t ? tcb_tgid(&t->tcb) : tid;
}

/*
 * Returns the address space of a thread. First reads its mappings from /proc if they are unknown or
 * stale.
 */
static struct space *space_of(struct spaces *s, pid_t tid)
{
	pid_t tgid = spaces_tgid(s, tid);
	const struct process *p = process_find(s, tgid);

	if (unlikely(!p)) {
		/* The record about the process's creation was lost. */
		spaces_attach(s, tid, tgid, 0);
		p = process_find(s, tgid);
	}
	if (unlikely(p->space->stale)) {
		reload(s, p->space, tid);
		p->space->stale = false;
	}
	return p->space;
}

/*
 * Reads the mappings of an address space again, but only once. Used if no executable mapping is
 * known. Such an address space must be out of date, because the thread was executing code when its
 * stack was recorded.
 */
static void reload_unknown(struct spaces *s, struct space *sp, pid_t tid)
{
	if (sp->unknown)
		return;
	sp->unknown = true;
	s->unknown++;
	reload(s, sp, tid);
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
	.forget = source_forget,
	.gone = source_gone,
};

struct spaces *spaces_create(struct map_source *live, const struct threads *threads)
{
	struct spaces *s = mem_zalloc(sizeof(*s));

	s->source.ops = &ops;
	s->live = live;
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
