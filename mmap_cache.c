/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mmap_cache.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "stack/files/map_source.h"
#include "stack/files/map_table.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/vec.h"

#ifndef MREMAP_FIXED
#define MREMAP_FIXED 2
#endif
#define SHM_EXEC_FLAG  0100000 /* SHM_EXEC of <linux/shm.h> */
#define SHM_REMAP_FLAG 040000  /* SHM_REMAP of <linux/shm.h> */

struct mm_task {
	struct mmap_cache *cache;
	struct address_space *as;
	pid_t tid, tgid;
	uint64_t mmap_cache_generation; /* stamp of the address space at the end of this task's last
					   walk (see mmap_cache.h) */
};

struct change {
	const struct mm_task *by;
	struct map_range range;
};

struct address_space {
	struct mmap_cache *cache;
	uint64_t stamp;
	struct map_table *table;
	bool complete;	 /* true if the table contains every executable mapping */
	bool untraced;	 /* true if an untraced task may change the address space without notice */
	bool read_execs; /* true if all readable memory is executable (READ_IMPLIES_EXEC) */
	/*
	 * number that the source keeps for this address space, initially 0; see find() of struct
	 * map_source_ops
	 */
	intptr_t keep;
	uint64_t version; /* the source's version of the table; 0 if it was not queried yet */
	bool walked;	  /* true if the value of read_execs has been determined */
	VEC(struct mm_task *) members;
	VEC(struct change) changes; /* changes whose syscalls have started but not ended */
	struct address_space *next, *prev;
};

struct mmap_cache {
	struct mmap_cache_config config;
	struct map_source *source;
	bool no_query; /* true if the source cannot be queried for a single mapping */
	uint64_t mmap_cache_generation;
	uint64_t views, tables; /* numbers of views and tables created so far; used as ids */
	struct address_space *spaces;
	struct mmap_cache_counters counters;
};

struct mmap_cache *mmap_cache_create(const struct mmap_cache_config *config,
				     struct map_source *source)
{
	struct mmap_cache *c = mem_zalloc(sizeof(*c));

	c->config = *config;
	c->source = source;
	return c;
}

void mmap_cache_destroy(struct mmap_cache *c)
{
	free(c);
}

const struct mmap_cache_counters *mmap_cache_counters(const struct mmap_cache *c)
{
	return &c->counters;
}

uint64_t mmap_cache_generation(const struct mmap_cache *c)
{
	return c->mmap_cache_generation;
}

/* Address spaces */

/* Replaces the table of an address space. Takes ownership of the caller's reference to t. */
static void space_set_table(struct address_space *as, struct map_table *t)
{
	struct map_table *old = as->table;

	if (!t->id)
		t->id = ++as->cache->tables;
	as->table = t;
	map_table_put(old);
}

static struct address_space *space_new(struct mmap_cache *c, struct map_table *table)
{
	struct address_space *as = mem_zalloc(sizeof(*as));

	as->cache = c;
	space_set_table(as, table ? map_table_get(table) : map_table_new(0));
	as->stamp = ++c->mmap_cache_generation;
	as->next = c->spaces;
	if (c->spaces)
		c->spaces->prev = as;
	c->spaces = as;
	return as;
}

static void space_free(struct address_space *as)
{
	if (as->prev)
		as->prev->next = as->next;
	else
		as->cache->spaces = as->next;
	if (as->next)
		as->next->prev = as->prev;
	if (as->keep)
		as->cache->source->ops->forget(as->cache->source, as->keep);
	vec_deinit(&as->changes);
	vec_deinit(&as->members);
	map_table_put(as->table);
	free(as);
}

static void space_join(struct address_space *as, struct mm_task *t)
{
	*vec_push(&as->members) = t;
	t->as = as;
	t->mmap_cache_generation = as->stamp;
}

static struct map_range range_make(uint64_t addr, uint64_t len)
{
	uint64_t hi;

	if (__builtin_add_overflow(addr, len, &hi) || hi > UINT64_MAX - 4095)
		hi = UINT64_MAX;
	else
		hi = (hi + 4095) & ~4095ULL;
	return (struct map_range){addr & ~4095ULL, hi};
}

#define RANGE_ALL ((struct map_range){0, UINT64_MAX})

/* Prints a debug message (-d) with the generations of the thread and of its address space. */
static void attr_printf(2, 3) debug_print(const struct mm_task *t, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!t->cache->config.debug)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	msg("maps: pid %d: %s, generation %" PRIu64 " of %" PRIu64, (int)t->tid, text,
	    t->mmap_cache_generation, t->as->stamp);
}

static void space_stamp(struct address_space *as, const struct mm_task *t, const char *why)
{
	as->stamp = ++as->cache->mmap_cache_generation;
	as->cache->counters.increments++;
	debug_print(t, "%s, counter incremented", why);
}

static void space_drop(struct address_space *as, const struct mm_task *t, struct map_range r)
{
	size_t before = as->table->n, dropped;

	if (!map_table_overlaps(as->table, r))
		return;
	space_set_table(as, map_table_replace(as->table, r, NULL));
	as->complete = false;
	dropped = before - as->table->n;
	as->cache->counters.dropped += dropped;
	debug_print(t, "%zu mappings dropped in %#" PRIx64 "-%#" PRIx64, dropped, r.lo, r.hi);
}

static struct mm_task *task_new(struct mmap_cache *c, pid_t tid, pid_t tgid)
{
	struct mm_task *t = mem_zalloc(sizeof(*t));

	t->cache = c;
	t->tid = tid;
	t->tgid = tgid;
	return t;
}

struct mm_task *mmap_cache_attach(struct mmap_cache *c, pid_t tid, pid_t tgid, bool started)
{
	struct mm_task *t = task_new(c, tid, tgid);
	struct address_space *as;

	for (as = c->spaces; as; as = as->next) {
		const struct mm_task *m = as->members.n ? as->members.v[as->members.n - 1] : NULL;

		if (!m)
			continue;
		/*
		 * Threads of a process always share its address space. Otherwise, ask the source,
		 * because a vfork child shares its parent's address space but has another tgid.
		 */
		if (m->tgid == tgid || c->source->ops->same(c->source, tid, m->tid))
			break;
	}
	if (!as) {
		as = space_new(c, NULL);
		/*
		 * If tracer attached to a single thread, the other threads of its process may run
		 * untraced.
		 */
		as->untraced = !c->config.follow && !started;
	}
	space_join(as, t);
	return t;
}

struct mm_task *mmap_cache_fork(struct mm_task *parent, pid_t tid, pid_t tgid, bool shared)
{
	struct mm_task *child = task_new(parent->cache, tid, tgid);
	struct address_space *as;

	if (shared) {
		space_join(parent->as, child);
		return child;
	}
	as = space_new(parent->cache, parent->as->table);
	as->read_execs = parent->as->read_execs;
	as->version = parent->as->version;
	space_join(as, child);
	/*
	 * Other threads of the parent may be in syscalls that change mappings. It is not known
	 * whether these changes took effect before the address space was copied, so drop the ranges
	 * of these changes from the copy.
	 */
	vec_for_each (&parent->as->changes, c)
		space_drop(as, child, c->range);
	return child;
}

/*
 * Ends all changes of t that are in progress. Drops the cached mappings in the ranges of these
 * changes, because the results of the changes are not known.
 */
static void space_end_changes(struct address_space *as, const struct mm_task *t)
{
	for (size_t i = as->changes.n; i-- > 0;) {
		if (as->changes.v[i].by != t)
			continue;
		space_drop(as, t, as->changes.v[i].range);
		as->changes.v[i] = as->changes.v[--as->changes.n];
	}
}

static void space_leave(struct mm_task *t)
{
	struct address_space *as = t->as;

	space_end_changes(as, t);
	t->as = NULL;
	for (size_t i = as->members.n; i-- > 0;)
		if (as->members.v[i] == t) {
			as->members.v[i] = as->members.v[--as->members.n];
			break;
		}
	if (!as->members.n)
		space_free(as);
}

void mmap_cache_release(struct mm_task *t)
{
	if (!t)
		return;
	space_leave(t);
	free(t);
}

void mmap_cache_exec(struct mm_task *t, pid_t tid)
{
	space_leave(t);
	t->tid = tid;
	t->cache->counters.increments++;
	space_join(space_new(t->cache, NULL), t);
	debug_print(t, "execve, counter incremented");
}

/* Recording changes */

struct effect {
	struct map_range ranges[2];
	/*
	 * true if the change may make memory executable; it then increments the generation even if
	 * no mapping in its ranges is cached
	 */
	bool counts;
	bool maybe; /* true if the change may move code into its ranges; mappings there are then not
		       cached until the change has ended */
};

static void effect_mmap(const struct address_space *as, const uint64_t *args, int64_t ret,
			bool done, struct effect *e)
{
	const uint64_t exec = as->read_execs ? PROT_EXEC | PROT_READ : PROT_EXEC;

	if (done)
		e->ranges[0] = range_make(ret, args[1]);
	else if (args[3] & MAP_FIXED)
		e->ranges[0] = range_make(args[0], args[1]);
	e->counts = args[2] & exec;
}

static struct effect effect_of(const struct address_space *as, enum mm_change change,
			       const uint64_t *args, int64_t ret, bool done)
{
	const uint64_t exec = as->read_execs ? PROT_EXEC | PROT_READ : PROT_EXEC;
	struct effect e = {0};

	if (!args) {
		e.ranges[0] = RANGE_ALL;
		return e;
	}
	switch (change) {
	case MM_MMAP:
		effect_mmap(as, args, ret, done, &e);
		break;
	case MM_MUNMAP:
		e.ranges[0] = range_make(args[0], args[1]);
		break;
	case MM_MPROTECT:
		e.ranges[0] = range_make(args[0], args[1]);
		e.counts = args[2] & exec;
		break;
	case MM_MREMAP:
		e.ranges[0] = range_make(args[0], args[1]);
		if (done)
			e.ranges[1] = range_make(ret, args[2]);
		else if (args[3] & MREMAP_FIXED)
			e.ranges[1] = range_make(args[4], args[2]);
		e.maybe = args[3] & MREMAP_FIXED;
		break;
	case MM_REMAP_PAGES:
		e.ranges[0] = range_make(args[0], args[1]);
		break;
	case MM_SHMAT:
		e.counts = (args[2] & SHM_EXEC_FLAG) || as->read_execs;
		/*
		 * The arguments do not contain the size of the segment. With SHM_REMAP, any memory
		 * above the address may be replaced.
		 */
		if (args[2] & SHM_REMAP_FLAG)
			e.ranges[0] = (struct map_range){args[1], UINT64_MAX};
		break;
	case MM_SHMDT:
		e.ranges[0] = (struct map_range){args[0], args[0] + 1};
		break;
	case MM_ARCH_PRCTL:
		e.counts = true;
		e.ranges[0] = RANGE_ALL;
		break;
	case MM_BRK:
		e.counts = as->read_execs;
		break;
	case MM_CLONE:
	case MM_NONE:
		break;
	}
	return e;
}

static bool effect_hits(const struct address_space *as, const struct effect *e)
{
	return map_table_overlaps(as->table, e->ranges[0]) ||
	       map_table_overlaps(as->table, e->ranges[1]);
}

void mmap_cache_enter(struct mm_task *t, enum mm_change change, const uint64_t *args)
{
	struct address_space *as = t->as;
	struct effect e;
	bool hits;

	if (change == MM_CLONE) {
		as->untraced |= !as->cache->config.follow;
		return;
	}
	/*
	 * If this thread still has changes in progress, the exit of their syscall was not reported.
	 * That syscall has ended by now.
	 */
	space_end_changes(as, t);
	e = effect_of(as, change, args, 0, false);
	hits = effect_hits(as, &e);
	if (!hits && !e.counts && !e.maybe)
		return;
	if (hits)
		space_stamp(as, t, "a change of code begins");
	for (int i = 0; i < 2; i++) {
		if (!e.ranges[i].hi)
			continue;
		*vec_push(&as->changes) = (struct change){t, e.ranges[i]};
		space_drop(as, t, e.ranges[i]);
	}
}

/*
 * Calls gone() of the source (struct map_source_ops) for the executable mappings that this syscall
 * has removed. Does nothing if the source has no such op, or if args is NULL.
 */
static void report_to_source(const struct mm_task *t, enum mm_change change, const uint64_t *args,
			     int64_t ret)
{
	struct map_source *source = t->cache->source;
	struct effect e;

	if (!source->ops->gone || !args)
		return;
	if (change != MM_MMAP && change != MM_MUNMAP && change != MM_MPROTECT &&
	    change != MM_MREMAP)
		return;
	e = effect_of(t->as, change, args, ret, true);
	if (!e.counts && e.ranges[0].hi)
		source->ops->gone(source, t->tid, e.ranges[0], e.ranges[1]);
}

void mmap_cache_exit(struct mm_task *t, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed)
{
	struct address_space *as = t->as;
	bool flying = false;
	struct effect e;

	if (change == MM_CLONE)
		return;
	if (!failed)
		report_to_source(t, change, args, ret);
	for (size_t i = as->changes.n; i-- > 0;)
		if (as->changes.v[i].by == t) {
			as->changes.v[i] = as->changes.v[--as->changes.n];
			flying = true;
		}
	/*
	 * If mprotect(2) fails, it may have changed a part of the range. This matters only if
	 * mmap_cache_enter() added a change for the call, because only such a call affects code.
	 * All other syscalls change nothing if they fail.
	 */
	if (failed && (change != MM_MPROTECT || !flying))
		return;
	e = effect_of(as, change, args, ret, !failed);
	if (!flying && !e.counts && !effect_hits(as, &e))
		return;
	space_stamp(as, t, "code changed");
	as->complete = false;
	for (int i = 0; i < 2; i++)
		if (e.ranges[i].hi)
			space_drop(as, t, e.ranges[i]);
}

/* Look-ups */

/*
 * Queries the source for the mapping at addr. Returns the result of find() of struct
 * map_source_ops.
 */
static int space_query(struct address_space *as, const struct mm_task *t, uint64_t addr, bool names,
		       struct mapping *m)
{
	struct mmap_cache *c = as->cache;
	int err;

	if (c->no_query || c->config.no_query)
		return -ENOTTY;
	c->counters.queries++;
	err = c->source->ops->find(c->source, t->tid, &as->keep, addr, names, m);
	if (err == -ENOTTY)
		c->no_query = true;
	return err;
}

static bool mapping_same(const struct mapping *a, const struct mapping *now)
{
	if (a->inode != now->inode || a->dev_major != now->dev_major ||
	    a->dev_minor != now->dev_minor)
		return false;
	if (now->start > a->start || now->end < a->end)
		return false;
	return !now->inode || a->start - a->offset == now->start - now->offset;
}

static struct map_table *read_maps(struct mmap_cache *c, const struct mm_task *t)
{
	c->counters.reads++;
	return c->source->ops->list(c->source, t->tid);
}

/*
 * Replaces mappings in `new` with equal mappings from `old`, because the files of the old mappings
 * are already open. Returns the number of replaced mappings.
 */
static size_t keep_equal(struct map_table *new, const struct map_table *old)
{
	size_t kept = 0;

	for (size_t i = 0; i < new->n; i++) {
		struct mapping *n = new->v[i];
		struct mapping *o = map_table_find(old, n->start);

		if (!o || o->start != n->start || o->end != n->end || !mapping_same(o, n))
			continue;
		new->v[i] = mapping_get(o);
		mapping_put(n);
		kept++;
	}
	return kept;
}

/*
 * Reads the list of all mappings. Returns a new reference to the mapping at addr, or NULL. Mappings
 * in the range of a change in progress are not added to the table.
 */
static struct mapping *space_reload(struct address_space *as, const struct mm_task *t,
				    uint64_t addr)
{
	struct map_table *new = read_maps(as->cache, t), *old = as->table;
	size_t kept = keep_equal(new, old);
	struct mapping *m = map_table_find(new, addr);

	if (m)
		mapping_get(m);
	if (old->n > kept && as->untraced) {
		as->cache->counters.stale += old->n - kept;
		space_stamp(as, t, "changed by a task that is not traced");
	}
	space_set_table(as, new);
	as->complete = true;
	vec_for_each (&as->changes, c)
		if (map_table_overlaps(as->table, c->range)) {
			space_set_table(as, map_table_replace(as->table, c->range, NULL));
			as->complete = false;
		}
	debug_print(t, "maps read, %zu executable mappings", as->table->n);
	return m;
}

static bool in_change(const struct address_space *as, uint64_t start, uint64_t end)
{
	vec_for_each (&as->changes, c)
		if (c->range.lo < end && c->range.hi > start)
			return true;
	return false;
}

/*
 * Queries the source for the mapping at addr. Adds the mapping to the table, unless a change in
 * progress overlaps the mapping. Returns a new reference, or NULL if there is no mapping.
 */
static struct mapping *space_find(struct address_space *as, const struct mm_task *t, uint64_t addr)
{
	struct mapping *m, found;
	int err = space_query(as, t, addr, true, &found);

	if (err == -ENOENT || err == -ESRCH)
		return NULL;
	if (err)
		return space_reload(as, t, addr);
	m = mem_alloc(sizeof(*m));
	*m = found;
	m->refs = 1;
	if (in_change(as, m->start, m->end))
		return m;
	space_set_table(as, map_table_replace(as->table, (struct map_range){m->start, m->end},
					      mapping_get(m)));
	debug_print(t, "%#" PRIx64 "-%#" PRIx64 " %s built", m->start, m->end,
		    m->name ? m->name : "");
	return m;
}

/*
 * Asks the source whether the mapping m in the table still exists, because an untraced task may
 * have removed or replaced it. If not, drops m from the table and returns false. Returns true if
 * the query fails.
 */
static bool space_check(struct address_space *as, const struct mm_task *t, struct mapping *m,
			uint64_t addr)
{
	struct mapping found;
	int err = space_query(as, t, addr, false, &found);

	if ((err && err != -ENOENT) || (!err && mapping_same(m, &found)))
		return true;
	as->cache->counters.stale++;
	space_stamp(as, t, "changed by a task that is not traced");
	space_drop(as, t, (struct map_range){m->start, m->end});
	return false;
}

/* Views */

/*
 * Adds m to the mappings that the view holds. Takes ownership of the caller's reference to m.
 * Returns m.
 */
static struct mapping *view_hold(struct map_view *v, struct mapping *m)
{
	if (m->held == v->id) {
		mapping_put(m);
		return m;
	}
	m->held = v->id;
	*vec_push(&v->held) = m;
	return m;
}

/* Drops all mappings if the source has a new version of them. */
static void space_check_version(struct address_space *as, const struct mm_task *t)
{
	struct map_source *source = as->cache->source;
	const uint64_t version = source->ops->version ? source->ops->version(source, t->tid) : 0;

	if (likely(version == as->version))
		return;
	if (as->version) {
		space_stamp(as, t, "the source has read the mappings again");
		space_drop(as, t, RANGE_ALL);
		as->complete = false;
	}
	as->version = version;
}

void map_view_begin(struct map_view *v, struct mm_task *t)
{
	struct address_space *as = t->as;
	struct mmap_cache *c = as->cache;

	*v = (struct map_view){.task = t, .id = ++c->views};
	if (!as->walked)
		as->read_execs = c->source->ops->reads_execute(c->source, t->tid);
	as->walked = true;
	space_check_version(as, t);
	if (as->untraced && (c->no_query || c->config.no_query))
		mapping_put(space_reload(as, t, 0));
	v->table = map_table_get(as->table);
}

void map_view_end(struct map_view *v)
{
	v->task->mmap_cache_generation = v->task->as->stamp;
	vec_for_each (&v->held, m)
		mapping_put(*m);
	vec_deinit(&v->held);
	map_table_put(v->table);
	*v = (struct map_view){0};
}

uint64_t map_view_settled(const struct map_view *v)
{
	const struct address_space *as = v->task->as;

	return as->untraced || as->changes.n || as->table != v->table ? 0 : v->table->id;
}

/* Returns true if the mapping m in the table can be used without another query to the source. */
static bool trusted(const struct map_view *v, const struct mapping *m)
{
	const struct address_space *as = v->task->as;

	return !as->untraced || as->cache->no_query || as->cache->config.no_query ||
	       m->checked == v->id;
}

static struct mapping *find_slow(struct map_view *v, struct mapping *known, uint64_t addr)
{
	const struct mm_task *t = v->task;
	struct address_space *as = t->as;
	struct mapping *m;

	if (known && trusted(v, known))
		return view_hold(v, mapping_get(known));
	vec_for_each (&v->held, h)
		if (addr >= (*h)->start && addr < (*h)->end)
			return *h;
	/*
	 * With READ_IMPLIES_EXEC, brk(2) and mmap(2) may have added executable memory without a
	 * stop of the thread (select/seccomp_filter.h).
	 */
	if (!known && as->complete && !as->untraced && !as->read_execs &&
	    !in_change(as, addr, addr + 1))
		return NULL;
	if (known && space_check(as, t, known, addr))
		m = mapping_get(known);
	else
		m = space_find(as, t, addr);
	if (!m)
		return NULL;
	m->checked = v->id;
	return view_hold(v, m);
}

struct mapping *map_view_find(struct map_view *v, uint64_t addr)
{
	const struct address_space *as = v->task->as;
	struct mapping *m = map_table_find(as->table, addr);

	if (likely(m && as->table == v->table && trusted(v, m)))
		return m;
	return find_slow(v, m, addr);
}

bool map_view_incomplete(const struct map_view *v)
{
	struct map_source *source = v->task->cache->source;

	return source->ops->incomplete && source->ops->incomplete(source, v->task->tid);
}

struct map_table *mmap_cache_all(struct mm_task *t)
{
	struct address_space *as = t->as;
	struct map_table *all;
	struct map_view v;

	map_view_begin(&v, t);
	/*
	 * A mapping in the range of a change in progress may disappear at any time, so do not use
	 * the table.
	 */
	if (as->changes.n) {
		all = read_maps(as->cache, t);
	} else {
		if (!as->complete || as->untraced)
			mapping_put(space_reload(as, t, 0));
		all = map_table_get(as->table);
	}
	map_view_end(&v);
	return all;
}

uint64_t mmap_cache_stamp(const struct mm_task *t)
{
	return t->as->stamp;
}
