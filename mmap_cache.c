/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mmap_cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "util/mem.h"
#include "util/msg.h"
#include "capture/memory.h"
#include "capture/proc/proc.h"
#include "util/vec.h"

#ifndef MREMAP_FIXED
#define MREMAP_FIXED 2
#endif
#define SHM_EXEC_FLAG  0100000 /* SHM_EXEC of <linux/shm.h> */
#define SHM_REMAP_FLAG 040000  /* SHM_REMAP */
#define KCMP_VM_TYPE   1       /* <linux/kcmp.h> */
/* Descriptors kept open for queries; address spaces beyond that open theirs each time. */
#define QUERY_FDS_MAX 128
#define NAME_MAX_SIZE 4352
#define MAPS_TEXT_MAX (256u << 20)

/* PROCMAP_QUERY of <linux/fs.h>, which the build machine's headers may not have. */
struct maps_query {
	uint64_t size, flags, addr;
	uint64_t start, end, vma_flags, page_size, offset;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	uint32_t name_size, build_id_size;
	uint64_t name, build_id;
};
static_assert_size(struct maps_query, 104);
#define MAPS_QUERY	      _IOWR('f', 17, struct maps_query)
#define MAPS_QUERY_EXECUTABLE 0x04

struct change {
	pid_t tid;
	struct map_range range;
};

struct member {
	pid_t tid, tgid;
};

struct address_space {
	uint64_t stamp;
	struct map_table *table;
	bool complete;	 /* the table holds every executable mapping */
	bool untraced;	 /* a task that is not traced may change it unseen */
	bool read_execs; /* READ_IMPLIES_EXEC: what can be read can be executed */
	int maps_fd;
	VEC(struct member) members;
	VEC(struct change) changes;	 /* between a change's entry and its exit */
	VEC(struct mapping *) transient; /* found in the range of a change; for one walk */
	uint64_t walk;
	struct address_space *next, *prev;
};

/* Process-wide: the kernel's address spaces are, whoever traces them. */
uint64_t mmap_cache_generation;
static uint64_t walks;
static struct address_space *spaces;
static struct mmap_cache_config config;
static struct mmap_cache_counters counters;
static unsigned query_fds;

void mmap_cache_configure(const struct mmap_cache_config *c)
{
	config = *c;
}

const struct mmap_cache_counters *mmap_cache_counters(void)
{
	return &counters;
}

/* Address spaces */

static struct address_space *space_new(struct map_table *table)
{
	struct address_space *as = mem_zalloc(sizeof(*as));

	as->table = table ? map_table_get(table) : map_table_new(0);
	as->maps_fd = -1;
	as->stamp = ++mmap_cache_generation;
	as->next = spaces;
	if (spaces)
		spaces->prev = as;
	spaces = as;
	return as;
}

static void space_forget_transient(struct address_space *as)
{
	vec_for_each (&as->transient, m)
		mapping_put(*m);
	as->transient.n = 0;
}

static void space_free(struct address_space *as)
{
	if (as->prev)
		as->prev->next = as->next;
	else
		spaces = as->next;
	if (as->next)
		as->next->prev = as->prev;
	if (as->maps_fd >= 0) {
		close(as->maps_fd);
		query_fds--;
	}
	space_forget_transient(as);
	vec_deinit(&as->transient);
	vec_deinit(&as->changes);
	vec_deinit(&as->members);
	map_table_put(as->table);
	free(as);
}

static void space_join(struct address_space *as, struct tcb *tcb, pid_t tgid)
{
	*vec_push(&as->members) = (struct member){tcb->tid, tgid};
	tcb->mm = as;
	tcb->mmap_cache_generation = as->stamp;
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

/* An event of -d, with the thread's generation and its address space's. */
static void attr_printf(2, 3) tell(const struct tcb *tcb, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!config.debug)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	msg("maps: pid %d: %s, generation %" PRIu64 " of %" PRIu64, tcb->tid, text,
	    tcb->mmap_cache_generation, tcb->mm->stamp);
}

static void space_stamp(struct address_space *as, const struct tcb *tcb, const char *why)
{
	as->stamp = ++mmap_cache_generation;
	counters.increments++;
	tell(tcb, "%s, counter incremented", why);
}

static void space_drop(struct address_space *as, const struct tcb *tcb, struct map_range r)
{
	struct map_table *old = as->table;

	if (!map_table_overlaps(old, r))
		return;
	as->table = map_table_replace(old, r, NULL);
	as->complete = false;
	counters.dropped += old->n - as->table->n;
	tell(tcb, "%zu mappings dropped in %#" PRIx64 "-%#" PRIx64, old->n - as->table->n, r.lo,
	     r.hi);
	map_table_put(old);
}

/* The thread group of a task; 0 when it is gone. */
static pid_t read_tgid(pid_t tid)
{
	char text[64];

	return proc_field(text, sizeof(text), "Tgid", "/proc/%d/status", tid) ? atoi(text) : 0;
}

void mmap_cache_attach(struct tcb *tcb)
{
	pid_t tgid = read_tgid(tcb->tid);
	struct address_space *as;

	if (tcb->mm)
		return;
	for (as = spaces; as; as = as->next) {
		struct member *m = as->members.n ? &as->members.v[as->members.n - 1] : NULL;

		if (!m)
			continue;
		/* A vfork child has its own tgid, and threads of one group cannot differ in mm. */
		if ((tgid && m->tgid == tgid) ||
		    syscall(SYS_kcmp, tcb->tid, m->tid, KCMP_VM_TYPE, 0, 0) == 0)
			break;
	}
	if (!as) {
		as = space_new(NULL);
		/* Of a process that was there before us the rest may be anywhere. */
		as->untraced = !config.follow && !(tcb->flags & TCB_STARTED);
	}
	space_join(as, tcb, tgid);
}

void mmap_cache_fork(struct tcb *parent, struct tcb *child, bool shared)
{
	struct address_space *as;

	if (child->mm)
		return;
	if (!parent->mm)
		mmap_cache_attach(parent);
	if (shared) {
		space_join(parent->mm, child, read_tgid(child->tid));
		return;
	}
	as = space_new(parent->mm->table);
	as->read_execs = parent->mm->read_execs;
	/* What the parent's other threads were changing, the copy has in one state or the other. */
	space_join(as, child, read_tgid(child->tid));
	vec_for_each (&parent->mm->changes, c)
		space_drop(as, child, c->range);
}

/* What tcb was changing is settled; how, was not told. */
static void space_end_changes(struct address_space *as, const struct tcb *tcb)
{
	for (size_t i = as->changes.n; i-- > 0;) {
		if (as->changes.v[i].tid != tcb->tid)
			continue;
		space_drop(as, tcb, as->changes.v[i].range);
		as->changes.v[i] = as->changes.v[--as->changes.n];
	}
}

void mmap_cache_release(struct tcb *tcb)
{
	struct address_space *as = tcb->mm;

	if (!as)
		return;
	space_end_changes(as, tcb);
	tcb->mm = NULL;
	for (size_t i = as->members.n; i-- > 0;)
		if (as->members.v[i].tid == tcb->tid) {
			as->members.v[i] = as->members.v[--as->members.n];
			break;
		}
	if (!as->members.n)
		space_free(as);
}

void mmap_cache_exec(struct tcb *tcb)
{
	struct address_space *as;

	mmap_cache_release(tcb);
	as = space_new(NULL);
	counters.increments++;
	space_join(as, tcb, read_tgid(tcb->tid));
	tell(tcb, "execve, counter incremented");
}

/* Changes */

struct effect {
	struct map_range ranges[2];
	bool counts; /* it can make code appear: a change even where nothing is cached */
	bool maybe;  /* code can appear, but need not: in flight, and counted when it hits code */
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

static struct effect effect_of(struct tcb *tcb, enum mm_change change, const uint64_t *args,
			       int64_t ret, bool done)
{
	const struct address_space *as = tcb->mm;
	const uint64_t exec = as->read_execs ? PROT_EXEC | PROT_READ : PROT_EXEC;
	struct effect e = {0};
	const struct abi *abi;
	uint32_t old[6];
	uint64_t wide[6];

	switch (change) {
	case MM_MMAP:
		abi = abi_find(tcb->regs.arch, tcb->regs.nr);
		if (abi && abi_takes_block(abi, tcb->regs.nr)) {
			if (memory_read(tcb->memory, tcb->regs.args[0], old, sizeof(old))) {
				e.ranges[0] = RANGE_ALL;
				break;
			}
			for (int i = 0; i < 6; i++)
				wide[i] = old[i];
			args = wide;
			ret = (uint32_t)ret;
		}
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
		/* The segment's size is not among the arguments: with SHM_REMAP anything may go. */
		if (args[2] & SHM_REMAP_FLAG)
			e.ranges[0] = (struct map_range){args[1], UINT64_MAX};
		break;
	case MM_SHMDT:
		e.ranges[0] = (struct map_range){args[0], args[0] + 1};
		break;
	case MM_ARCH_PRCTL:
		abi = abi_find(tcb->regs.arch, tcb->regs.nr);
		if (abi && args[0] >= abi->arch->map_vdso[0] && args[0] <= abi->arch->map_vdso[1]) {
			e.counts = true;
			e.ranges[0] = RANGE_ALL;
		}
		break;
	case MM_BRK:
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

void mmap_cache_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args)
{
	struct address_space *as = tcb->mm;
	struct effect e;
	bool hits;

	if (!as)
		return;
	if (change == MM_CLONE) {
		as->untraced |= !config.follow;
		return;
	}
	/* A change whose exit nobody asked for has ended by now. */
	space_end_changes(as, tcb);
	e = effect_of(tcb, change, args, 0, false);
	hits = effect_hits(as, &e);
	if (!hits && !e.counts && !e.maybe)
		return;
	if (hits)
		space_stamp(as, tcb, "a change of code begins");
	for (int i = 0; i < 2; i++) {
		if (!e.ranges[i].hi)
			continue;
		*vec_push(&as->changes) = (struct change){tcb->tid, e.ranges[i]};
		space_drop(as, tcb, e.ranges[i]);
	}
}

void mmap_cache_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed)
{
	struct address_space *as = tcb->mm;
	bool flying = false;
	struct effect e;

	if (!as || change == MM_CLONE)
		return;
	for (size_t i = as->changes.n; i-- > 0;)
		if (as->changes.v[i].tid == tcb->tid) {
			as->changes.v[i] = as->changes.v[--as->changes.n];
			flying = true;
		}
	/* mprotect(2) may fail half way through; the others fail whole. */
	if (failed && (change != MM_MPROTECT || !flying))
		return;
	e = effect_of(tcb, change, args, ret, !failed);
	if (!flying && !e.counts && !effect_hits(as, &e))
		return;
	space_stamp(as, tcb, "code changed");
	as->complete = false;
	for (int i = 0; i < 2; i++)
		if (e.ranges[i].hi)
			space_drop(as, tcb, e.ranges[i]);
}

/* Look-ups */

static void space_insert(struct address_space *as, struct mapping *m)
{
	struct map_table *old = as->table;

	as->table = map_table_replace(old, (struct map_range){m->start, m->end}, m);
	map_table_put(old);
}

static int open_maps(const struct tcb *tcb)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", tcb->tid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* 0, -ENOENT where nothing executable is at addr, -ENOTTY where the kernel has no such query. */
static int space_query(struct address_space *as, const struct tcb *tcb, uint64_t addr,
		       struct maps_query *q, char *name)
{
	int fd = as->maps_fd, err = 0;

	if (config.no_query)
		return -ENOTTY;
	if (fd < 0) {
		fd = open_maps(tcb);
		if (fd < 0)
			return -errno;
		if (query_fds < QUERY_FDS_MAX) {
			as->maps_fd = fd;
			query_fds++;
		}
	}
	counters.queries++;
	*q = (struct maps_query){.size = sizeof(*q), .flags = MAPS_QUERY_EXECUTABLE, .addr = addr};
	if (name) {
		q->name = (uintptr_t)name;
		q->name_size = NAME_MAX_SIZE;
		*name = 0;
	}
	if (ioctl(fd, MAPS_QUERY, q) < 0) {
		err = -errno;
		if (name && (err == -E2BIG || err == -ENAMETOOLONG)) {
			q->name = q->name_size = 0;
			err = ioctl(fd, MAPS_QUERY, q) < 0 ? -errno : 0;
		}
		if (err == -ENOTTY || err == -EINVAL) {
			config.no_query = true;
			err = -ENOTTY;
		}
	}
	if (fd != as->maps_fd)
		close(fd);
	return err;
}

static struct mapping *mapping_from_query(const struct maps_query *q, const char *name)
{
	struct mapping *m = mem_zalloc(sizeof(*m));

	m->start = q->start;
	m->end = q->end;
	m->offset = q->offset;
	m->inode = q->inode;
	m->dev_major = q->dev_major;
	m->dev_minor = q->dev_minor;
	m->executable = true;
	m->refs = 1;
	m->name = *name ? mem_strdup(name) : NULL;
	return m;
}

static bool mapping_same(const struct mapping *a, uint64_t start, uint64_t end, uint64_t offset,
			 uint64_t inode, uint32_t dev_major, uint32_t dev_minor)
{
	if (a->inode != inode || a->dev_major != dev_major || a->dev_minor != dev_minor)
		return false;
	if (start > a->start || end < a->end)
		return false;
	return !inode || a->start - a->offset == start - offset;
}

static struct map_table *read_maps(const struct tcb *tcb)
{
	size_t len = 0, cap = 64 << 10;
	struct map_table *t;
	char *text;
	int fd = open_maps(tcb);

	if (fd < 0)
		return map_table_new(0);
	counters.reads++;
	text = mem_alloc(cap);
	for (;;) {
		ssize_t n = read(fd, text + len, cap - len);

		if (n <= 0)
			break;
		len += n;
		if (len == cap) {
			if (cap >= MAPS_TEXT_MAX)
				break;
			cap *= 2;
			text = mem_realloc(text, cap);
		}
	}
	close(fd);
	t = map_table_parse(text, len);
	free(text);
	return t;
}

/* Keeps the objects of mappings that did not change, and with them what is known of their files. */
static void space_reload(struct address_space *as, const struct tcb *tcb)
{
	struct map_table *new = read_maps(tcb), *old = as->table;
	size_t kept = 0;

	for (size_t i = 0; i < new->n; i++) {
		struct mapping *n = new->v[i];
		struct mapping *o = map_table_find(old, n->start);

		if (!o || o->start != n->start || o->end != n->end ||
		    !mapping_same(o, n->start, n->end, n->offset, n->inode, n->dev_major,
				  n->dev_minor))
			continue;
		new->v[i] = mapping_get(o);
		mapping_put(n);
		kept++;
	}
	if (old->n > kept && as->untraced) {
		counters.stale += old->n - kept;
		space_stamp(as, tcb, "changed by a task that is not traced");
	}
	as->table = new;
	as->complete = true;
	map_table_put(old);
	/* While a change is in flight, its range is nobody's to keep. */
	vec_for_each (&as->changes, c)
		if (map_table_overlaps(as->table, c->range)) {
			struct map_table *t = map_table_replace(as->table, c->range, NULL);

			map_table_put(as->table);
			as->table = t;
			as->complete = false;
		}
	tell(tcb, "maps read, %zu executable mappings", as->table->n);
}

static bool space_in_change(struct address_space *as, uint64_t addr)
{
	vec_for_each (&as->changes, c)
		if (addr >= c->range.lo && addr < c->range.hi)
			return true;
	return false;
}

static struct mapping *find_transient(struct address_space *as, const struct tcb *tcb,
				      uint64_t addr)
{
	struct mapping *m = NULL;
	struct maps_query q;
	char name[NAME_MAX_SIZE];
	int err;

	vec_for_each (&as->transient, t)
		if (addr >= (*t)->start && addr < (*t)->end)
			return *t;
	err = space_query(as, tcb, addr, &q, name);
	if (!err) {
		m = mapping_from_query(&q, name);
	} else if (err != -ENOENT) {
		struct map_table *t = read_maps(tcb);

		m = map_table_find(t, addr);
		if (m)
			mapping_get(m);
		map_table_put(t);
	}
	if (m)
		*vec_push(&as->transient) = m;
	return m;
}

/* personality(2) of a program without PT_GNU_STACK, or of one run by setarch -X. */
static bool read_read_implies_exec(pid_t tid)
{
	char text[16];

	return proc_read(text, sizeof(text), "/proc/%d/personality", tid) > 0 &&
	       strtoul(text, NULL, 16) & READ_IMPLIES_EXEC;
}

void mmap_cache_walk(struct tcb *tcb)
{
	struct address_space *as;

	if (!tcb->mm)
		mmap_cache_attach(tcb);
	as = tcb->mm;
	if (!as->walk)
		as->read_execs = read_read_implies_exec(tcb->tid);
	as->walk = ++walks;
	if (as->transient.n)
		space_forget_transient(as);
	if (as->untraced && config.no_query)
		space_reload(as, tcb);
}

uint64_t mmap_cache_settled(const struct tcb *tcb)
{
	const struct address_space *as = tcb->mm;

	return as->untraced || as->changes.n ? 0 : as->table->id;
}

static struct mapping *find_slow(struct address_space *as, const struct tcb *tcb,
				 struct mapping *known, uint64_t addr)
{
	struct maps_query q;
	char name[NAME_MAX_SIZE];
	struct mapping *m;
	int err;

	if (known) {
		err = space_query(as, tcb, addr, &q, NULL);
		if (err && err != -ENOENT)
			return known;
		if (!err && mapping_same(known, q.start, q.end, q.offset, q.inode, q.dev_major,
					 q.dev_minor)) {
			known->checked = as->walk;
			return known;
		}
		counters.stale++;
		space_stamp(as, tcb, "changed by a task that is not traced");
		space_drop(as, tcb, (struct map_range){known->start, known->end});
	}
	err = space_query(as, tcb, addr, &q, name);
	if (err == -ENOENT || err == -ESRCH)
		return NULL;
	if (err) {
		space_reload(as, tcb);
		return map_table_find(as->table, addr);
	}
	m = mapping_from_query(&q, name);
	m->checked = as->walk;
	/* Part of the kernel's mapping may be in flight: then all of it is for this walk only. */
	vec_for_each (&as->changes, c)
		if (c->range.lo < m->end && c->range.hi > m->start) {
			*vec_push(&as->transient) = m;
			return m;
		}
	space_insert(as, m);
	tell(tcb, "%#" PRIx64 "-%#" PRIx64 " %s built", m->start, m->end, m->name ? m->name : "");
	return m;
}

struct mapping *mmap_cache_find(struct tcb *tcb, uint64_t addr)
{
	struct address_space *as = tcb->mm;
	struct mapping *m = map_table_find(as->table, addr);

	if (likely(m && (!as->untraced || config.no_query || m->checked == as->walk)))
		return m;
	if (unlikely(as->changes.n) && space_in_change(as, addr))
		return find_transient(as, tcb, addr);
	if (!m && as->complete && !as->untraced)
		return NULL;
	return find_slow(as, tcb, m, addr);
}

uint64_t mmap_cache_stamp(const struct tcb *tcb)
{
	return tcb->mm ? tcb->mm->stamp : 0;
}
